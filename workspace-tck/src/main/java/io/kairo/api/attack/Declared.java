package io.kairo.api.attack;

/**
 * What a backend says of an attack that it does not simply hold against. Immutable.
 *
 * @param how what is to be expected
 * @param reason why, for people to read
 * @since 0.1.0
 */
public record Declared(How how, String reason) {

	/**
	 * Creates the value.
	 * @param how what is to be expected
	 * @param reason why
	 */
	public Declared {
		if (reason.isBlank()) {
			throw new IllegalArgumentException("There is no reason: say why it is " + how);
		}
	}

	/**
	 * Says that the attack succeeds; if it does not, the test fails too.
	 * @param reason why
	 * @return what is declared
	 */
	public static Declared notHeld(String reason) {
		return new Declared(How.NOT_HELD, reason);
	}

	/**
	 * Says that it depends on the machine whether the attack succeeds.
	 * @param reason on what it depends
	 * @return what is declared
	 */
	public static Declared dependsOnMachine(String reason) {
		return new Declared(How.DEPENDS, reason);
	}

	/**
	 * Says that the attack would succeed, and harm the machine of the tests: it is not
	 * tried.
	 * @param reason why
	 * @return what is declared
	 */
	public static Declared notRun(String reason) {
		return new Declared(How.NOT_RUN, reason);
	}

	/**
	 * Says that the backend has nothing that the attack could be tried on.
	 * @param reason what it does not have
	 * @return what is declared
	 */
	public static Declared absent(String reason) {
		return new Declared(How.ABSENT, reason);
	}

	/**
	 * What is to be expected.
	 */
	public enum How {

		/** It succeeds. */
		NOT_HELD("**not held**"),

		/** It succeeds on some machines. */
		DEPENDS("depends"),

		/** It would succeed. */
		NOT_RUN("**not held**, not run"),

		/** It cannot be tried. */
		ABSENT("-");

		private final String title;

		How(String title) {
			this.title = title;
		}

		String title() {
			return this.title;
		}

	}

}
