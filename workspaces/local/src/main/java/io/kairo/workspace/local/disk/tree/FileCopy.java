package io.kairo.workspace.local.disk.tree;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.disk.RefusedException;

/**
 * Copies single files into a new directory. Safe for use by several threads.
 */
final class FileCopy {

	private static final long CHUNK = 1 << 24;

	private static final Set<StandardOpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

	private final CloneCommand clones;

	/** Whether new files get these permissions if they are created with them. */
	private final ConcurrentMap<Set<PosixFilePermission>, Boolean> unmasked = new ConcurrentHashMap<>();

	FileCopy(CloneCommand clones) {
		this.clones = clones;
	}

	OwnedTree.CopyMethod method() {
		return this.clones.method();
	}

	/**
	 * Copies a file up to the size in its attributes.
	 */
	void write(FileChannel in, BasicFileAttributes attributes, Path target) throws IOException {
		Set<PosixFilePermission> permissions = permissions(attributes);
		if (this.clones.make(in, attributes.size(), attributes.fileKey(), target)) {
			assume(target, attributes);
		}
		else if (!permissions.contains(PosixFilePermission.OWNER_READ)) {
			// the modification time is set by opening the file once more
			transfer(in, attributes.size(), target);
			assume(target, attributes);
		}
		else {
			transfer(in, attributes.size(), target, PosixFilePermissions.asFileAttribute(permissions));
			assumeTimes(target, attributes);
			if (!isUnmasked(permissions, target)) {
				Files.setPosixFilePermissions(target, permissions);
			}
		}
	}

	private static Set<PosixFilePermission> permissions(BasicFileAttributes attributes) {
		return (attributes instanceof PosixFileAttributes posix) ? posix.permissions() : Set.of();
	}

	private static void transfer(FileChannel in, long size, Path target, FileAttribute<?>... created)
			throws IOException {
		try (FileChannel out = FileChannel.open(target, NEW, created)) {
			for (long position = 0, count = 1; count > 0 && position < size; position += count) {
				count = in.transferTo(position, Math.min(CHUNK, size - position), out);
			}
		}
	}

	/**
	 * Returns whether new files get all of some permissions, as of the first of them: the
	 * umask and the access control list of the new directory apply to all alike.
	 */
	private boolean isUnmasked(Set<PosixFilePermission> permissions, Path created) throws IOException {
		Boolean known = this.unmasked.get(permissions);
		if (known == null) {
			known = Files.getPosixFilePermissions(created).equals(permissions);
			this.unmasked.put(permissions, known);
		}
		return known;
	}

	/**
	 * Gives a copy the modification time and the permissions of the original.
	 */
	static void assume(Path copy, BasicFileAttributes like) throws IOException {
		assumeTimes(copy, like);
		if (like instanceof PosixFileAttributes posix) {
			Files.setPosixFilePermissions(copy, posix.permissions());
		}
	}

	private static void assumeTimes(Path copy, BasicFileAttributes like) throws IOException {
		Files.getFileAttributeView(copy, BasicFileAttributeView.class)
			.setTimes(like.lastModifiedTime(), like.lastModifiedTime(), null);
	}

	static RefusedException unreadable(String path, IOException cause) {
		RefusedException failed = RefusedException.failed(cause);
		return RefusedException.of(failed.code(), "cannot be copied, as "
				+ WorkspacePath.quote(path.isEmpty() ? "." : path.substring(1)) + " in it " + failed.reason());
	}

}
