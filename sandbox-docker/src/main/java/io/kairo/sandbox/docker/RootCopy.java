package io.kairo.sandbox.docker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.host.Sha256;
import io.kairo.sandbox.support.mount.HeldDirectory;
import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.mount.Root;
import io.kairo.sandbox.support.mount.Roots;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.jspecify.annotations.Nullable;

/**
 * The copy of a directory of the host in a container, and what the directory had in it
 * when it was copied. A protected path is copied as a file or directory of root without
 * write permissions, a hidden directory as an empty one. Named pipes, sockets, devices
 * and names that are not UTF-8 are not copied. For use by one thread.
 */
final class RootCopy {

	/** Replaces what is not UTF-8. */
	static final char UNREADABLE = '\ufffd';

	private static final int OWNER_SHIFT = 6;

	private final Root root;

	private final Map<Path, MountPlan.Kind> kept = new HashMap<>();

	private final Set<Path> above = new HashSet<>();

	private final Map<Path, CopiedEntry> entries = new HashMap<>();

	/**
	 * Creates the copy of a directory. Does not access the disk.
	 * @param root the directory
	 * @param roots the directories of the command, which can be inside of each other
	 * @param plan the protected paths and the hidden directories
	 */
	RootCopy(Root root, Roots roots, MountPlan plan) {
		this.root = root;
		for (MountPlan.Entry entry : plan.entries()) {
			boolean isRoot = roots.targets().contains(entry.target());
			if (entry.target().startsWith(root.target()) && !entry.target().equals(root.target())
					&& (isRoot || entry.kind().compareTo(MountPlan.Kind.READ_ONLY) >= 0)) {
				keep(root.target().relativize(entry.target()), isRoot ? MountPlan.Kind.HIDDEN : entry.kind());
			}
		}
	}

	private void keep(Path relative, MountPlan.Kind kind) {
		this.kept.put(relative, kind);
		for (Path parent = relative.getParent(); parent != null; parent = parent.getParent()) {
			this.above.add(parent);
		}
	}

	Root root() {
		return this.root;
	}

	/**
	 * Returns what was at a path when it was copied.
	 * @return null if there was nothing, or nothing that the command may change
	 */
	@Nullable CopiedEntry entry(Path relative) {
		return this.entries.get(relative);
	}

	/**
	 * Returns everything that the command may change.
	 */
	Set<Path> paths() {
		return this.entries.keySet();
	}

	/**
	 * Returns whether a path stays as it is, because it is protected or hidden, or is in
	 * such a directory or in another root.
	 */
	boolean isKept(Path relative) {
		return kind(relative) != null;
	}

	/**
	 * Returns whether a path is that of a directory with something in it that stays as it
	 * is.
	 */
	boolean isAboveKept(Path relative) {
		return this.above.contains(relative);
	}

	private MountPlan.@Nullable Kind kind(Path relative) {
		for (Path each = relative; each != null; each = each.getParent()) {
			MountPlan.Kind kind = this.kept.get(each);
			if (kind != null) {
				return kind;
			}
		}
		return null;
	}

	/**
	 * Writes the directory to an archive, at its path in the container.
	 * @throws IOException if a file cannot be read, or the archive cannot be written
	 */
	void write(TarArchiveOutputStream archive, CopyBound bound) throws IOException {
		String prefix = this.root.target().toString().substring(1);
		put(archive, prefix + "/", CopiedEntry.of(this.root.source()), false);
		archive.closeArchiveEntry();
		Deque<Path> directories = new ArrayDeque<>(List.of(Path.of("")));
		while (!directories.isEmpty()) {
			Path directory = directories.pop();
			try (HeldDirectory held = HeldDirectory.open(source(directory))) {
				for (Path name : names(held)) {
					Path relative = directory.toString().isEmpty() ? name : directory.resolve(name);
					if (write(archive, prefix, relative, held.resolve(name), bound)) {
						directories.push(relative);
					}
				}
			}
			catch (NoSuchFileException ex) {
				// it was deleted in the meantime
				this.entries.remove(directory);
			}
		}
	}

