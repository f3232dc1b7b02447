package io.kairo.sandbox.support.copy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.kairo.api.workspace.FileType;
import io.kairo.host.HostUser;
import io.kairo.sandbox.support.mount.HeldDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Applies the changes of a command in the copy of a directory to the directory. The
 * returned entries are not trusted: nothing outside of the directory is touched, links
 * are created and never followed, devices and named pipes are left out. Entries of the
 * directory that were changed in the meantime, or are protected, stay as they are. For
 * use by one thread.
 */
public final class RootUpdate {

	private static final String NO_SPACE = "No space left on device";

	private static final int OWNER_READ = 0400;

	private static final int OWNER_ALL = 0700;

	private static final FileType[] BY_DELETION = { FileType.FILE, FileType.LINK };

	private final RootCopy copy;

	private final HostUser user;

	private final boolean root;

	private final CopyRemarks remarks;

	/** The entries of the copy, with the hashes of files. */
	private final Map<Path, CopiedEntry> seen = new HashMap<>();

	/**
	 * Creates the update.
	 * @param copy the copy of the directory
	 * @param user the owner of created entries, if this process can give them away
	 * @param remarks receives the changes that were not applied
	 */
	public RootUpdate(RootCopy copy, HostUser user, CopyRemarks remarks) {
		this.copy = copy;
		this.user = user;
		HostUser own = HostUser.current();
		this.root = own != null && own.uid() == 0;
		this.remarks = remarks;
	}

	/**
	 * Takes note that the copy has an entry as it was copied.
	 * @param relative one of the {@linkplain RootCopy#paths() paths} of the copy
	 */
	public void keep(Path relative) {
		CopiedEntry before = this.copy.entry(relative);
		if (before != null) {
			this.seen.put(relative, before);
		}
	}

	/**
	 * Returns the entry of the copy at a path, as far as it was told.
	 * @param relative a path relative to the root
	 * @return the entry, or null
	 */
	public @Nullable CopiedEntry found(Path relative) {
		return this.seen.get(relative);
	}

	/**
	 * Applies an entry that the copy has. A directory comes before everything in it.
	 * @param relative a path relative to the root, without {@code ..}
	 * @param found the entry, with the hash of a file
	 * @param content the content of a file
	 */
	public void apply(Path relative, CopiedEntry found, Content content) {
		if (this.copy.isKept(relative)) {
			return;
		}
		this.seen.put(relative, found);
		if (found.type() == FileType.OTHER) {
			return;
		}
		if (found.type() != FileType.DIRECTORY && this.copy.isAboveKept(relative)) {
			remark(relative, "something in this directory is protected");
			return;
		}
		try (HeldDirectory parent = HeldDirectory.open(this.copy.source(parent(relative)))) {
			Path path = parent.resolve(relative.getFileName());
			place(relative, path, found, content);
		}
		catch (IOException ex) {
			remark(relative, message(ex));
		}
	}

	/**
	 * Deletes the entries that the copy does not have anymore. Called after everything
	 * that it has was {@linkplain #apply applied} or {@linkplain #keep kept}.
	 */
	public void finish() {
		delete(this.copy.paths().stream().filter((path) -> !this.seen.containsKey(path) && !isReplaced(path)).toList());
	}

	private void place(Path relative, Path path, CopiedEntry found, Content content) throws IOException {
		CopiedEntry before = this.copy.entry(relative);
		CopiedEntry now = now(path);
		boolean untouched = (before != null && now != null) ? before.isSame(now) : before == null && now == null;
		if (before != null && isEqual(before, found)) {
			if (untouched) {
				changeAttributes(path, before, found);
			}
			return;
		}
		if (found.type() == FileType.DIRECTORY && now != null && now.type() == FileType.DIRECTORY) {
			return;
		}
		if (!untouched) {
			remark(relative, "it was changed in the meantime");
			return;
		}
		if (now != null && now.type() == FileType.DIRECTORY) {
			deleteTree(relative);
		}
		create(path, found, content, now != null && Arrays.asList(BY_DELETION).contains(now.type()));
	}

	private static boolean isEqual(CopiedEntry before, CopiedEntry found) {
		return before.type() == found.type() && Arrays.equals(before.content(), found.content());
	}

	private static @Nullable CopiedEntry now(Path path) throws IOException {
		try {
			return CopiedEntry.of(path);
		}
		catch (NoSuchFileException ex) {
			return null;
		}
	}

	private static void changeAttributes(Path path, CopiedEntry before, CopiedEntry found) throws IOException {
		if (found.type() == FileType.FILE
				&& found.modified().toInstant().getEpochSecond() != before.modified().toInstant().getEpochSecond()) {
			setModified(path, found.modified());
		}
		if (found.type() != FileType.LINK && found.mode() != before.mode()) {
			setMode(path, found);
		}
	}

