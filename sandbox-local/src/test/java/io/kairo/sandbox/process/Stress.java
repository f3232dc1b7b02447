package io.kairo.sandbox.process;

/**
 * How much the tests of this package ask for: little in every build, and with the system
 * property {@code kairo.stress=long} as much as promised.
 */
final class Stress {

	private static final boolean LONG = "long".equals(System.getProperty("kairo.stress"));

	private Stress() {
	}

	static int times(int usually, int whenLong) {
		return LONG ? whenLong : usually;
	}

	/**
	 * Returns how many trees are killed; the system property {@code kairo.kill.rounds}
	 * says another number.
	 */
	static int killRounds() {
		return Integer.getInteger("kairo.kill.rounds", times(28, 1000));
	}

}
