package io.kairo.workspace.local;

import java.nio.file.Path;

import io.kairo.host.HostUser;
import io.kairo.api.workspace.WritePolicy;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory}. They
 * apply to every workspace. Immutable.
 *
 * @param pathPolicy the accepted spellings of paths
 * @param writePolicy the paths that may be written in writable workspaces
 * @param stateDirectory the directory for the state of the store, hidden where it lies
 * inside a root; null for no state
 * @param nameMatching the rule for matching names to entries
 * @param owner the user that the directories of workspaces are created for by an
 * application that runs as root; null for the user of the application
 * @param nativeCalls whether to open files by direct system calls of Linux where the JVM
 * can: on Java 22 or newer
 */
public record LocalFilesOptions(PathPolicy pathPolicy, WritePolicy writePolicy, @Nullable Path stateDirectory,
		NameMatching nameMatching, @Nullable HostUser owner, boolean nativeCalls) {

	/**
	 * {@link PathPolicy#ROOTS}, all paths writable, no state directory,
	 * {@link NameMatching#BY_PATH_POLICY}, direct system calls.
	 */
	public static final LocalFilesOptions DEFAULTS = new LocalFilesOptions(PathPolicy.ROOTS, WritePolicy.ALLOW_ALL,
			null);

	/**
	 * Creates options with {@link NameMatching#BY_PATH_POLICY}.
	 * @param pathPolicy the accepted spellings of paths
	 * @param writePolicy the paths that may be written in writable workspaces
	 * @param stateDirectory the directory for the state of the store, may be null
	 */
	public LocalFilesOptions(PathPolicy pathPolicy, WritePolicy writePolicy, @Nullable Path stateDirectory) {
		this(pathPolicy, writePolicy, stateDirectory, NameMatching.BY_PATH_POLICY, null);
	}

	/**
	 * Creates options for the user of the application.
	 * @param pathPolicy the accepted spellings of paths
	 * @param writePolicy the paths that may be written in writable workspaces
	 * @param stateDirectory the directory for the state of the store, may be null
	 * @param nameMatching the rule for matching names to entries
	 */
	public LocalFilesOptions(PathPolicy pathPolicy, WritePolicy writePolicy, @Nullable Path stateDirectory,
			NameMatching nameMatching) {
		this(pathPolicy, writePolicy, stateDirectory, nameMatching, null);
	}

	/**
	 * Creates options with direct system calls.
	 * @param pathPolicy the accepted spellings of paths
	 * @param writePolicy the paths that may be written in writable workspaces
	 * @param stateDirectory the directory for the state of the store, may be null
	 * @param nameMatching the rule for matching names to entries
	 * @param owner the user that directories are created for, or null for the user of the
	 * application
	 */
	public LocalFilesOptions(PathPolicy pathPolicy, WritePolicy writePolicy, @Nullable Path stateDirectory,
			NameMatching nameMatching, @Nullable HostUser owner) {
		this(pathPolicy, writePolicy, stateDirectory, nameMatching, owner, true);
	}

	/**
	 * Returns the rule for matching names to entries under the path policy.
	 * @return {@link NameMatching#FILE_SYSTEM} or {@link NameMatching#CASE_INSENSITIVE}
	 */
	@Override
	public NameMatching nameMatching() {
		return this.nameMatching.under(this.pathPolicy);
	}

	/**
	 * Returns these options with another path policy.
	 * @param policy the accepted spellings of paths
	 * @return the options
	 */
	public LocalFilesOptions withPathPolicy(PathPolicy policy) {
		return new LocalFilesOptions(policy, this.writePolicy, this.stateDirectory, this.nameMatching, this.owner,
				this.nativeCalls);
	}

	/**
	 * Returns these options with another write policy.
	 * @param policy the paths that may be written
	 * @return the options
	 */
	public LocalFilesOptions withWritePolicy(WritePolicy policy) {
		return new LocalFilesOptions(this.pathPolicy, policy, this.stateDirectory, this.nameMatching, this.owner,
				this.nativeCalls);
	}

	/**
	 * Returns these options with another state directory.
	 * @param directory the directory for the state of the store, may be null
	 * @return the options
	 */
	public LocalFilesOptions withStateDirectory(@Nullable Path directory) {
		return new LocalFilesOptions(this.pathPolicy, this.writePolicy, directory, this.nameMatching, this.owner,
				this.nativeCalls);
	}

	/**
	 * Returns these options with another name matching.
	 * @param matching the rule for matching names to entries
	 * @return the options
	 */
	public LocalFilesOptions withNameMatching(NameMatching matching) {
		return new LocalFilesOptions(this.pathPolicy, this.writePolicy, this.stateDirectory, matching, this.owner,
				this.nativeCalls);
	}

	/**
	 * Returns these options with another owner of directories.
	 * @param user the user that directories are created for, or null for the user of the
	 * application
	 * @return the options
	 */
	public LocalFilesOptions withOwner(@Nullable HostUser user) {
		return new LocalFilesOptions(this.pathPolicy, this.writePolicy, this.stateDirectory, this.nameMatching, user,
				this.nativeCalls);
	}

	/**
	 * Returns these options with or without direct system calls.
	 * @param used whether to make them where the JVM can
	 * @return the options
	 */
	public LocalFilesOptions withNativeCalls(boolean used) {
		return new LocalFilesOptions(this.pathPolicy, this.writePolicy, this.stateDirectory, this.nameMatching,
				this.owner, used);
	}

}
