package io.kairo.api.attack;

/**
 * The declaration of a backend for an attack that it does not simply hold. Immutable.
 *
 * @param how the expected result
 * @param reason the reason, for readers
 */
public record Declared(How how, String reason) {

	/**
	 * Creates the value.
	 */
	public Declared {
		if (reason.isBlank()) {
			throw new IllegalArgumentException("The reason is missing: give the reason for " + how);
		}
	}

	/**
	 * Declares that the attack succeeds; if it does not, the test fails too.
	 * @param reason the reason
	 * @return the declaration
	 */
	public static Declared notHeld(String reason) {
		return new Declared(How.NOT_HELD, reason);
	}

	/**
	 * Declares that the success of the attack depends on the machine.
	 * @param reason the condition
	 * @return the declaration
	 */
	public static Declared dependsOnMachine(String reason) {
		return new Declared(How.DEPENDS, reason);
	}

	/**
	 * Declares that the attack would succeed and harm the machine of the tests. It is not
	 * performed.
	 * @param reason the reason
	 * @return the declaration
	 */
	public static Declared notRun(String reason) {
		return new Declared(How.NOT_RUN, reason);
	}

	/**
	 * Declares that the backend lacks the target of the attack.
	 * @param reason the missing feature
	 * @return the declaration
	 */
	public static Declared absent(String reason) {
		return new Declared(How.ABSENT, reason);
	}

	/**
	 * The expected result.
	 */
	public enum How {

		/** The attack succeeds. */
		NOT_HELD("**not held**"),

		/** The attack succeeds on some machines. */
		DEPENDS("depends"),

		/** The attack would succeed. */
		NOT_RUN("**not held**, not run"),

		/** The attack cannot be performed. */
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
