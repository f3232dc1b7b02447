package io.kairo.sandbox.remote.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.kairo.api.workspace.FileType;
import io.kairo.host.HostUser;
import io.kairo.sandbox.remote.protocol.CopyLine;
import io.kairo.sandbox.remote.protocol.Piece;
import io.kairo.sandbox.support.copy.CopiedEntry;
import io.kairo.sandbox.support.copy.CopyBound;
import io.kairo.sandbox.support.copy.CopyWalk;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a command on the worker, made from a manifest. A directory that lies
 * inside of another one does so here as well. For use by one thread at a time.
 */
final class CopyTree {

	private static final int PERMISSIONS = 0777;

	private static final int READ_AND_ENTER = 0500;

	private static final int OWNER_READ = 0400;

	private final Manifest manifest;

	private final Map<Manifest.CopiedRoot, Path> directories = new LinkedHashMap<>();

	private final Map<Manifest.CopiedRoot, Map<Path, CopiedEntry>> placed = new HashMap<>();

	private final @Nullable HostUser owner;

	private final BooleanSupplier closed;

	/**
	 * Creates the directories. Does not access the disk.
	 * @param directory a directory that does not exist yet
	 * @param owner the owner of files that commands may change; null for the user of this
	 * process
	 * @param closed tells whether to give up
	 * @throws IllegalArgumentException if one lies in something that is no directory
	 */
	CopyTree(Manifest manifest, Path directory, @Nullable HostUser owner, BooleanSupplier closed) {
		this.manifest = manifest;
		this.owner = owner;
		this.closed = closed;
		List<Manifest.CopiedRoot> outerFirst = new ArrayList<>(manifest.roots());
		outerFirst.sort(Comparator.comparingInt((root) -> root.target().getNameCount()));
		for (Manifest.CopiedRoot root : outerFirst) {
			Manifest.CopiedRoot around = innermost(root.target());
			if (around == null) {
				this.directories.put(root, directory.resolve(Integer.toString(this.directories.size())));
				continue;
			}
			Path relative = around.target().relativize(root.target());
			CopyLine place = around.entries().get(relative);
			if (place == null || place.type() != CopyLine.Type.DIRECTORY || !place.fixed()
					|| around.entries().keySet().stream().anyMatch((path) -> relative.equals(path.getParent()))) {
				throw new IllegalArgumentException(
						"The directory " + root.target() + " is copied twice, or has no place in " + around.target());
			}
			this.directories.put(root, directoryOf(around).resolve(relative));
		}
	}

	private Manifest.@Nullable CopiedRoot innermost(Path target) {
		return this.directories.keySet()
			.stream()
			.filter((root) -> target.startsWith(root.target()))
			.max(Comparator.comparingInt((root) -> root.target().getNameCount()))
			.orElse(null);
	}

	private Path directoryOf(Manifest.CopiedRoot root) {
		Path directory = this.directories.get(root);
		if (directory == null) {
			throw new IllegalStateException("The directory " + root.target() + " has no place");
		}
		return directory;
	}

	/**
	 * Creates all files and directories.
	 * @param contents finds the contents of files
	 * @throws IOException if that fails
	 */
	void fill(Contents contents) throws IOException {
		for (Map.Entry<Manifest.CopiedRoot, Path> each : this.directories.entrySet()) {
			Path directory = each.getValue();
			Files.createDirectories(directory);
			for (Map.Entry<Path, CopyLine> entry : each.getKey().entries().entrySet()) {
				create(directory.resolve(entry.getKey()), entry.getValue(), contents);
			}
		}
		List<Map.Entry<Manifest.CopiedRoot, Path>> innerFirst = new ArrayList<>(this.directories.entrySet());
		innerFirst.sort(Comparator.comparingInt((each) -> -each.getKey().target().getNameCount()));
		for (Map.Entry<Manifest.CopiedRoot, Path> each : innerFirst) {
			Map<Path, CopiedEntry> entries = new HashMap<>();
			finishDirectories(each.getKey(), each.getValue());
			for (Map.Entry<Path, CopyLine> entry : each.getKey().entries().entrySet()) {
				if (entry.getValue().type() == CopyLine.Type.FILE) {
					entries.put(entry.getKey(), CopiedEntry.of(each.getValue().resolve(entry.getKey())));
				}
			}
			this.placed.put(each.getKey(), entries);
		}
	}

