package io.kairo.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * Tests for the dependencies between modules and between packages.
 */
class ModuleRulesTests {

	@ParameterizedTest
	@EnumSource
	void moduleDependsOnlyOnPackagesGrantedByModuleTable(HouseModule module) {
		KairoClasses.check(rule(module));
	}

	/**
	 * Returns the rule for a row of the module table.
	 */
	static ArchRule rule(HouseModule module) {
		DescribedPredicate<JavaClass> granted = resideInAnyPackage(module.projectPackages())
			.or(resideOutsideOfPackage("io.kairo..").and(resideInAnyPackage(module.externalPackages())));
		return classes().that().resideInAnyPackage(module.packages()).should().onlyDependOnClassesThat(granted);
	}

	@Test
	void everyClassBelongsToModule() {
		KairoClasses.check(classes().that()
			.resideInAPackage("io.kairo..")
			.and()
			.resideOutsideOfPackage("io.kairo.sample..")
			.should()
			.resideInAnyPackage(HouseModule.allPackages()));
	}

	@ParameterizedTest
	@CsvSource({ "io.kairo.sandbox, [support|backend]", "io.kairo.workspace, local" })
	void backendsDependOnSharedPackageButNotOnEachOther(String kind, String shared) {
		KairoClasses.check(slices().matching(kind + ".(*)..")
			.should()
			.notDependOnEachOther()
			.ignoreDependency(alwaysTrue(), resideInAPackage(kind + "." + shared + "..")));
	}

	@Test
	void onlyAutoConfigurationDatabasesAndSampleDependOnSpring() {
		KairoClasses.check(noClasses().that()
			.resideOutsideOfPackages("io.kairo..autoconfigure..", "io.kairo.boot", "io.kairo.governance.jdbc",
					"io.kairo.mcp", "io.kairo.sample..", "io.kairo.test..")
			.should()
			.dependOnClassesThat(resideInAnyPackage("org.springframework..", "org.apache.commons.logging..",
					"io.micrometer..", "io.kairo.boot")));
	}

	@Test
	void packagesAreFreeOfCycles() {
		KairoClasses.check(freeOfCycles());
	}

	/**
	 * Returns the rule that no packages depend on each other, neither directly nor
	 * indirectly.
	 */
	static ArchRule freeOfCycles() {
		return slices().matching("io.kairo.(**)").should().beFreeOfCycles();
	}

}
