package io.kairo.sandbox.landlock;

/**
 * Runs the attacks as an ordinary user.
 */
class OrdinaryUserAttackTests extends OrdinaryUserTests {

	@Override
	Class<?> tests() {
		return LandlockAttackTests.class;
	}

}
