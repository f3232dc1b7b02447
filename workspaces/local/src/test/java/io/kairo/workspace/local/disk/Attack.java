package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Swaps of entries of a workspace for ones that point outside.
 */
enum Attack {

	/** A file is swapped for a link. */
	FILE,

	/** A directory is swapped for a link. */
	DIRECTORY,

	/** The directory above is swapped for a link. */
	PARENT,

	/** The root itself is swapped for a link. */
	ROOT,

	/** A directory is moved outside meanwhile. */
	AWAY,

	/** The text of a link is swapped for another one. */
	TEXT;

	/**
	 * Returns the directory of the calls.
	 */
	String directory() {
		return (this == TEXT) ? "alias" : "top/dir";
	}

	Swap on(AttackedTree tree) throws IOException {
		Path dir = Path.of("top/dir");
		return switch (this) {
			case FILE -> new Swap.OfFile(tree.root().resolve("top/dir/file"), tree.outside().resolve("top/dir/file"),
					tree.temp().resolve("parked"));
			case DIRECTORY -> swap(tree, dir);
			case PARENT -> swap(tree, dir.getParent());
			case ROOT -> swap(tree, Path.of(""));
			case AWAY -> new Swap.OfDirectory(tree.root().resolve(dir), null, tree.temp().resolve("parked"),
					tree.temp().resolve("garbage"));
			case TEXT -> new Swap.OfText(tree.root().resolve("alias"), dir, tree.outside().resolve(dir),
					tree.temp().resolve("link"));
		};
	}

	private static Swap swap(AttackedTree tree, Path directory) throws IOException {
		Path link = TestWorkspaces.link(tree.temp().resolve("link"), tree.outside().resolve(directory));
		return new Swap.OfDirectory(tree.root().resolve(directory), link, tree.temp().resolve("parked"),
				tree.temp().resolve("garbage"));
	}

}