	private void create(Path path, CopyLine line, Contents contents) throws IOException {
		if (this.closed.getAsBoolean()) {
			throw new IOException("the copy is closed");
		}
		if (line.type() == CopyLine.Type.DIRECTORY) {
			Files.createDirectory(path);
			return;
		}
		if (line.type() == CopyLine.Type.LINK) {
			Files.createSymbolicLink(path, Path.of(String.valueOf(line.content())));
		}
		else if (line.size() == 0) {
			Files.createFile(path);
		}
		else {
			Files.copy(contents.path(String.valueOf(line.content())), path);
		}
		give(path, line);
		if (line.type() == CopyLine.Type.FILE) {
			setModified(path, line);
			setMode(path, line.mode());
		}
	}

	/**
	 * Gives the directories their permissions and times, the inner ones first. Those
	 * without permissions could not be filled anymore.
	 */
	private void finishDirectories(Manifest.CopiedRoot root, Path directory) throws IOException {
		List<Map.Entry<Path, CopyLine>> entries = new ArrayList<>(root.entries().entrySet());
		for (int i = entries.size() - 1; i >= 0; i--) {
			Path path = directory.resolve(entries.get(i).getKey());
			if (entries.get(i).getValue().type() == CopyLine.Type.DIRECTORY && !this.directories.containsValue(path)) {
				finish(path, entries.get(i).getValue(), entries.get(i).getValue().mode());
			}
		}
		finish(directory, root.line(), root.line().mode() | READ_AND_ENTER);
	}

	private void finish(Path directory, CopyLine line, int mode) throws IOException {
		give(directory, line);
		setModified(directory, line);
		setMode(directory, mode);
	}

	private void give(Path path, CopyLine line) throws IOException {
		if (this.owner != null && (!line.fixed() || line.type() == CopyLine.Type.ROOT)) {
			this.owner.own(path);
		}
	}

	private static void setModified(Path path, CopyLine line) throws IOException {
		Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
			.setTimes(FileTime.from(line.modified(), TimeUnit.MICROSECONDS), null, null);
	}

	private static void setMode(Path path, int mode) throws IOException {
		Files.setPosixFilePermissions(path, CopiedEntry.permissions(mode));
	}

	/**
	 * Returns the directory of this machine for a path of the client.
	 * @return a path that need not exist, or null if it lies in no copied directory
	 */
	@Nullable Path toLocal(Path target) {
		Manifest.CopiedRoot root = innermost(target.normalize());
		return (root != null) ? directoryOf(root).resolve(root.target().relativize(target.normalize())).normalize()
				: null;
	}

	/**
	 * Returns the path of the client for a directory of this machine.
	 * @return null if it lies in no copied directory
	 */
	@Nullable Path toClient(Path directory) {
		Path normal = directory.normalize();
		return this.directories.entrySet()
			.stream()
			.filter((each) -> normal.startsWith(each.getValue()))
			.max(Comparator.comparingInt((each) -> each.getValue().getNameCount()))
			.map((each) -> each.getKey().target().resolve(each.getValue().relativize(normal)).normalize())
			.orElse(null);
	}

	/**
	 * Finds the changes since the directories were filled.
	 * @param contents takes the contents of files that were changed
	 * @param lines receives a line for each change
	 * @param maxBytes maximum size of the files that were changed
	 * @throws IOException if a directory cannot be read, or there is too much in it
	 */
	void changes(Contents contents, OutputStream lines, long maxBytes) throws IOException {
		CopyBound bound = new CopyBound(maxBytes);
		for (Manifest.CopiedRoot root : this.manifest.roots()) {
			if (!root.line().fixed()) {
				changes(root, contents, lines, bound);
			}
		}
	}

