package io.kairo.sandbox.process;

/**
 * The extent of the tests of this package: small in every build, and as large as
 * documented with the system property {@code kairo.stress=long}.
 */
final class StressLevel {

	private static final boolean LONG = "long".equals(System.getProperty("kairo.stress"));

	private StressLevel() {
	}

	/**
	 * Returns the first number, or the second one in the long form of the tests.
	 */
	static int select(int normal, int extended) {
		return LONG ? extended : normal;
	}

	/**
	 * Returns the number of commands to kill, which the system property
	 * {@code kairo.kill.commands} overrides.
	 */
	static int killedCommands() {
		return Integer.getInteger("kairo.kill.commands", select(7, 1000));
	}

}
