package io.kairo.architecture;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that the rules detect violations.
 */
class RuleViolationTests {

	private static void assertFails(ArchRule rule, Class<?> type, String message) {
		JavaClasses classes = new ClassFileImporter().importClasses(type);
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> rule.check(classes))
			.withMessageContaining(message);
	}

	private static void assertPasses(ArchRule rule, Class<?> type) {
		rule.check(new ClassFileImporter().importClasses(type));
	}

	@Test
	void fileOpenedOutsideGateIsDetected() {
		ArchRule rule = StyleRulesTests.HostFiles.onlyOpenFiles("io.kairo.workspace.local..");
		assertFails(rule, OpensFiles.class, "Files.readString");
		assertFails(rule, RefersToFiles.class, "Files.exists");
		assertFails(rule, CreatesFileStream.class, "FileInputStream");
		assertPasses(rule, Immutable.class);
	}

	@Test
	void mutableStaticFieldIsDetected() {
		ArchRule rule = fields().that().areStatic().should(new HoldNothingMutable());
		assertFails(rule, ConstructsList.class, "NAMES");
		assertFails(rule, HoldsCounter.class, "COUNT");
		assertFails(rule, ExposesArray.class, "PARTS");
		assertPasses(rule, Immutable.class);
	}

	@Test
	void moduleTableGrantsOnlyListedLibrariesAndModules() {
		assertThat(HouseModule.WORKSPACE_LOCAL.externalPackages()).containsExactly("java..",
				"org.jspecify.annotations..");
		assertThat(HouseModule.WORKSPACE_LOCAL.projectPackages()).doesNotContain("io.kairo.api.sandbox");
	}

	@Test
	void packageCycleIsDetected() {
		JavaClasses classes = new ClassFileImporter().importPackages("io.kairo.architecture.cycle");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> ModuleRulesTests.freeOfCycles().check(classes))
			.withMessageContaining("Cycle detected")
			.withMessageContaining("architecture.cycle.below");
	}

	static class OpensFiles {

		String read(Path path) throws IOException {
			return Files.readString(path);
		}

	}

	static class RefersToFiles {

		Predicate<Path> filter() {
			return Files::exists;
		}

	}

	static class CreatesFileStream {

		InputStream open(Path path) throws IOException {
			return new FileInputStream(path + File.separator);
		}

	}

	static class ConstructsList {

		static final List<String> NAMES = new ArrayList<>();

	}

	static class HoldsCounter {

		private static final AtomicLong COUNT = new AtomicLong();

		static long next() {
			return COUNT.incrementAndGet();
		}

	}

	static class ExposesArray {

		static final String[] PARTS = { "a" };

	}

	static class Immutable {

		static final List<String> NAMES = List.of("a");

		private static final String[] PARTS = { "a" };

		static int count() {
			return PARTS.length;
		}

	}

}
