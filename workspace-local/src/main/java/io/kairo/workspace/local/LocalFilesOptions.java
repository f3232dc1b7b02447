package io.kairo.workspace.local;

import java.nio.file.Path;

import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.disk.LocalWorkspaceFilesFactory;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link LocalWorkspaceFilesFactory} applies to every workspace. Immutable.
 *
 * @param pathPolicy which spellings of a path are accepted
 * @param writePolicy what may be written, where the workspace is writable at all
 * @param stateDirectory where the store keeps what is its own; hidden where it lies
 * inside a root, and null if there is none
 * @param nameMatching which entry a name means
 * @since 0.1.0
 */
public record LocalFilesOptions(PathPolicy pathPolicy, WritePolicy writePolicy, @Nullable Path stateDirectory,
		NameMatching nameMatching) {

	/**
	 * {@link PathPolicy#ROOTS}, everything may be written, no state directory, names as
	 * the file system has them.
	 */
	public static final LocalFilesOptions DEFAULTS = new LocalFilesOptions(PathPolicy.ROOTS, WritePolicy.ALLOW_ALL,
			null);

	/**
	 * Creates options with {@link NameMatching#FILE_SYSTEM}.
	 * @param pathPolicy which spellings of a path are accepted
	 * @param writePolicy what may be written, where the workspace is writable at all
	 * @param stateDirectory where the store keeps what is its own, may be null
	 */
	public LocalFilesOptions(PathPolicy pathPolicy, WritePolicy writePolicy, @Nullable Path stateDirectory) {
		this(pathPolicy, writePolicy, stateDirectory, NameMatching.FILE_SYSTEM);
	}

	/**
	 * Returns these options with another path policy.
	 * @param policy which spellings of a path are accepted
	 * @return the options
	 */
	public LocalFilesOptions withPathPolicy(PathPolicy policy) {
		return new LocalFilesOptions(policy, this.writePolicy, this.stateDirectory, this.nameMatching);
	}

	/**
	 * Returns these options with another write policy.
	 * @param policy what may be written
	 * @return the options
	 */
	public LocalFilesOptions withWritePolicy(WritePolicy policy) {
		return new LocalFilesOptions(this.pathPolicy, policy, this.stateDirectory, this.nameMatching);
	}

	/**
	 * Returns these options with another state directory.
	 * @param directory where the store keeps what is its own, may be null
	 * @return the options
	 */
	public LocalFilesOptions withStateDirectory(@Nullable Path directory) {
		return new LocalFilesOptions(this.pathPolicy, this.writePolicy, directory, this.nameMatching);
	}

	/**
	 * Returns these options with another way to find entries by their names.
	 * @param matching which entry a name means
	 * @return the options
	 */
	public LocalFilesOptions withNameMatching(NameMatching matching) {
		return new LocalFilesOptions(this.pathPolicy, this.writePolicy, this.stateDirectory, matching);
	}

}
