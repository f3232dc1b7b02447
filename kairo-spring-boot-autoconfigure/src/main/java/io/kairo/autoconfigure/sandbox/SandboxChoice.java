package io.kairo.autoconfigure.sandbox;

/**
 * Which sandbox was chosen, and why.
 *
 * @param type the kind of sandbox
 * @param reason why it was that one, for people to read
 * @since 0.1.0
 */
public record SandboxChoice(SandboxType type, String reason) {

	/**
	 * Creates the value.
	 * @param type the kind of sandbox
	 * @param reason why it was that one
	 */
	public SandboxChoice {
	}

}
