package io.kairo.workspace.git.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import io.kairo.boot.PropertyBounds;
import io.kairo.boot.UnresolvedPlaceholder;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for workspaces that are checkouts of remote Git repositories.
 *
 * @param enabled Whether hints can name Git remotes. Requires kairo-workspace-git.
 * @param client Client that fetches, checks out and pushes. With auto, git if it is
 * installed, or else JGit.
 * @param directory Directory of the stores and checkouts. By default, the directory git
 * in kairo.state-dir, or in /var/lib/kairo where commands of another user cannot enter
 * that.
 * @param allowedUrls Allowed prefixes of the URL of a remote; https://host/team matches
 * https://host/team/x but not https://host/teammates/x.
 * @param fetchAfter Age up to which a fetch of the same refs is not repeated. An unknown
 * ref is always fetched.
 * @param depth Number of commits to fetch of each branch; 0 for all.
 * @param offline Behavior when a remote does not answer.
 * @param timeout Timeout of a fetch, a checkout, a commit or a push.
 * @param maxStoreSize Maximum size of the objects of one remote.
 * @param maxCheckoutSize Maximum size of the files of one checkout.
 * @param maxDiffSize Maximum size of a diff; a longer one is truncated.
 * @param authorName Author of commits. By default, the principal of the session.
 * @param authorEmail E-mail address of the author of commits. Required with author-name.
 * @param credentials Credentials for remotes over HTTP. The first match is used.
 * @param storeIdleTimeout Time without a checkout after which the objects of a remote are
 * removed; 0 to keep them.
 */
@ConfigurationProperties("kairo.workspace.git")
public record GitProperties(@DefaultValue("true") boolean enabled, @DefaultValue("auto") Client client,
		@Nullable Path directory, @DefaultValue("https://") List<String> allowedUrls,
		@DefaultValue("30s") Duration fetchAfter, @DefaultValue("0") int depth, @DefaultValue("fail") Offline offline,
		@DefaultValue("5m") Duration timeout, @DefaultValue("4GB") DataSize maxStoreSize,
		@DefaultValue("4GB") DataSize maxCheckoutSize, @DefaultValue("1MB") DataSize maxDiffSize,
		@Nullable String authorName, @Nullable String authorEmail, @DefaultValue List<Credential> credentials,
		@DefaultValue("30d") Duration storeIdleTimeout) {

	private static final String PREFIX = "kairo.workspace.git.";

	/**
	 * Creates and validates the properties.
	 */
	public GitProperties {
		new PropertyBounds(PREFIX).positive("timeout", timeout)
			.positive("max-store-size", maxStoreSize)
			.positive("max-checkout-size", maxCheckoutSize);
		if (maxDiffSize.toBytes() <= 0 || maxDiffSize.toBytes() > Integer.MAX_VALUE) {
			throw invalid("max-diff-size", maxDiffSize, "it must be above zero and below 2GB");
		}
		if (fetchAfter.isNegative()) {
			throw invalid("fetch-after", fetchAfter, "it must not be below zero");
		}
		if (storeIdleTimeout.isNegative()) {
			throw invalid("store-idle-timeout", storeIdleTimeout, "it must be above zero, or 0 to keep everything");
		}
		new PropertyBounds(PREFIX).notNegative("fetch-after", fetchAfter)
			.notNegative("store-idle-timeout", storeIdleTimeout);
		if (depth < 0) {
			throw invalid("depth", depth, "it must be above zero, or 0 for all commits");
		}
		if ((authorName == null) != (authorEmail == null)) {
			throw invalid((authorName == null) ? "author-name" : "author-email", "",
					"an author needs both a name and an e-mail address: set both or none");
		}
		allowedUrls = List.copyOf(allowedUrls);
		credentials = List.copyOf(credentials);
		for (int i = 0; i < credentials.size(); i++) {
			credentials.get(i).check("credentials[" + i + "].");
		}
	}

	static InvalidConfigurationPropertyValueException invalid(String property, Object value, String reason) {
		return new InvalidConfigurationPropertyValueException(PREFIX + property, value, reason);
	}

	/**
	 * Client that does the work.
	 */
	public enum Client {

		/** The program git if it is installed, or else JGit. */
		AUTO,

		/** The program git. */
		GIT,

		/** JGit, in this process. */
		JGIT

	}

	/**
	 * Behavior when a remote does not answer.
	 */
	public enum Offline {

		/** The workspace cannot be acquired. */
		FAIL,

		/** The last fetched state is checked out, and the workspace reports that. */
		LAST_KNOWN

	}

	/**
	 * Credential for a remote.
	 *
	 * @param url Prefix of the URL of the remote, ending at a slash of the URL.
	 * @param tenant The only tenant that can use the credential. By default, all tenants
	 * can.
	 * @param username User name. With a token, most remotes accept any name.
	 * @param password Password or token.
	 */
	public record Credential(String url, @Nullable String tenant, @DefaultValue("git") String username,
			String password) {

		private void check(String prefix) {
			if (this.url == null || !this.url.toLowerCase(Locale.ROOT).matches("https?://.*")) {
				throw invalid(prefix + "url", String.valueOf(this.url),
						"it must begin with http: write a prefix of the URL, such as https://git.example.org/team/");
			}
			if (this.password == null || this.password.isBlank()) {
				throw invalid(prefix + "password", "", "it is missing for " + this.url + ": set a password or token");
			}
			UnresolvedPlaceholder.refuse(PREFIX + prefix + "password", this.password);
		}

		@Override
		public String toString() {
			return "Credential[url=" + this.url + ", username=" + this.username + ", password=***]";
		}

	}

}
