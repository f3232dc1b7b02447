package io.kairo.sandbox.docker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.kairo.host.HostUser;
import io.kairo.host.Sha256;
import io.kairo.sandbox.support.mount.HeldDirectory;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Applies what a command changed in the copy of a directory to the directory. The archive
 * is not trusted: nothing outside of the directory is touched, links are created and
 * never followed, devices and named pipes are left out. What was changed in the directory
 * in the meantime stays as it is, and so does what is protected. For use by one thread.
 */
final class RootUpdate {

	private static final int OWNER_READ = 0400;

	private static final int OWNER_ALL = 0700;

	private static final int PERMISSIONS = 0777;

	private static final CopiedEntry.Type[] BY_DELETION = { CopiedEntry.Type.FILE, CopiedEntry.Type.LINK };

	private final RootCopy copy;

	private final HostUser user;

	private final boolean root;

	private final FileChannel staging;

	private final CopyBound bound;

	private final List<String> remarks;

	/** What the archive has, with the hashes of files. */
	private final Map<Path, CopiedEntry> seen = new HashMap<>();

	/**
	 * Creates the update.
	 * @param user the user that owns what is created, if this process can give it away
	 * @param staging a file for the content of one file at a time
	 * @param remarks receives what was not applied, a line each
	 */
	RootUpdate(RootCopy copy, HostUser user, FileChannel staging, CopyBound bound, List<String> remarks) {
		this.copy = copy;
		this.user = user;
		HostUser own = HostUser.current();
		this.root = own != null && own.uid() == 0;
		this.staging = staging;
		this.bound = bound;
		this.remarks = remarks;
	}

	/**
	 * Applies an archive, whose paths begin with the name of the directory.
	 * @throws IOException if the archive cannot be read, is not complete, has a path
	 * twice or one that leads outside, or has too much in it; what comes before that is
	 * applied, and nothing is deleted
	 */
	void apply(InputStream archive) throws IOException {
		ArchiveEnd end = new ArchiveEnd(archive);
		TarArchiveInputStream entries = new TarArchiveInputStream(end, StandardCharsets.UTF_8.name());
		for (TarArchiveEntry header = entries.getNextEntry(); header != null; header = entries.getNextEntry()) {
			Path relative = relative(header.getName());
			this.bound.add(header.isFile() ? header.getSize() : 0,
					header.getName().length() + header.getLinkName().length());
			if (relative != null && !relative.toString().isEmpty() && !this.copy.isKept(relative)) {
				apply(relative, header, entries);
			}
		}
		end.require();
		deleteMissing();
	}

	/**
	 * Returns a path relative to the directory.
	 * @return null if its name is not UTF-8
	 */
	private @Nullable Path relative(String name) throws IOException {
		Path path;
		try {
			path = Path.of(name);
		}
		catch (InvalidPathException ex) {
			return unreadable(name);
		}
		for (Path each : path) {
			if (each.toString().equals("..") || each.toString().equals(".")) {
				throw new IOException("the archive has the path " + name);
			}
		}
		if (path.isAbsolute() || name.isEmpty()) {
			throw new IOException("the archive has the path " + name);
		}
		if (name.indexOf(RootCopy.UNREADABLE) >= 0) {
			return unreadable(name);
		}
		return (path.getNameCount() == 1) ? Path.of("") : path.subpath(1, path.getNameCount());
	}

	private @Nullable Path unreadable(String name) {
		remark(name, "its name is not UTF-8");
		return null;
	}

	private void apply(Path relative, TarArchiveEntry header, InputStream content) throws IOException {
		if (this.seen.containsKey(relative)) {
			throw new IOException("the archive has the path " + relative + " twice");
		}
		CopiedEntry found = entry(relative, header, content);
		this.seen.put(relative, found);
		if (found.type() == CopiedEntry.Type.OTHER) {
			return;
		}
		if (found.type() != CopiedEntry.Type.DIRECTORY && this.copy.isAboveKept(relative)) {
			remark(relative, "something in this directory is protected");
			return;
		}
		try (HeldDirectory parent = HeldDirectory.open(this.copy.source(parent(relative)))) {
			Path path = parent.resolve(relative.getFileName());
			place(relative, path, found);
		}
		catch (IOException ex) {
			remark(relative, message(ex));
		}
	}

