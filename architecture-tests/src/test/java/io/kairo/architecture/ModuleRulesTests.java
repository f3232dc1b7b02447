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
 * Who may know whom.
 */
class ModuleRulesTests {

	@ParameterizedTest
	@EnumSource
	void moduleUsesOnlyWhatTheModuleTableGrants(HouseModule module) {
		KairoClasses.follow(rule(module));
	}

	/**
	 * States the row of the module table as a rule.
	 */
	static ArchRule rule(HouseModule module) {
		DescribedPredicate<JavaClass> granted = resideInAnyPackage(module.house())
			.or(resideOutsideOfPackage("io.kairo..").and(resideInAnyPackage(module.world())));
		return classes().that().resideInAnyPackage(module.packages()).should().onlyDependOnClassesThat(granted);
	}

	@Test
	void everyClassBelongsToAModule() {
		KairoClasses.follow(classes().that()
			.resideInAPackage("io.kairo..")
			.and()
			.resideOutsideOfPackage("io.kairo.sample..")
			.should()
			.resideInAnyPackage(HouseModule.allPackages()));
	}

	@ParameterizedTest
	@CsvSource({ "io.kairo.sandbox, support", "io.kairo.workspace, local" })
	void backendsSeeWhatTheyShareAndNotEachOther(String kind, String shared) {
		KairoClasses.follow(slices().matching(kind + ".(*)..")
			.should()
			.notDependOnEachOther()
			.ignoreDependency(alwaysTrue(), resideInAPackage(kind + "." + shared + "..")));
	}

	@Test
	void nothingBelowTheAutoConfigurationKnowsSpring() {
		KairoClasses.follow(noClasses().that()
			.resideOutsideOfPackages("io.kairo.autoconfigure..", "io.kairo.sample..")
			.should()
			.dependOnClassesThat(resideInAPackage("org.springframework..")));
	}

	@Test
	void packagesAreFreeOfCycles() {
		KairoClasses.follow(freeOfCycles());
	}

	/**
	 * States that no two packages depend on each other, not even through others.
	 */
	static ArchRule freeOfCycles() {
		return slices().matching("io.kairo.(**)").should().beFreeOfCycles();
	}

}
