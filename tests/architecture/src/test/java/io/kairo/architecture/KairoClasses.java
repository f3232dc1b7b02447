package io.kairo.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The main classes of all published modules, imported once for all rules.
 */
final class KairoClasses {

	private static final JavaClasses ALL = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("io.kairo");

	private KairoClasses() {
	}

	/**
	 * Checks a rule. The rule may apply to no class, but the import must have found the
	 * classes of the project.
	 */
	static void check(ArchRule rule) {
		assertThat(ALL.stream().map(JavaClass::getPackageName)).as("packages of the imported classes")
			.contains("io.kairo.api.tenant", "io.kairo.api.workspace", "io.kairo.api.sandbox");
		rule.allowEmptyShould(true).check(ALL);
	}

}
