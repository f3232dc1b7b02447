package io.kairo.workspace.git;

import java.util.Objects;

/**
 * A credential for a remote over HTTP. Immutable. {@link #toString()} omits the secret.
 *
 * @param username the name, such as {@code x-access-token}, not blank and without a colon
 * @param secret the password or token, not blank
 */
public record GitCredential(String username, String secret) {

	/**
	 * Creates a credential.
	 * @throws IllegalArgumentException if one of them is blank or has a control
	 * character, or the name has a colon
	 */
	public GitCredential {
		Objects.requireNonNull(username, "username");
		Objects.requireNonNull(secret, "secret");
		if (username.isBlank() || username.indexOf(':') >= 0 || hasControls(username)) {
			throw new IllegalArgumentException(
					"The username of a Git credential is blank, or has a colon or a control character: "
							+ "leave such characters out");
		}
		if (secret.isBlank() || hasControls(secret)) {
			throw new IllegalArgumentException(
					"The secret of a Git credential is blank or has a control character: leave such characters out");
		}
	}

	private static boolean hasControls(String text) {
		return text.chars().anyMatch(Character::isISOControl);
	}

	@Override
	public String toString() {
		return "GitCredential[username=" + this.username + ", secret=***]";
	}

}
