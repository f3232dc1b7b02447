package io.kairo.workspace.git;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

/**
 * A remote and what it is shown.
 *
 * @param url where it is
 * @param credential what it is shown, null for nothing
 */
record GitRemote(RemoteUrl url, @Nullable GitCredential credential) {

	/**
	 * Returns the header that shows the credential, null if there is none.
	 */
	@Nullable String authorization() {
		return (this.credential != null) ? "Authorization: Basic " + encoded(this.credential) : null;
	}

	private static String encoded(GitCredential credential) {
		String both = credential.username() + ":" + credential.secret();
		return Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Takes out of a text what nobody may see: the secret, and users of addresses.
	 */
	String redact(String text) {
		String redacted = text.replaceAll("://[^/@\\s]*@", "://");
		return (this.credential != null)
				? redacted.replace(this.credential.secret(), "***").replace(encoded(this.credential), "***") : redacted;
	}

}
