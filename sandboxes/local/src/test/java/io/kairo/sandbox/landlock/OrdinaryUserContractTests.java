package io.kairo.sandbox.landlock;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Runs the contract of every sandbox as an ordinary user, in the long form of the tests
 * only.
 */
@EnabledIfSystemProperty(named = "kairo.stress", matches = "long", disabledReason = "requires -Dkairo.stress=long")
class OrdinaryUserContractTests extends OrdinaryUserTests {

	@Override
	Class<?> tests() {
		return LandlockSandboxContractTests.class;
	}

}
