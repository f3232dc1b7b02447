package io.kairo.api.attack;

import java.util.Locale;

/**
 * What becomes of an attack.
 *
 * @since 0.1.0
 */
public enum AttackOutcome {

	/** It is refused. */
	DENIED,

	/** It happens, and nothing outside notices. */
	CONTAINED,

	/** It happens up to a bound, and the outcome says so. */
	LIMITED,

	/** What it looks for is not there. */
	REDACTED,

	/** It succeeds. */
	NOT_HELD;

	/**
	 * Returns the name as tables show it.
	 * @return the name in lower case
	 */
	public String title() {
		return name().toLowerCase(Locale.ROOT).replace('_', ' ');
	}

}
