package io.kairo.architecture;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.RandomAccessFile;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.accessTargetWhere;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.members;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;

/**
 * How code is written, whatever it does.
 */
class StyleRulesTests {

	private static final String AUTO_CONFIGURATION = "org.springframework.boot.autoconfigure.AutoConfiguration";

	private static final String BEAN = "org.springframework.context.annotation.Bean";

	@Nested
	class FilesOfTheHost {

		private static final List<Class<?>> OPENERS = List.of(Files.class, File.class, FileInputStream.class,
				FileOutputStream.class, FileReader.class, FileWriter.class, RandomAccessFile.class, FileChannel.class,
				AsynchronousFileChannel.class);

		/** What may be asked of a directory that the configuration names. */
		private static final Set<String> PROBES = Set.of("canWrite", "exists", "getUsableSpace", "isDirectory");

		@Test
		void areOpenedBehindTheGateAndByBackendsForTheirOwn() {
			KairoClasses.follow(onlyOpenFiles("io.kairo.host..", "io.kairo.workspace.local..",
					"io.kairo.workspace.ephemeral..", "io.kairo.workspace.task..", "io.kairo.workspace.git..",
					"io.kairo.api.workspace.tck..", "io.kairo.api.attack..", "io.kairo.sandbox..",
					"io.kairo.api.sandbox.tck..", "io.kairo.tools.output..", "io.kairo.autoconfigure.."));
		}

		@Test
		void areOnlyProbedByStartUpAndHealth() {
			KairoClasses.follow(noClasses().that()
				.resideInAPackage("io.kairo.autoconfigure..")
				.should(accessTargetWhere(touchesAFile().and(not(probes()))))
				.because("a configured root is looked at there, and nothing is opened"));
		}

		static ArchRule onlyOpenFiles(String... packages) {
			return noClasses().that()
				.resideInAPackage("io.kairo..")
				.and()
				.resideOutsideOfPackages(packages)
				.should(accessTargetWhere(touchesAFile()))
				.as("only " + List.of(packages) + " open files of the host")
				.because("everything else goes through WorkspaceFiles, which confines it");
		}

		private static DescribedPredicate<JavaAccess<?>> touchesAFile() {
			return describe("it touches a file of the host", (access) -> !(access instanceof JavaFieldAccess)
					&& OPENERS.stream().anyMatch((opener) -> access.getTargetOwner().isEquivalentTo(opener)));
		}

		private static DescribedPredicate<JavaAccess<?>> probes() {
			return describe("it asks File for a fact", (access) -> access.getTargetOwner().isEquivalentTo(File.class)
					&& PROBES.contains(access.getName()));
		}

	}

	@Nested
	class State {

		@Test
		void staticFieldsAreFinal() {
			KairoClasses.follow(fields().that().areStatic().should().beFinal());
		}

		@Test
		void staticFieldsHoldNothingMutable() {
			KairoClasses.follow(fields().that().areStatic().should(new HoldNothingMutable()));
		}

	}

	@Nested
	class AutoConfigurations {

		@Test
		void arePublicAndFinal() {
			KairoClasses.follow(classes().that()
				.areAnnotatedWith(AUTO_CONFIGURATION)
				.should()
				.bePublic()
				.andShould()
				.haveModifier(JavaModifier.FINAL));
		}

		@Test
		void haveNoPublicMembers() {
			KairoClasses.follow(members().that()
				.areDeclaredInClassesThat()
				.areAnnotatedWith(AUTO_CONFIGURATION)
				.and(describe("are not the constructor that Java adds",
						(member) -> !member.getFullName().endsWith(".<init>()")))
				.should()
				.notBePublic());
		}

		@Test
		void beansArePackagePrivate() {
			KairoClasses.follow(methods().that().areAnnotatedWith(BEAN).should().bePackagePrivate());
		}

	}

	@Nested
	class Logging {

		@Test
		void nothingKnowsSlf4j() {
			KairoClasses.follow(noClasses().should().dependOnClassesThat(resideInAPackage("org.slf4j..")));
		}

		@Test
		void nothingKnowsJavaUtilLogging() {
			KairoClasses.follow(noClasses().should().dependOnClassesThat(resideInAPackage("java.util.logging..")));
		}

		@Test
		void nothingPrintsToTheStandardStreams() {
			KairoClasses.follow(GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS);
		}

	}

	@Nested
	class Names {

		@Test
		void sayWhatAClassIs() {
			KairoClasses.follow(
					noClasses().should().haveNameMatching(".*(Utils?|Manager|Helper)").because("a role has a name"));
		}

		@Test
		void interfacesAreNotAbstractSomething() {
			KairoClasses.follow(noClasses().that().areInterfaces().should().haveSimpleNameStartingWith("Abstract"));
		}

		@Test
		void fieldsAreNotPublicUnlessConstant() {
			KairoClasses.follow(noFields().that().areNotFinal().should().bePublic());
		}

	}

}
