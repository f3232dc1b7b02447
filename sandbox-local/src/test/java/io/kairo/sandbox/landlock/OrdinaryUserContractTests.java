package io.kairo.sandbox.landlock;

/**
 * Runs the contract of every sandbox as an ordinary user.
 */
class OrdinaryUserContractTests extends OrdinaryUserTests {

	@Override
	Class<?> tests() {
		return LandlockSandboxContractTests.class;
	}

}
