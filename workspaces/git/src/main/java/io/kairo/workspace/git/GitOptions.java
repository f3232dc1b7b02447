package io.kairo.workspace.git;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

import io.kairo.host.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link GitWorkspaceProvider}. Immutable.
 *
 * @param directory the directory of the stores and checkouts; created when it is needed,
 * accessible to its owner only
 * @param client the Git implementation
 * @param allowedUrls the allow-list of remotes: prefixes of addresses, such as
 * {@code https://git.example.org/team/}; {@code https://host/team} matches
 * {@code https://host/team/x} but not {@code https://host/teammates/x}
 * @param fetchAfter maximum age of a fetch that is not repeated for the same refs, zero
 * to repeat every fetch; an unknown ref is always fetched
 * @param depth maximum number of commits fetched per branch, 0 for all
 * @param offline the behaviour when a remote is unreachable
 * @param limits the limits
 * @param author the author of commits, or null for the principal of the workspace
 * @param storeIdleTimeout time without a checkout before the store of a remote is
 * removed; zero keeps stores
 * @param owner the user that an application that runs as root creates checkouts for; null
 * for the user of the application
 */
public record GitOptions(Path directory, GitClientKind client, List<String> allowedUrls, Duration fetchAfter, int depth,
		OfflineMode offline, GitLimits limits, @Nullable GitAuthor author, Duration storeIdleTimeout,
		@Nullable HostUser owner) {

	private static final Pattern PREFIX = Pattern.compile("(?:https|http|ssh|git|file)://[A-Za-z0-9._~%+@:\\[\\]/-]*");

	private static final String ANY_HTTPS = "https://";

	/** A host whose last label is a number in any notation is an address to resolvers. */
	private static final Pattern ADDRESS = Pattern
		.compile("https://(?:\\[.*|(?:[^/:]*\\.)?(?:localhost|\\d+|0x[0-9a-f]*)\\.?(?:[:/].*)?)");

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if an entry of the allow-list is not the prefix of
	 * an address, or a value is negative
	 */
	public GitOptions {
		Objects.requireNonNull(client, "client");
		Objects.requireNonNull(offline, "offline");
		Objects.requireNonNull(limits, "limits");
		directory = directory.toAbsolutePath().normalize();
		allowedUrls = List.copyOf(allowedUrls);
		allowedUrls.forEach(GitOptions::requirePrefix);
		if (fetchAfter.isNegative()) {
			throw new IllegalArgumentException("fetchAfter is " + fetchAfter + ": it must not be below zero");
		}
		if (storeIdleTimeout.isNegative()) {
			throw new IllegalArgumentException(
					"storeIdleTimeout is " + storeIdleTimeout + ": it must be above zero, or 0 to keep everything");
		}
		if (depth < 0) {
			throw new IllegalArgumentException("depth is " + depth + ": it must be above zero, or 0 for everything");
		}
	}

	/**
	 * Creates options for the user of the application.
	 * @param directory the directory of the stores and checkouts
	 * @param client the Git implementation
	 * @param allowedUrls the allow-list of remotes
	 * @param fetchAfter maximum age of a fetch that is not repeated for the same refs
	 * @param depth maximum number of commits fetched per branch
	 * @param offline the behaviour when a remote is unreachable
	 * @param limits the limits
	 * @param author the author of commits, or null for the principal of the workspace
	 * @param storeIdleTimeout time without a checkout before a store is removed
	 */
	public GitOptions(Path directory, GitClientKind client, List<String> allowedUrls, Duration fetchAfter, int depth,
			OfflineMode offline, GitLimits limits, @Nullable GitAuthor author, Duration storeIdleTimeout) {
		this(directory, client, allowedUrls, fetchAfter, depth, offline, limits, author, storeIdleTimeout, null);
	}

	private static void requirePrefix(String prefix) {
		if (!PREFIX.matcher(prefix).matches()) {
			throw new IllegalArgumentException("'" + prefix + "' is not the prefix of the address of a remote: write "
					+ "https, http, ssh, git or file, then ://, then the beginning of host and path");
		}
	}

	/**
	 * Returns whether a remote is on the allow-list. {@code https://} allows no address
	 * and no name of this machine, since these would make the host a client of its own
	 * network.
	 */
	boolean allows(RemoteUrl url) {
		String text = url.text();
		return this.allowedUrls.stream()
			.map(RemotePrefix::of)
			.filter((prefix) -> !prefix.toString().equals(ANY_HTTPS) || !ADDRESS.matcher(text).matches())
			.anyMatch((prefix) -> prefix.matches(text));
	}

	/**
	 * Returns the default options: any available client, remotes over https, no repeated
	 * fetch of the same refs within 30 seconds, all commits, a failure when a remote is
	 * unreachable, and removal of stores after 30 days without a checkout.
	 * @param directory the directory of the stores and checkouts
	 * @return the options
	 */
	public static GitOptions in(Path directory) {
		return new GitOptions(directory, GitClientKind.AUTO, List.of(ANY_HTTPS), Duration.ofSeconds(30), 0,
				OfflineMode.FAIL, GitLimits.DEFAULTS, null, Duration.ofDays(30));
	}

	/**
	 * Returns these options with another client.
	 * @param other the Git implementation
	 * @return the options
	 */
	public GitOptions withClient(GitClientKind other) {
		return new GitOptions(this.directory, other, this.allowedUrls, this.fetchAfter, this.depth, this.offline,
				this.limits, this.author, this.storeIdleTimeout, this.owner);
	}

	/**
	 * Returns these options with another allow-list of remotes.
	 * @param prefixes prefixes of addresses
	 * @return the options
	 */
	public GitOptions withAllowedUrls(String... prefixes) {
		return new GitOptions(this.directory, this.client, List.of(prefixes), this.fetchAfter, this.depth, this.offline,
				this.limits, this.author, this.storeIdleTimeout, this.owner);
	}

	/**
	 * Returns these options with another age of fetches.
	 * @param age maximum age of a fetch that is not repeated for the same refs
	 * @return the options
	 */
	public GitOptions withFetchAfter(Duration age) {
		return new GitOptions(this.directory, this.client, this.allowedUrls, age, this.depth, this.offline, this.limits,
				this.author, this.storeIdleTimeout, this.owner);
	}

	/**
	 * Returns these options with another depth.
	 * @param commits maximum number of commits fetched per branch, 0 for all
	 * @return the options
	 */
	public GitOptions withDepth(int commits) {
		return new GitOptions(this.directory, this.client, this.allowedUrls, this.fetchAfter, commits, this.offline,
				this.limits, this.author, this.storeIdleTimeout, this.owner);
	}

	/**
	 * Returns these options with another behaviour for unreachable remotes.
	 * @param mode the behaviour when a remote is unreachable
	 * @return the options
	 */
	public GitOptions withOffline(OfflineMode mode) {
		return new GitOptions(this.directory, this.client, this.allowedUrls, this.fetchAfter, this.depth, mode,
				this.limits, this.author, this.storeIdleTimeout, this.owner);
	}

	/**
	 * Returns these options with other limits.
	 * @param bounds the limits
	 * @return the options
	 */
	public GitOptions withLimits(GitLimits bounds) {
		return new GitOptions(this.directory, this.client, this.allowedUrls, this.fetchAfter, this.depth, this.offline,
				bounds, this.author, this.storeIdleTimeout, this.owner);
	}

	/**
	 * Returns these options with another author.
	 * @param committer the author of commits, or null for the principal of the workspace
	 * @return the options
	 */
	public GitOptions withAuthor(@Nullable GitAuthor committer) {
		return new GitOptions(this.directory, this.client, this.allowedUrls, this.fetchAfter, this.depth, this.offline,
				this.limits, committer, this.storeIdleTimeout, this.owner);
	}

	/**
	 * Returns these options with another idle timeout of stores.
	 * @param idle time without a checkout before a store is removed; zero keeps stores
	 * @return the options
	 */
	public GitOptions withStoreIdleTimeout(Duration idle) {
		return new GitOptions(this.directory, this.client, this.allowedUrls, this.fetchAfter, this.depth, this.offline,
				this.limits, this.author, idle, this.owner);
	}

	/**
	 * Returns these options with another owner of checkouts.
	 * @param user the user that checkouts are created for, or null for the user of the
	 * application
	 * @return the options
	 */
	public GitOptions withOwner(@Nullable HostUser user) {
		return new GitOptions(this.directory, this.client, this.allowedUrls, this.fetchAfter, this.depth, this.offline,
				this.limits, this.author, this.storeIdleTimeout, user);
	}

}
