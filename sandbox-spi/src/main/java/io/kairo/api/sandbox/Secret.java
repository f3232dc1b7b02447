package io.kairo.api.sandbox;

import java.util.Objects;

/**
 * A secret value, such as a token or a password. Immutable. {@link #toString()} omits the
 * value, and the class has no property that frameworks could serialize.
 */
public final class Secret {

	private static final int MOST_CHARACTERS = 8192;

	private final String value;

	private Secret(String value) {
		this.value = value;
	}

	/**
	 * Creates a secret.
	 * @param value the value: 1 to 8192 printable ASCII characters, not blank
	 * @return the secret
	 * @throws IllegalArgumentException if the value has another form; the message does
	 * not contain it
	 */
	public static Secret of(String value) {
		Objects.requireNonNull(value, "value");
		if (value.isBlank() || value.length() > MOST_CHARACTERS
				|| !value.chars().allMatch((character) -> character >= ' ' && character <= '~')) {
			throw new IllegalArgumentException(
					"A secret is blank, longer than " + MOST_CHARACTERS + " characters, or has a character that is no "
							+ "printable ASCII character, such as a line end: leave such characters out");
		}
		return new Secret(value);
	}

	/**
	 * Returns the value. Callers must not log it, nor pass it to a command.
	 * @return the value
	 */
	public String reveal() {
		return this.value;
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof Secret that && this.value.equals(that.value);
	}

	@Override
	public int hashCode() {
		return this.value.hashCode();
	}

	@Override
	public String toString() {
		return "Secret[***]";
	}

}
