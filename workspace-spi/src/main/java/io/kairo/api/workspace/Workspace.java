package io.kairo.api.workspace;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A place where an agent's files are. Implementations are immutable or safe for use by
 * several threads.
 *
 * @since 0.1.0
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
	 * Returns the id under which the provider knows this workspace.
	 * @return the id, unique within its provider
	 */
	String id();

	/**
	 * Returns the primary root: relative paths start here.
	 * @return an absolute, normalised path, valid until the workspace is released; only a
	 * name where {@link #onDisk()} is false
	 */
	Path root();

	/**
	 * Returns what backs this workspace.
	 * @return the kind
	 */
	WorkspaceKind kind();

	/**
	 * Returns labels that depend on the provider, such as {@code git.commit}.
	 * @return an unmodifiable map, never with a secret in it
	 */
	Map<String, String> metadata();

	/**
	 * Returns every directory that belongs to this workspace: the primary root first,
	 * then the added ones, without duplicates. The list may grow between two calls.
	 * @return at least {@link #root()}
	 * @since 0.1.0
	 */
	default List<Path> roots() {
		return List.of(root());
	}

	/**
	 * Returns directories outside of the roots that commands in this workspace have to
	 * read, such as the objects that a checkout borrows. A confined command sees them at
	 * these paths and cannot change them; file tools do not see them.
	 * @return absolute, normalised paths of directories that are there now, with nothing
	 * below that this workspace may not know
	 * @since 0.1.0
	 */
	default List<Path> borrowedDirectories() {
		return List.of();
	}

	/**
	 * Returns whether files of this workspace may be changed. Enforced for file tools by
	 * the store and for commands by the sandbox.
	 * @return false for a read-only workspace
	 * @since 0.1.0
	 */
	default boolean writable() {
		return true;
	}

	/**
	 * Returns whether {@link #root()} is a directory of this machine, so that commands
	 * can run in it.
	 * @return false when the files live elsewhere
	 * @since 0.1.0
	 */
	default boolean onDisk() {
		return true;
	}

	/**
	 * Returns the version control behind this workspace.
	 * @return the history, null where there is none
	 * @since 0.1.0
	 */
	default @Nullable WorkspaceHistory history() {
		return null;
	}

}
