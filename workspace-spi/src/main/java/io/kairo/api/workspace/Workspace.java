package io.kairo.api.workspace;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The location of an agent's files. Implementations are immutable or safe for use by
 * several threads.
 */
public interface Workspace {

	/**
	 * Returns the workspace of the JVM's current directory, with the id
	 * {@code local:<root>}.
	 * @return a new workspace of kind {@link WorkspaceKind#LOCAL}
	 */
	static Workspace cwd() {
		return new CurrentDirectoryWorkspace(Path.of("").toAbsolutePath().normalize());
	}

	/**
	 * Returns the id of this workspace.
	 * @return the id, unique within its provider
	 */
	String id();

	/**
	 * Returns the primary root. Relative paths are resolved against it.
	 * @return an absolute, normalised path, valid until the workspace is released; only a
	 * name if {@link #onDisk()} is false
	 */
	Path root();

	/**
	 * Returns the kind of this workspace.
	 * @return the kind
	 */
	WorkspaceKind kind();

	/**
	 * Returns metadata that depend on the provider, such as {@code git.commit}.
	 * @return an unmodifiable map, without secrets
	 */
	Map<String, String> metadata();

	/**
	 * Returns the directories of this workspace: the primary root first, then the added
	 * ones, without duplicates. The list may grow between two calls.
	 * @return at least {@link #root()}
	 */
	default List<Path> roots() {
		return List.of(root());
	}

	/**
	 * Returns other names of the roots, such as the symbolic link that was configured for
	 * one. Paths may begin with either, and commands see the directory at both.
	 * @return the roots by their other names: absolute, normalised paths that are not
	 * inside a root
	 */
	default Map<Path, Path> rootAliases() {
		return Map.of();
	}

	/**
	 * Returns directories outside of the roots that commands in this workspace need to
	 * read, such as the objects borrowed by a checkout. A confined command sees them at
	 * these paths and cannot change them; file tools do not see them.
	 * @return absolute, normalised paths of existing directories, with no content that
	 * must be hidden from this workspace
	 */
	default List<Path> borrowedDirectories() {
		return List.of();
	}

	/**
	 * Returns whether the files of this workspace may be changed. This is enforced by the
	 * store for file tools and by the sandbox for commands.
	 * @return false for a read-only workspace
	 */
	default boolean writable() {
		return true;
	}

	/**
	 * Returns whether {@link #root()} is a directory of this machine, so that commands
	 * can run in it.
	 * @return false if the files are stored elsewhere
	 */
	default boolean onDisk() {
		return true;
	}

	/**
	 * Returns the version control behind this workspace.
	 * @return the history, null if there is none
	 */
	default @Nullable WorkspaceHistory history() {
		return null;
	}

	/**
	 * Returns the remote storage that the files of this workspace are written back to.
	 * @return the remote storage, null if the files are in their place already
	 */
	default @Nullable WorkspaceSync sync() {
		return null;
	}

}
