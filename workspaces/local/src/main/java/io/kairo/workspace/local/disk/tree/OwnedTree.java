package io.kairo.workspace.local.disk.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;

import io.kairo.host.HostUser;
import io.kairo.host.OwnerOnly;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.workspace.local.disk.RefusedException;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.disk.handle.TreeRemoval;
import org.jspecify.annotations.Nullable;

/**
 * A directory tree owned by its creator: created with access for its owner only, filled
 * from another directory, and removed as a whole. Each directory is opened in the one
 * above, so that no link is followed, not even one that is swapped in meanwhile. The
 * directory that contains the tree is trusted. For use by one thread at a time.
 */
public final class OwnedTree {

	private final Path directory;

	private final DirectoryOpener opener;

	/**
	 * Creates the handle of a tree. The disk is not accessed.
	 * @param directory the directory, whether it exists or not; made absolute
	 */
	public OwnedTree(Path directory) {
		this(directory, DirectoryOpener.platform());
	}

	OwnedTree(Path directory, DirectoryOpener opener) {
		this.directory = directory.toAbsolutePath().normalize();
		this.opener = opener;
	}

	/**
	 * Returns the directory of the tree.
	 * @return an absolute path
	 */
	public Path directory() {
		return this.directory;
	}

	/**
	 * Gives the directory with everything in it to a user, and lets that user pass
	 * through the directory above.
	 * @param user the user
	 * @throws WorkspaceException if this process may not do so
	 */
	public void giveTo(HostUser user) {
		try {
			HostUser.letPass(parent());
			user.ownTree(this.directory);
		}
		catch (IOException ex) {
			RefusedException.notWritten(ex).toFailure("A new directory").value();
		}
	}

	/**
	 * Creates the directory, with mode 0700, and the missing directories above it.
	 * @throws WorkspaceException if it cannot be created, or exists already
	 */
	public void create() {
		try {
			OwnerOnly.createDirectory(parent());
			Files.createDirectory(this.directory, OwnerOnly.directory(this.directory));
		}
		catch (IOException ex) {
			RefusedException.notWritten(ex).toFailure("A new directory").value();
		}
	}

	/**
	 * Copies the content of another directory. Permissions, except setuid and setgid, and
	 * modification times are kept. A link is copied as it is. Each hard link becomes a
	 * file of its own; sockets, FIFOs and devices are skipped. Large trees are copied by
	 * several threads.
	 * @param source the real path of the directory; it may be replaced at any time, but
	 * the directories above it are trusted
	 * @param shown the name of the source in messages
	 * @param bounds the upper bounds of the copy
	 * @return the numbers of copied entries and bytes
	 * @throws WorkspaceException if a bound is exceeded, an entry cannot be read, or the
	 * disk is full; the copy is then incomplete
	 */
	public CopiedTree fill(Path source, String shown, CopyBounds bounds) {
		return fill(source, shown, bounds, null);
	}

	/**
	 * Copies the content of another directory as {@link #fill(Path, String, CopyBounds)}
	 * does, without the entries that this process may not read.
	 * @param source the real path of the directory, which this process may read
	 * @param shown the name of the source in messages
	 * @param bounds the upper bounds of the copy
	 * @param leftOut receives the path of each file and directory that is left out, from
	 * the source, with slashes; called by several threads. Null to fail instead
	 * @return the numbers of copied entries and bytes
	 * @throws WorkspaceException if a bound is exceeded, an entry cannot be read for
	 * another reason, or the disk is full; the copy is then incomplete
	 */
	public CopiedTree fill(Path source, String shown, CopyBounds bounds, @Nullable Consumer<String> leftOut) {
		try (OpenDirectory opened = this.opener.open(source)) {
			return new TreeFill(opened, this.directory, shown, bounds, leftOut, this.opener::start).fill();
		}
		catch (IOException ex) {
			return RefusedException.failed(ex).<CopiedTree>toFailure(shown).value();
		}
	}

	/**
	 * Removes the directory with everything in it, if it exists: also read-only entries,
	 * to any depth.
	 * @throws IOException if a part remains, as other processes keep adding to it; its
	 * name is the directory's, or begins with it and a dot
	 */
	public void remove() throws IOException {
		if (!Files.exists(parent())) {
			return;
		}
		try (OpenDirectory home = this.opener.open(parent())) {
			TreeRemoval.removeUnused(home, this.directory.getFileName());
		}
	}

	private Path parent() {
		return Objects.requireNonNull(this.directory.getParent(), "a tree is in a directory");
	}

	/**
	 * Upper bounds for a copy of a directory. Immutable.
	 *
	 * @param files maximum number of files, directories and links together, at least 0
	 * @param bytes maximum sum of the sizes of the files, at least 0
	 */
	public record CopyBounds(long files, long bytes) {

		/**
		 * Creates the value.
		 * @throws IllegalArgumentException if one of them is negative
		 */
		public CopyBounds {
			if (files < 0 || bytes < 0) {
				throw new IllegalArgumentException(
						"Bounds of " + bytes + " bytes in " + files + " files are negative: give 0 or more");
			}
		}

	}

	/**
	 * The result of copying a directory. Immutable.
	 *
	 * @param files number of files, directories and links copied
	 * @param bytes sum of the sizes of the files
	 * @param skipped number of sockets, FIFOs and devices left out
	 * @param method how large files were copied
	 */
	public record CopiedTree(long files, long bytes, long skipped, CopyMethod method) {

	}

	/**
	 * The method of copying the content of a large file.
	 */
	public enum CopyMethod {

		/** Both files share blocks of the disk until one of them is changed. */
		CLONE,

		/** Each file has its own blocks. */
		COPY;

		/**
		 * Returns the method as it is written in metadata.
		 * @return the name in lower case
		 */
		public String code() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
