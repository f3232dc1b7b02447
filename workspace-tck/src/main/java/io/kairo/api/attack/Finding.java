package io.kairo.api.attack;

/**
 * What an attempt at an attack has shown.
 *
 * @since 0.1.0
 */
public enum Finding {

	/** It took place and did not succeed. */
	HELD,

	/** It succeeded. */
	BROKEN,

	/** There is nothing in this backend that it could be tried on. */
	ABSENT;

	/**
	 * Says what an attempt has shown.
	 * @param held whether it did not succeed
	 * @return {@link #HELD} or {@link #BROKEN}
	 */
	public static Finding heldIf(boolean held) {
		return held ? HELD : BROKEN;
	}

}
