package io.kairo.workspace.disk.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

import io.kairo.api.workspace.WorkspaceException;
import io.kairo.workspace.disk.RefusedException;
import io.kairo.workspace.disk.StateDirectory;
import io.kairo.workspace.disk.handle.DirectoryOpener;
import io.kairo.workspace.disk.handle.OpenDirectory;
import io.kairo.workspace.disk.handle.TreeErasure;
import io.kairo.workspace.local.OwnerOnly;

/**
 * A directory with all that is in it that belongs to whoever makes it: made for its owner
 * only, filled from another directory, and removed as a whole. Each directory is opened
 * in the one above, so that no link is followed, not even one that is swapped in
 * meanwhile. The directory that it is in is trusted. For use by one thread at a time.
 *
 * @since 0.1.0
 */
public final class OwnedTree {

	/** How long a removal goes on when others add to the tree: 2 seconds. */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final Path directory;

	private final DirectoryOpener opener;

	/**
	 * Creates the handle of a tree. Nothing is looked at on the disk.
	 * @param directory where it is, or will be; made absolute
	 */
	public OwnedTree(Path directory) {
		this(directory, DirectoryOpener.platform());
	}

	OwnedTree(Path directory, DirectoryOpener opener) {
		this.directory = directory.toAbsolutePath().normalize();
		this.opener = opener;
	}

	/**
	 * Returns where the tree is.
	 * @return an absolute path
	 */
	public Path directory() {
		return this.directory;
	}

	/**
	 * Makes the directory, with mode 0700, and whatever is missing above it.
	 * @throws WorkspaceException if that cannot be done, or something is there already
	 */
	public void create() {
		try {
			new StateDirectory(parent()).create();
			Files.createDirectory(this.directory, OwnerOnly.of(this.directory));
		}
		catch (IOException ex) {
			RefusedException.notWritten(ex).toFailure("A new directory").value();
		}
	}

	/**
	 * Copies what is in another directory. Permissions survive, without setuid and
	 * setgid, and so do times of change. A link is copied as it is. Each name of a file
	 * becomes a file of its own; sockets, FIFOs and devices are left out. Several threads
	 * copy where there is much to do.
	 * @param source the real path of the directory; its own name may be replaced at any
	 * time, those above it are trusted
	 * @param shown what the source is called in a message
	 * @param bounds how much may be copied
	 * @return what was copied
	 * @throws WorkspaceException if there is more than the bounds allow, something cannot
	 * be read, or the disk is full; a part of the copy is there then
	 */
	public CopiedTree fill(Path source, String shown, CopyBounds bounds) {
		try (OpenDirectory opened = this.opener.open(source)) {
			return new TreeFill(opened, this.directory, shown, bounds).fill();
		}
		catch (IOException ex) {
			return RefusedException.failed(ex).<CopiedTree>toFailure(shown).value();
		}
	}

	/**
	 * Removes the directory with all that is in it, if it is there: also what may not be
	 * written, and however deep it is.
	 * @throws IOException if something is left, as others go on adding to it; that has
	 * the name of the directory, or begins with it and a dot
	 */
	public void remove() throws IOException {
		if (!Files.exists(parent())) {
			return;
		}
		try (OpenDirectory home = this.opener.open(parent())) {
			new TreeErasure(home, PATIENCE, TreeErasure::permitByHandleOrPath).erase(this.directory.getFileName());
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
	 * @since 0.1.0
	 */
	public record CopyBounds(long files, long bytes) {

		/**
		 * Creates the value.
		 * @param files maximum number of files, directories and links together, at least
		 * 0
		 * @param bytes maximum sum of the sizes of the files, at least 0
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
	 * @since 0.1.0
	 */
	public record CopiedTree(long files, long bytes, long skipped, CopyMethod method) {

	}

	/**
	 * The method by which the content of a large file is copied.
	 *
	 * @since 0.1.0
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