	/**
	 * Returns the path on the host.
	 */
	Path source(Path relative) {
		return relative.toString().isEmpty() ? this.root.source() : this.root.source().resolve(relative);
	}

	private static List<Path> names(HeldDirectory directory) throws IOException {
		List<Path> names = new ArrayList<>();
		try (DirectoryStream<Path> found = Files.newDirectoryStream(directory.resolve(Path.of(".")))) {
			for (Path path : found) {
				names.add(path.getFileName());
			}
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		return names;
	}

	/**
	 * Writes an entry.
	 * @return whether it is a directory whose content has to be written as well
	 */
	private boolean write(TarArchiveOutputStream archive, String prefix, Path relative, Path path, CopyBound bound)
			throws IOException {
		CopiedEntry entry;
		try {
			entry = CopiedEntry.of(path);
		}
		catch (NoSuchFileException ex) {
			return false;
		}
		String name = prefix + "/" + relative;
		MountPlan.Kind kind = kind(relative);
		String link = (entry.type() == CopiedEntry.Type.LINK) ? new String(entry.content(), StandardCharsets.UTF_8)
				: "";
		if (entry.type() == CopiedEntry.Type.OTHER || name.indexOf(UNREADABLE) >= 0 || link.indexOf(UNREADABLE) >= 0) {
			return false;
		}
		bound.add((entry.type() == CopiedEntry.Type.FILE) ? entry.size() : 0, name.length() + link.length());
		boolean isDirectory = entry.type() == CopiedEntry.Type.DIRECTORY;
		put(archive, isDirectory ? name + "/" : name, (kind == MountPlan.Kind.HIDDEN) ? entry.withoutContent() : entry,
				kind != null);
		if (entry.type() == CopiedEntry.Type.FILE) {
			entry = entry.withContent(copy(path, entry.size(), archive));
		}
		archive.closeArchiveEntry();
		if (kind == null) {
			this.entries.put(relative, entry);
		}
		return isDirectory && kind != MountPlan.Kind.HIDDEN;
	}

	private static void put(TarArchiveOutputStream archive, String name, CopiedEntry entry, boolean sealed)
			throws IOException {
		TarArchiveEntry header;
		if (entry.type() == CopiedEntry.Type.LINK) {
			header = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
			header.setLinkName(new String(entry.content(), StandardCharsets.UTF_8));
		}
		else {
			header = new TarArchiveEntry(name);
			header.setSize((entry.type() == CopiedEntry.Type.FILE) ? entry.size() : 0);
		}
		header.setMode(sealed ? sealed(entry.mode()) : entry.mode());
		header.setIds(sealed ? 0 : entry.uid(), sealed ? 0 : entry.gid());
		header.setLastModifiedTime(entry.modified());
		archive.putArchiveEntry(header);
	}

	/**
	 * Returns permissions that let everyone read what its owner could.
	 */
	private static int sealed(int mode) {
		int owner = (mode & CopiedEntry.READ_AND_ENTER) >> OWNER_SHIFT;
		return owner << OWNER_SHIFT | owner << (OWNER_SHIFT / 2) | owner;
	}

	/**
	 * Copies as many bytes as there were: a file may become longer or shorter meanwhile.
	 * @return the hash of what was written
	 */
	private static byte[] copy(Path file, long size, TarArchiveOutputStream archive) throws IOException {
		MessageDigest digest = Sha256.digest();
		byte[] buffer = new byte[1 << 16];
		try (InputStream content = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
			long left = size;
			while (left > 0) {
				int count = content.readNBytes(buffer, 0, (int) Math.min(left, buffer.length));
				if (count == 0) {
					throw new IOException(file.getFileName() + " was changed while it was copied");
				}
				archive.write(buffer, 0, count);
				digest.update(buffer, 0, count);
				left -= count;
			}
		}
		return digest.digest();
	}

}
