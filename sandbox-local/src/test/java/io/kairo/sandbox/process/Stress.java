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
	 * Returns how many commands are killed; the system property
	 * {@code kairo.kill.commands} says another number.
	 */
	static int killedCommands() {
		return Integer.getInteger("kairo.kill.commands", times(28, 1000));
	}

}
