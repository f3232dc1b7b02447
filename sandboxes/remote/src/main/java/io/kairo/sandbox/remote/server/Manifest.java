package io.kairo.sandbox.remote.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.sandbox.remote.protocol.CopyLine;
import io.kairo.sandbox.remote.protocol.Piece;
import io.kairo.sandbox.support.copy.CopyBound;
import org.jspecify.annotations.Nullable;

/**
 * The directories of a command, and their content when they were copied, as reported by a
 * client. For use by one thread at a time.
 */
final class Manifest implements CopyLine.Reader {

	private static final int MOST_ROOTS = 100;

	private final CopyBound bound;

	private final List<CopiedRoot> roots = new ArrayList<>();

	private final Map<String, Long> sizes = new HashMap<>();

	/**
	 * Creates a manifest without directories.
	 * @param maxBytes maximum size of all files
	 */
	Manifest(long maxBytes) {
		this.bound = new CopyBound(maxBytes);
	}

	/**
	 * Takes a line.
	 * @throws IOException if there are too many
	 * @throws IllegalArgumentException if a path leads elsewhere or is there twice, is in
	 * something that is no directory, or a content has two sizes
	 */
	@Override
	public void take(CopyLine line) throws IOException {
		this.bound.add((line.type() == CopyLine.Type.FILE) ? line.size() : 0,
				line.path().length() + ((line.type() == CopyLine.Type.LINK) ? length(line.content()) : 0));
		if (line.type() == CopyLine.Type.ROOT) {
			addRoot(line);
			return;
		}
		if (this.roots.isEmpty()) {
			throw new IllegalArgumentException("The manifest has no directory before " + line.path());
		}
		CopiedRoot root = this.roots.get(this.roots.size() - 1);
		switch (line.type()) {
			case FILE -> {
				Long known = this.sizes.putIfAbsent(String.valueOf(line.content()), line.size());
				if (known != null && known != line.size()) {
					throw new IllegalArgumentException("The content of " + line.path() + " has two sizes");
				}
			}
			case DIRECTORY, LINK -> {
			}
			default -> throw new IllegalArgumentException("The manifest has " + line.path() + " as " + line.type());
		}
		root.add(line);
	}

	private void addRoot(CopyLine line) {
		Path target = Path.of(line.path());
		if (!target.isAbsolute() || !target.equals(target.normalize()) || target.getNameCount() == 0
				|| this.roots.size() == MOST_ROOTS
				|| this.roots.stream().anyMatch((root) -> root.target().equals(target))) {
			throw new IllegalArgumentException("The directory " + line.path() + " cannot be copied");
		}
		this.roots.add(new CopiedRoot(target, line, new LinkedHashMap<>()));
	}

	private static int length(@Nullable String content) {
		return (content != null) ? content.length() : 0;
	}

	/**
	 * Returns the directories.
	 */
	List<CopiedRoot> roots() {
		return this.roots;
	}

	/**
	 * Returns the contents of files and their sizes, without the empty one.
	 */
	Map<String, Long> contents() {
		this.sizes.remove(Piece.EMPTY);
		return this.sizes;
	}

	/**
	 * A directory of the command.
	 *
	 * @param target the client's path of it
	 * @param line its line
	 * @param entries its content, directories before everything in them
	 */
	record CopiedRoot(Path target, CopyLine line, Map<Path, CopyLine> entries) {

		void add(CopyLine line) {
			Path relative = line.relative();
			Path parent = relative.getParent();
			CopyLine above = (parent != null) ? this.entries.get(parent) : this.line;
			if (above == null || (parent != null && above.type() != CopyLine.Type.DIRECTORY)) {
				throw new IllegalArgumentException("The path " + relative + " is in no directory of the manifest");
			}
			if (this.entries.putIfAbsent(relative, line) != null) {
				throw new IllegalArgumentException("The manifest has the path " + relative + " twice");
			}
		}

	}

}
