package io.kairo.api.attack;

/**
 * The result of performing an attack.
 */
public enum Finding {

	/** The attack took place and did not succeed. */
	HELD,

	/** The attack succeeded. */
	BROKEN,

	/** The backend lacks the target of the attack. */
	ABSENT;

	/**
	 * Returns the finding for a result.
	 * @param held whether the attack did not succeed
	 * @return {@link #HELD} or {@link #BROKEN}
	 */
	public static Finding heldIf(boolean held) {
		return held ? HELD : BROKEN;
	}

}
