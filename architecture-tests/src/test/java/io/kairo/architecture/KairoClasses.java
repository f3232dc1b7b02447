package io.kairo.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The main classes of all published modules, read once for all rules.
 */
final class KairoClasses {

	private static final JavaClasses ALL = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("io.kairo");

	private KairoClasses() {
	}

	/**
	 * Checks a rule. Packages that a rule speaks of may still be empty; that no class was
	 * found at all is an error.
	 */
	static void follow(ArchRule rule) {
		assertThat(ALL.stream().map(JavaClass::getPackageName)).as("packages of the imported classes")
			.contains("io.kairo.api.tenant", "io.kairo.api.workspace", "io.kairo.api.sandbox");
		rule.allowEmptyShould(true).check(ALL);
	}

}
