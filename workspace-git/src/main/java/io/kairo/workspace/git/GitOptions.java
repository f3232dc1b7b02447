package io.kairo.workspace.git;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link GitWorkspaceProvider} does. Immutable.
 *
 * @param directory where stores and checkouts are kept; made when it is needed, for its
 * owner only
 * @param client which program does the work
 * @param allowedUrls how the address of a remote may begin, as
 * {@code https://git.example.org/team/}; it ends at a slash of the address
 * @param fetchAfter a fetch that is younger is not repeated; zero fetches each time
 * @param depth how many commits of each branch are fetched, 0 for all
 * @param offline what happens when a remote does not answer
 * @param limits the bounds
 * @param author who commits; null names the principal of the workspace
 * @param storeIdleTimeout after how long without a checkout what was fetched of a remote
 * is removed; zero keeps it
 * @since 0.1.0
 */
public record GitOptions(Path directory, GitClientKind client, List<String> allowedUrls, Duration fetchAfter, int depth,
		OfflineMode offline, GitLimits limits, @Nullable GitAuthor author, Duration storeIdleTimeout) {

	/**
	 * Creates the value.
	 * @param directory where stores and checkouts are kept
	 * @param client which program does the work
	 * @param allowedUrls how the address of a remote may begin
	 * @param fetchAfter a fetch that is younger is not repeated
	 * @param depth how many commits of each branch are fetched, 0 for all
	 * @param offline what happens when a remote does not answer
	 * @param limits the bounds
	 * @param author who commits; null names the principal of the workspace
	 * @param storeIdleTimeout after how long without a checkout what was fetched of a
	 * remote is removed; zero keeps it
	 * @throws IllegalArgumentException if one of the addresses cannot begin that of a
	 * remote, or a number is below zero
	 */
	public GitOptions {
		Objects.requireNonNull(client, "client");
		Objects.requireNonNull(offline, "offline");
		Objects.requireNonNull(limits, "limits");
		directory = directory.toAbsolutePath().normalize();
		allowedUrls = List.copyOf(allowedUrls);
		allowedUrls.forEach(AllowedUrls::requirePrefix);
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
	 * Returns the defaults: whatever client there is, remotes over https, a fetch at most
	 * every 30 seconds, all commits, no answer is a failure, and what nobody has used for
	 * 30 days is fetched anew.
	 * @param directory where stores and checkouts are kept
	 * @return the options
	 */
	public static GitOptions in(Path directory) {
		return new GitOptions(directory, GitClientKind.AUTO, List.of("https://"), Duration.ofSeconds(30), 0,
				OfflineMode.FAIL, GitLimits.DEFAULTS, null, Duration.ofDays(30));
	}

	/**
	 * Returns these options with another client.
	 * @param other which program does the work
	 * @return the options
	 */
	public GitOptions withClient(GitClientKind other) {
		return new GitOptions(this.directory, other, this.allowedUrls, this.fetchAfter, this.depth, this.offline,
				this.limits, this.author, this.storeIdleTimeout);
	}

	/**
	 * Returns these options with other remotes.
	 * @param prefixes how the address of a remote may begin
	 * @return the options
	 */
	public GitOptions withAllowedUrls(String... prefixes) {
		return new GitOptions(this.directory, this.client, List.of(prefixes), this.fetchAfter, this.depth, this.offline,
				this.limits, this.author, this.storeIdleTimeout);
	}

	/**
	 * Returns these options with another time between fetches.
	 * @param age a fetch that is younger is not repeated
	 * @return the options
	 */
	public GitOptions withFetchAfter(Duration age) {
		return new GitOptions(this.directory, this.client, this.allowedUrls, age, this.depth, this.offline, this.limits,
				this.author, this.storeIdleTimeout);
	}

	/**
	 * Returns these options with another depth.
	 * @param commits how many commits of each branch are fetched, 0 for all
	 * @return the options
	 */
	public GitOptions withDepth(int commits) {
		return new GitOptions(this.directory, this.client, this.allowedUrls, this.fetchAfter, commits, this.offline,
				this.limits, this.author, this.storeIdleTimeout);
	}

	/**
	 * Returns these options with another answer to silence.
	 * @param mode what happens when a remote does not answer
	 * @return the options
	 */
	public GitOptions withOffline(OfflineMode mode) {
		return new GitOptions(this.directory, this.client, this.allowedUrls, this.fetchAfter, this.depth, mode,
				this.limits, this.author, this.storeIdleTimeout);
	}

	/**
	 * Returns these options with other bounds.
	 * @param bounds the bounds
	 * @return the options
	 */
	public GitOptions withLimits(GitLimits bounds) {
		return new GitOptions(this.directory, this.client, this.allowedUrls, this.fetchAfter, this.depth, this.offline,
				bounds, this.author, this.storeIdleTimeout);
	}

	/**
	 * Returns these options with another author.
	 * @param committer who commits; null names the principal of the workspace
	 * @return the options
	 */
	public GitOptions withAuthor(@Nullable GitAuthor committer) {
		return new GitOptions(this.directory, this.client, this.allowedUrls, this.fetchAfter, this.depth, this.offline,
				this.limits, committer, this.storeIdleTimeout);
	}

	/**
	 * Returns these options with another time after which stores go.
	 * @param idle how long nobody has used one; zero keeps all of them
	 * @return the options
	 */
	public GitOptions withStoreIdleTimeout(Duration idle) {
		return new GitOptions(this.directory, this.client, this.allowedUrls, this.fetchAfter, this.depth, this.offline,
				this.limits, this.author, idle);
	}

}