	/**
	 * Returns an entry of the archive. Its content is in the staging file afterwards.
	 */
	private CopiedEntry entry(Path relative, TarArchiveEntry header, InputStream content) throws IOException {
		int mode = header.getMode() & PERMISSIONS;
		FileTime modified = header.getLastModifiedTime();
		if (header.isSymbolicLink() && isPath(header.getLinkName())) {
			return entry(CopiedEntry.Type.LINK, PERMISSIONS, modified,
					header.getLinkName().getBytes(StandardCharsets.UTF_8));
		}
		if (header.isLink()) {
			return stageAgain(relative, header.getLinkName());
		}
		if (header.isDirectory()) {
			return entry(CopiedEntry.Type.DIRECTORY, mode, modified, new byte[0]);
		}
		if (isFile(header)) {
			return entry(CopiedEntry.Type.FILE, mode, modified, stage(content));
		}
		return other(relative, "it is neither a file nor a directory, nor a link to a name in UTF-8");
	}

	private static boolean isPath(String name) {
		try {
			return name.indexOf(RootCopy.UNREADABLE) < 0 && !Path.of(name).toString().isEmpty();
		}
		catch (InvalidPathException ex) {
			return false;
		}
	}

	private static boolean isFile(TarArchiveEntry header) {
		return header.isFile() && !header.isSparse() && !header.isSymbolicLink() && !header.isFIFO()
				&& !header.isCharacterDevice() && !header.isBlockDevice();
	}

	private static CopiedEntry entry(CopiedEntry.Type type, int mode, FileTime modified, byte[] content) {
		return new CopiedEntry(type, mode, 0, 0, 0, modified, modified, 0, content);
	}

	private CopiedEntry other(Path relative, String reason) {
		remark(relative, reason);
		return entry(CopiedEntry.Type.OTHER, 0, FileTime.fromMillis(0), new byte[0]);
	}

	private byte[] stage(InputStream content) throws IOException {
		this.staging.truncate(0);
		MessageDigest digest = Sha256.digest();
		byte[] buffer = new byte[1 << 16];
		OutputStream output = Channels.newOutputStream(this.staging.position(0));
		for (int count = content.read(buffer); count > 0; count = content.read(buffer)) {
			digest.update(buffer, 0, count);
			output.write(buffer, 0, count);
		}
		return digest.digest();
	}

	/**
	 * Returns a file or link that the archive had before under another name, with its
	 * content staged. There is none if it was not copied back.
	 */
	private CopiedEntry stageAgain(Path relative, String name) throws IOException {
		Path first = relative(name);
		if (first == null || this.copy.isKept(first)) {
			return other(relative, "it is another name of something that is not copied back");
		}
		CopiedEntry target = this.seen.get(first);
		if (target == null || target.type() == CopiedEntry.Type.DIRECTORY) {
			throw new IOException(
					"the archive has a link from " + relative + " to " + name + ", which is no file in it");
		}
		if (target.type() == CopiedEntry.Type.LINK) {
			return target;
		}
		if (target.type() == CopiedEntry.Type.OTHER) {
			return other(relative, "it is another name of " + first);
		}
		try (HeldDirectory parent = HeldDirectory.open(this.copy.source(parent(first)));
				InputStream content = Files.newInputStream(parent.resolve(first.getFileName()),
						LinkOption.NOFOLLOW_LINKS)) {
			this.bound.add(Files.size(parent.resolve(first.getFileName())), 0);
			if (Arrays.equals(stage(content), target.content())) {
				return target;
			}
		}
		catch (FileSystemException ex) {
			// it was not copied back
		}
		return other(relative, "it is another name of " + first);
	}

