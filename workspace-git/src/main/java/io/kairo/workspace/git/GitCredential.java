package io.kairo.workspace.git;

import java.util.Objects;

/**
 * What a remote is shown over HTTP. Immutable; its text does not have the secret in it.
 *
 * @param username the name, such as {@code x-access-token}
 * @param secret the password or token
 * @since 0.1.0
 */
public record GitCredential(String username, String secret) {

	/**
	 * Creates a credential.
	 * @param username the name, not blank and without a colon
	 * @param secret the password or token, not blank
	 * @throws IllegalArgumentException if one of them is blank, has line ends in it, or
	 * the name has a colon
	 */
	public GitCredential {
		Objects.requireNonNull(username, "username");
		Objects.requireNonNull(secret, "secret");
		if (username.isBlank() || username.indexOf(':') >= 0 || hasControls(username)) {
			throw new IllegalArgumentException(
					"The name of a Git credential is blank, or has a colon or a control " + "character in it");
		}
		if (secret.isBlank() || hasControls(secret)) {
			throw new IllegalArgumentException(
					"The secret of a Git credential is blank or has a control character " + "in it");
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