	/**
	 * Creates a file, directory or link, or replaces a file or link in one step.
	 */
	private void create(Path path, CopiedEntry found, Content content, boolean replaces) throws IOException {
		if (found.type() == FileType.DIRECTORY) {
			if (replaces) {
				Files.delete(path);
			}
			Files.createDirectory(path);
			give(path);
			setMode(path, found);
			return;
		}
		Path draft = path.resolveSibling(".kairo-" + UUID.randomUUID().toString().replace("-", ""));
		try {
			if (found.type() == FileType.LINK) {
				Files.createSymbolicLink(draft, Path.of(new String(found.content(), StandardCharsets.UTF_8)));
				give(draft);
			}
			else {
				fill(draft, content);
				give(draft);
				setModified(draft, found.modified());
				setMode(draft, found);
			}
			Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException | RuntimeException ex) {
			Files.deleteIfExists(draft);
			throw ex;
		}
	}

	private static void fill(Path draft, Content content) throws IOException {
		try (FileChannel target = FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
			content.writeTo(target);
		}
	}

	private void give(Path path) throws IOException {
		if (this.root) {
			this.user.own(path);
		}
	}

	private static void setModified(Path path, FileTime time) throws IOException {
		Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
			.setTimes(time, null, null);
	}

	/**
	 * Sets permissions, including the ones that the owner needs to read it.
	 */
	private static void setMode(Path path, CopiedEntry found) throws IOException {
		int mode = found.mode() | ((found.type() == FileType.DIRECTORY) ? OWNER_ALL : OWNER_READ);
		Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
			.setPermissions(CopiedEntry.permissions(mode));
	}

	/**
	 * Returns whether a directory above a path has become something else.
	 */
	private boolean isReplaced(Path relative) {
		for (Path each = relative.getParent(); each != null; each = each.getParent()) {
			CopiedEntry found = this.seen.get(each);
			if (found != null && found.type() != FileType.DIRECTORY && !this.copy.isAboveKept(each)) {
				return true;
			}
		}
		return false;
	}

	private void deleteTree(Path directory) {
		delete(this.copy.paths().stream().filter((path) -> path.startsWith(directory)).toList());
	}

	/**
	 * Deletes files and directories, the inner ones first.
	 */
	private void delete(List<Path> paths) {
		paths.stream().sorted(Comparator.comparingInt(Path::getNameCount).reversed()).forEach((path) -> {
			try {
				delete(path);
			}
			catch (NoSuchFileException ex) {
				// it was deleted in the meantime
			}
			catch (IOException ex) {
				remark(path, message(ex));
			}
		});
	}

	private void delete(Path relative) throws IOException {
		CopiedEntry before = this.copy.entry(relative);
		if (isInProtected(relative)) {
			if (this.copy.isAboveKept(relative)) {
				remark(relative, "something in this directory is protected");
			}
			return;
		}
		try (HeldDirectory parent = HeldDirectory.open(this.copy.source(parent(relative)))) {
			Path path = parent.resolve(relative.getFileName());
			CopiedEntry now = now(path);
			if (now == null) {
				return;
			}
			if (before == null || !before.isSame(now)) {
				remark(relative, "it was changed in the meantime");
				return;
			}
			Files.delete(path);
		}
		catch (DirectoryNotEmptyException ex) {
			remark(relative, "something was added to this directory in the meantime");
		}
	}

	/**
	 * Returns whether a directory that has something protected in it is not a directory
	 * anymore, and a path is that directory or below it.
	 */
	private boolean isInProtected(Path relative) {
		for (Path each = relative; each != null; each = each.getParent()) {
			CopiedEntry found = this.seen.get(each);
			if (this.copy.isAboveKept(each) && (found == null || found.type() != FileType.DIRECTORY)) {
				return true;
			}
		}
		return false;
	}

	private void remark(Path relative, String reason) {
		this.remarks.add(relative.toString(), reason);
	}

	private static Path parent(Path relative) {
		Path parent = relative.getParent();
		return (parent != null) ? parent : Path.of("");
	}

	/**
	 * Returns the reason of a failure without the path on the host. That of a write to an
	 * open file has no path.
	 */
	private static String message(IOException failure) {
		String reason = (failure instanceof FileSystemException known) ? known.getReason()
				: (NO_SPACE.equals(failure.getMessage()) ? NO_SPACE : null);
		return (reason != null) ? reason : failure.getClass().getSimpleName();
	}

	/**
	 * The content of a file.
	 */
	@FunctionalInterface
	public interface Content {

		/**
		 * Writes the content.
		 * @param target an empty file
		 * @throws IOException if that fails
		 */
		void writeTo(FileChannel target) throws IOException;

	}

}