	private void place(Path relative, Path path, CopiedEntry found) throws IOException {
		CopiedEntry before = this.copy.entry(relative);
		CopiedEntry now = now(path);
		boolean untouched = (before != null && now != null) ? before.isSame(now) : before == null && now == null;
		if (before != null && isEqual(before, found)) {
			if (untouched) {
				changeAttributes(path, before, found);
			}
			return;
		}
		if (found.type() == CopiedEntry.Type.DIRECTORY && now != null && now.type() == CopiedEntry.Type.DIRECTORY) {
			return;
		}
		if (!untouched) {
			remark(relative, "it was changed in the meantime");
			return;
		}
		if (now != null && now.type() == CopiedEntry.Type.DIRECTORY) {
			deleteTree(relative);
		}
		create(path, found, now != null && Arrays.asList(BY_DELETION).contains(now.type()));
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
		if (found.type() == CopiedEntry.Type.FILE
				&& found.modified().toInstant().getEpochSecond() != before.modified().toInstant().getEpochSecond()) {
			setModified(path, found.modified());
		}
		if (found.type() != CopiedEntry.Type.LINK && found.mode() != before.mode()) {
			setMode(path, found);
		}
	}

	/**
	 * Creates a file, directory or link, or replaces a file or link in one step.
	 */
	private void create(Path path, CopiedEntry found, boolean replaces) throws IOException {
		if (found.type() == CopiedEntry.Type.DIRECTORY) {
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
			if (found.type() == CopiedEntry.Type.LINK) {
				Files.createSymbolicLink(draft, Path.of(new String(found.content(), StandardCharsets.UTF_8)));
				give(draft);
			}
			else {
				fill(draft);
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

	private void fill(Path draft) throws IOException {
		try (FileChannel target = FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
			long size = this.staging.size();
			long position = 0;
			while (position < size) {
				position += this.staging.transferTo(position, size - position, target);
			}
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
	 * Sets permissions, with those that the owner needs to read it.
	 */
	private static void setMode(Path path, CopiedEntry found) throws IOException {
		int mode = found.mode() | ((found.type() == CopiedEntry.Type.DIRECTORY) ? OWNER_ALL : OWNER_READ);
		PosixFilePermission[] all = PosixFilePermission.values();
		Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
		for (int i = 0; i < all.length; i++) {
			if ((mode & OWNER_READ >> i) != 0) {
				permissions.add(all[i]);
			}
		}
		Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
			.setPermissions(permissions);
	}

	/**
	 * Deletes what the archive does not have.
	 */
	private void deleteMissing() {
		delete(this.copy.paths().stream().filter((path) -> !this.seen.containsKey(path) && !isReplaced(path)).toList());
	}

	/**
	 * Returns whether a directory above a path is something else in the archive.
	 */
	private boolean isReplaced(Path relative) {
		for (Path each = relative.getParent(); each != null; each = each.getParent()) {
			CopiedEntry found = this.seen.get(each);
			if (found != null && found.type() != CopiedEntry.Type.DIRECTORY && !this.copy.isAboveKept(each)) {
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
	 * in the archive, and a path is that directory or below it.
	 */
	private boolean isInProtected(Path relative) {
		for (Path each = relative; each != null; each = each.getParent()) {
			CopiedEntry found = this.seen.get(each);
			if (this.copy.isAboveKept(each) && (found == null || found.type() != CopiedEntry.Type.DIRECTORY)) {
				return true;
			}
		}
		return false;
	}

	private void remark(Path relative, String reason) {
		remark(relative.toString(), reason);
	}

	private void remark(String path, String reason) {
		this.remarks.add(path.replaceAll("\\p{Cntrl}", "?") + " was not copied back: " + reason);
	}

	private static Path parent(Path relative) {
		Path parent = relative.getParent();
		return (parent != null) ? parent : Path.of("");
	}

	private static String message(IOException failure) {
		String reason = (failure instanceof FileSystemException known) ? known.getReason() : null;
		return (reason != null) ? reason : failure.getClass().getSimpleName();
	}

}
