package io.kairo.api.attack;

import java.util.Locale;

/**
 * The outcome of an attack.
 */
public enum AttackOutcome {

	/** The attack is refused. */
	DENIED,

	/** The attack happens, without an effect outside. */
	CONTAINED,

	/** The attack happens up to a limit reported by the outcome. */
	LIMITED,

	/** The target of the attack does not exist. */
	REDACTED,

	/** The attack succeeds. */
	NOT_HELD;

	/**
	 * Returns the name in tables.
	 * @return the name in lower case
	 */
	public String title() {
		return name().toLowerCase(Locale.ROOT).replace('_', ' ');
	}

}
