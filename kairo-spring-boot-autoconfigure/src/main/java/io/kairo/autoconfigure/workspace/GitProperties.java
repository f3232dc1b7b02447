package io.kairo.autoconfigure.workspace;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.unit.DataSize;

/**
 * Workspaces that are checkouts of remote Git repositories.
 *
 * @param enabled whether hints may name Git remotes, where kairo-workspace-git is there.
 * @param client which program fetches, checks out and pushes; auto takes git where it is
 * installed.
 * @param directory where stores and checkouts are kept. By default the directory git in
 * kairo.state-dir.
 * @param allowedUrls how the address of a remote may begin, ending at a slash of the
 * address.
 * @param fetchAfter a fetch that is younger is not repeated.
 * @param depth how many commits of each branch are fetched; 0 means all.
 * @param offline what happens when a remote does not answer.
 * @param timeout how long a fetch, a checkout or a push may take.
 * @param maxStoreSize how much the objects of one remote may take up.
 * @param maxCheckoutSize how much the files of one checkout may take up.
 * @param maxDiffSize where a difference is cut.
 * @param authorName who commits. By default the principal of the session.
 * @param authorEmail the address of who commits; needed with author-name.
 * @param credentials what remotes are shown over HTTP; the first one that fits.
 * @param storeIdleTimeout after how long without a checkout what was fetched of a remote
 * is removed; 0 keeps it.
 * @since 0.1.0
 */
public record GitProperties(@DefaultValue("true") boolean enabled, @DefaultValue("auto") Client client,
		@Nullable Path directory, @DefaultValue("https://") List<String> allowedUrls,
		@DefaultValue("30s") Duration fetchAfter, @DefaultValue("0") int depth, @DefaultValue("fail") Offline offline,
		@DefaultValue("5m") Duration timeout, @DefaultValue("4GB") DataSize maxStoreSize,
		@DefaultValue("4GB") DataSize maxCheckoutSize, @DefaultValue("1MB") DataSize maxDiffSize,
		@Nullable String authorName, @Nullable String authorEmail, @DefaultValue List<Credential> credentials,
		@DefaultValue("30d") Duration storeIdleTimeout) {

	/**
	 * Creates the value.
	 * @param enabled whether hints may name Git remotes
	 * @param client which program does the work
	 * @param directory where stores and checkouts are kept, may be null
	 * @param allowedUrls how the address of a remote may begin
	 * @param fetchAfter a fetch that is younger is not repeated
	 * @param depth how many commits are fetched, 0 for all
	 * @param offline what happens when a remote does not answer
	 * @param timeout how long an operation may take
	 * @param maxStoreSize bytes of the objects of a remote
	 * @param maxCheckoutSize bytes of the files of a checkout
	 * @param maxDiffSize bytes of a difference
	 * @param authorName who commits, may be null
	 * @param authorEmail the address of who commits, may be null
	 * @param credentials what remotes are shown
	 * @param storeIdleTimeout after how long without a checkout what was fetched is
	 * removed, 0 to keep it
	 */
	public GitProperties {
		requireAbove(timeout.isZero() || timeout.isNegative(), "timeout", timeout);
		requireAbove(maxStoreSize.toBytes() <= 0, "max-store-size", maxStoreSize);
		requireAbove(maxCheckoutSize.toBytes() <= 0, "max-checkout-size", maxCheckoutSize);
		requireAbove(maxDiffSize.toBytes() <= 0 || maxDiffSize.toBytes() > Integer.MAX_VALUE, "max-diff-size",
				maxDiffSize);
		if (fetchAfter.isNegative()) {
			throw invalid("fetch-after", fetchAfter, "it must not be below zero");
		}
		if (storeIdleTimeout.isNegative()) {
			throw invalid("store-idle-timeout", storeIdleTimeout, "it must be above zero, or 0 to keep everything");
		}
		if (depth < 0) {
			throw invalid("depth", depth, "it must be above zero, or 0 for all commits");
		}
		if ((authorName == null) != (authorEmail == null)) {
			throw invalid((authorName == null) ? "author-name" : "author-email", "",
					"an author needs both a name and an address: set both or none");
		}
		allowedUrls = List.copyOf(allowedUrls);
		credentials = List.copyOf(credentials);
	}

	private static void requireAbove(boolean wrong, String property, Object value) {
		if (wrong) {
			throw invalid(property, value, "it must be above zero, and a difference below 2GB");
		}
	}

	static InvalidConfigurationPropertyValueException invalid(String property, Object value, String reason) {
		return new InvalidConfigurationPropertyValueException("kairo.workspace.git." + property, value, reason);
	}

	/**
	 * Which program does the work.
	 */
	public enum Client {

		/** The program git where it is installed, else JGit. */
		AUTO,

		/** The program git. */
		GIT,

		/** JGit, in this process. */
		JGIT

	}

	/**
	 * What happens when a remote does not answer.
	 */
	public enum Offline {

		/** No workspace is made. */
		FAIL,

		/** What was last fetched is checked out, and the workspace says so. */
		LAST_KNOWN

	}

	/**
	 * What a remote is shown.
	 *
	 * @param url how the address of the remote begins, ending at a slash of the address.
	 * @param tenant the only tenant that it is for. By default it is for all.
	 * @param username the name; with a token, most remotes take any.
	 * @param password the password or token.
	 */
	public record Credential(String url, @Nullable String tenant, @DefaultValue("git") String username,
			String password) {

		/**
		 * Creates the value.
		 * @param url how the address of the remote begins
		 * @param tenant the only tenant that it is for, may be null
		 * @param username the name
		 * @param password the password or token
		 */
		public Credential {
			if (url == null || !url.toLowerCase(Locale.ROOT).startsWith("http")) {
				throw invalid("credentials[].url", String.valueOf(url),
						"write how the address begins, as https://git.example.org/team/");
			}
			if (password == null || password.isBlank()) {
				throw invalid("credentials[].password", "", "there is none for " + url);
			}
		}

		@Override
		public String toString() {
			return "Credential[url=" + this.url + ", username=" + this.username + ", password=***]";
		}

	}

}
