package io.kairo.sandbox.remote;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.kairo.api.workspace.FileType;
import io.kairo.host.HostUser;
import io.kairo.sandbox.remote.protocol.CopyLine;
import io.kairo.sandbox.remote.protocol.Piece;
import io.kairo.sandbox.support.copy.CopiedEntry;
import io.kairo.sandbox.support.copy.CopyBound;
import io.kairo.sandbox.support.copy.CopyRemarks;
import io.kairo.sandbox.support.copy.CopyWalk;
import io.kairo.sandbox.support.copy.RootCopy;
import io.kairo.sandbox.support.copy.RootUpdate;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a command in the copies of its directories, as reported by the worker.
 * The worker is not trusted: all changes are checked before any is applied. For use by
 * one thread at a time.
 */
final class CopyChanges implements CopyLine.Reader {

	private static final int PERMISSIONS = 0777;

	private final Map<String, RootCopy> roots = new HashMap<>();

	private final Map<RootCopy, RootChanges> changes = new LinkedHashMap<>();

	private final CopyBound bound;

	private @Nullable RootChanges current;

	private CopyChanges(List<RootCopy> roots, long maxBytes) {
		roots.forEach((root) -> this.roots.put(root.root().target().toString(), root));
		this.bound = new CopyBound(maxBytes);
	}

	/**
	 * Reads changes.
	 * @param lines a file with the lines that the worker has sent; null if there are none
	 * @param maxBytes maximum size of all files
	 * @throws IOException if they cannot be read, are too many, or have a path twice or a
	 * path that leads elsewhere
	 */
	static CopyChanges read(@Nullable Path lines, List<RootCopy> roots, long maxBytes) throws IOException {
		CopyChanges changes = new CopyChanges(roots, maxBytes);
		if (lines != null) {
			try (InputStream input = new BufferedInputStream(Files.newInputStream(lines))) {
				CopyLine.read(input, changes);
			}
			catch (IllegalArgumentException ex) {
				throw new IOException("the worker sent something else: " + ex.getMessage(), ex);
			}
		}
		return changes;
	}

	@Override
	public void take(CopyLine line) throws IOException {
		String link = (line.type() == CopyLine.Type.LINK) ? String.valueOf(line.content()) : "";
		this.bound.add((line.type() == CopyLine.Type.FILE) ? line.size() : 0, line.path().length() + link.length());
		if (line.type() == CopyLine.Type.ROOT) {
			RootCopy root = this.roots.get(line.path());
			if (root == null || !root.root().writable() || this.changes.containsKey(root)) {
				throw new IOException("the worker changed the directory " + line.path() + ", which it may not");
			}
			this.current = new RootChanges(new HashSet<>(), new LinkedHashMap<>(), new ArrayList<>());
			this.changes.put(root, this.current);
			return;
		}
		RootChanges root = this.current;
		if (root == null) {
			throw new IOException("the worker names " + line.path() + " in no directory");
		}
		if (line.type() == CopyLine.Type.UNREADABLE) {
			root.unreadable().add(line.path());
			return;
		}
		Path relative = line.relative();
		if (!CopyWalk.isReadable(line.path())) {
			throw new IOException("the worker names a path that is not UTF-8");
		}
		boolean first = (line.type() == CopyLine.Type.DELETED) ? root.deleted().add(relative)
				: root.found().putIfAbsent(relative, line) == null;
		if (!first || (root.deleted().contains(relative) && root.found().containsKey(relative))) {
			throw new IOException("the worker names the path " + relative + " twice");
		}
	}

	/**
	 * Returns the contents that are needed to apply the changes, with their sizes.
	 * @throws IOException if one has two sizes
	 */
	Map<String, Long> wanted() throws IOException {
		Map<String, Long> wanted = new LinkedHashMap<>();
		for (Map.Entry<RootCopy, RootChanges> each : this.changes.entrySet()) {
			for (Map.Entry<Path, CopyLine> found : each.getValue().found().entrySet()) {
				CopyLine line = found.getValue();
				if (line.type() != CopyLine.Type.FILE || line.size() == 0 || each.getKey().isKept(found.getKey())) {
					continue;
				}
				String content = String.valueOf(line.content());
				CopiedEntry before = each.getKey().entry(found.getKey());
				boolean known = before != null && before.type() == FileType.FILE
						&& Arrays.equals(before.content(), HexFormat.of().parseHex(content));
				Long size = known ? null : wanted.putIfAbsent(content, line.size());
				if (size != null && size != line.size()) {
					throw new IOException("the worker names two sizes of " + line.path());
				}
			}
		}
		return wanted;
	}

	/**
	 * Applies the changes.
	 * @param contents the directory of the contents, with their hashes as names
	 * @param remarks receives the changes that were not applied
	 */
	void apply(Path contents, CopyRemarks remarks) throws IOException {
		for (Map.Entry<RootCopy, RootChanges> each : this.changes.entrySet()) {
			RootCopy copy = each.getKey();
			RootChanges changed = each.getValue();
			changed.unreadable().forEach((name) -> remarks.add(name, "its name is not UTF-8"));
			CopiedEntry directory = CopiedEntry.of(copy.root().source());
			RootUpdate update = new RootUpdate(copy, new HostUser(directory.uid(), directory.gid()), remarks);
			for (Path path : copy.paths()) {
				if (!changed.deleted().contains(path) && !changed.found().containsKey(path)) {
					update.keep(path);
				}
			}
			changed.found().forEach((relative, line) -> apply(update, copy, relative, line, contents, remarks));
			update.finish();
		}
	}

	private static void apply(RootUpdate update, RootCopy copy, Path relative, CopyLine line, Path contents,
			CopyRemarks remarks) {
		CopiedEntry found = entry(line);
		if (found.type() == FileType.OTHER && !copy.isKept(relative)) {
			remarks.add(relative.toString(), "it is neither a file nor a directory, nor a link to a name in UTF-8");
		}
		update.apply(relative, found, (target) -> {
			if (line.size() > 0) {
				write(contents.resolve(String.valueOf(line.content())), target);
			}
		});
	}

	private static CopiedEntry entry(CopyLine line) {
		FileTime modified = FileTime.from(line.modified(), TimeUnit.MICROSECONDS);
		String content = String.valueOf(line.content());
		return switch (line.type()) {
			case FILE -> CopiedEntry.received(FileType.FILE, line.mode(), modified,
					HexFormat.of().parseHex((line.size() > 0) ? content : Piece.EMPTY));
			case DIRECTORY -> CopiedEntry.received(FileType.DIRECTORY, line.mode(), modified, new byte[0]);
			case LINK -> CopyWalk.isPath(content) ? CopiedEntry.received(FileType.LINK, PERMISSIONS, modified,
					content.getBytes(StandardCharsets.UTF_8)) : CopiedEntry.OTHER;
			default -> CopiedEntry.OTHER;
		};
	}

	private static void write(Path content, FileChannel target) throws IOException {
		try (FileChannel source = FileChannel.open(content, StandardOpenOption.READ)) {
			long size = source.size();
			long position = 0;
			while (position < size) {
				position += source.transferTo(position, size - position, target);
			}
		}
	}

	/**
	 * The changes in one directory.
	 *
	 * @param deleted the deleted paths
	 * @param found the added or changed paths, directories before everything in them
	 * @param unreadable names that are not UTF-8
	 */
	private record RootChanges(Set<Path> deleted, Map<Path, CopyLine> found, List<String> unreadable) {

	}

}
