package io.kairo.workspace.git;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

/**
 * A remote with the credential for it.
 *
 * @param url the address
 * @param credential the credential, or null for anonymous access
 */
record GitRemote(RemoteUrl url, @Nullable GitCredential credential) {

	/**
	 * Returns the HTTP header with the credential, or null if there is none.
	 */
	@Nullable String authorization() {
		return (this.credential != null) ? "Authorization: Basic " + encoded(this.credential) : null;
	}

	private static String encoded(GitCredential credential) {
		String both = credential.username() + ":" + credential.secret();
		return Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Removes the secret, and the user part of addresses, from a text.
	 */
	String redact(String text) {
		String redacted = text.replaceAll("://[^/@\\s]*@", "://");
		return (this.credential != null)
				? redacted.replace(this.credential.secret(), "***").replace(encoded(this.credential), "***") : redacted;
	}

}