	private void changes(Manifest.CopiedRoot root, Contents contents, OutputStream lines, CopyBound bound)
			throws IOException {
		Map<Path, CopiedEntry> before = this.placed.getOrDefault(root, Map.of());
		boolean[] begun = new boolean[1];
		Set<Path> seen = new HashSet<>();
		CopyWalk.walk(directoryOf(root), (relative, entry, path) -> {
			CopyLine line = root.entries().get(relative);
			if (line != null && line.fixed()) {
				return false;
			}
			seen.add(relative);
			CopyLine now = line(relative, entry, path, before.get(relative), line, contents, bound);
			if (line == null || !isEqual(line, now)) {
				if (now.type() != CopyLine.Type.FILE) {
					bound.add(0, now.path().length());
				}
				write(root, now, lines, begun);
			}
			return now.type() == CopyLine.Type.DIRECTORY;
		});
		for (Map.Entry<Path, CopyLine> each : root.entries().entrySet()) {
			if (!each.getValue().fixed() && !seen.contains(each.getKey())) {
				write(root, new CopyLine(CopyLine.Type.DELETED, each.getValue().path(), 0, 0, 0, null, false), lines,
						begun);
			}
		}
	}

	/**
	 * Writes a line, after the line of its directory.
	 */
	private static void write(Manifest.CopiedRoot root, CopyLine line, OutputStream lines, boolean[] begun)
			throws IOException {
		if (!begun[0]) {
			root.line().write(lines);
			begun[0] = true;
		}
		line.write(lines);
	}

	private CopyLine line(Path relative, CopiedEntry entry, Path path, @Nullable CopiedEntry before,
			@Nullable CopyLine line, Contents contents, CopyBound bound) throws IOException {
		if (this.closed.getAsBoolean()) {
			throw new IOException("the copy is closed");
		}
		String name = relative.toString();
		long modified = entry.modified().to(TimeUnit.MICROSECONDS);
		String link = (entry.type() == FileType.LINK) ? new String(entry.content(), StandardCharsets.UTF_8) : null;
		if (!CopyWalk.isReadable(name)) {
			return new CopyLine(CopyLine.Type.UNREADABLE, name, 0, modified, 0, null, false);
		}
		if (entry.type() == FileType.OTHER || (link != null && !CopyWalk.isReadable(link))) {
			return new CopyLine(CopyLine.Type.OTHER, name, 0, modified, 0, null, false);
		}
		if (link != null) {
			return new CopyLine(CopyLine.Type.LINK, name, PERMISSIONS, modified, 0, link, false);
		}
		if (entry.type() == FileType.DIRECTORY) {
			open(path, entry, READ_AND_ENTER);
			return new CopyLine(CopyLine.Type.DIRECTORY, name, entry.mode(), modified, 0, null, false);
		}
		boolean same = before != null && before.isSame(entry) && before.modified().equals(entry.modified());
		if (same && line != null) {
			return new CopyLine(CopyLine.Type.FILE, name, entry.mode(), modified, entry.size(), line.content(), false);
		}
		bound.add(entry.size(), name.length());
		open(path, entry, OWNER_READ);
		String content = (entry.size() > 0) ? contents.add(path, entry.size()) : Piece.EMPTY;
		return new CopyLine(CopyLine.Type.FILE, name, entry.mode(), modified, entry.size(), content, false);
	}

	/**
	 * Gives the owner the permission to read something. Root does not need it: a process
	 * that is left could replace it by a link to a file of another user.
	 */
	private static void open(Path path, CopiedEntry entry, int needed) throws IOException {
		HostUser own = HostUser.current();
		if ((entry.mode() & needed) != needed && own != null && own.uid() != 0) {
			try {
				setMode(path, entry.mode() | needed);
			}
			catch (AccessDeniedException ex) {
				// it belongs to another user: reading it tells
				return;
			}
		}
	}

	private static boolean isEqual(CopyLine line, CopyLine now) {
		boolean isFile = now.type() == CopyLine.Type.FILE;
		return line.type() == now.type() && (now.type() == CopyLine.Type.LINK || line.mode() == now.mode())
				&& (!isFile || line.modified() == now.modified())
				&& (now.type() == CopyLine.Type.DIRECTORY || String.valueOf(now.content()).equals(line.content()));
	}

	/**
	 * The contents of files.
	 */
	interface Contents {

		/**
		 * Returns a file with a content.
		 */
		Path path(String sha256) throws IOException;

		/**
		 * Takes the content of a file.
		 * @return its SHA-256
		 */
		String add(Path file, long size) throws IOException;

	}

}
