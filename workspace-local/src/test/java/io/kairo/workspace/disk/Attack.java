package io.kairo.workspace.disk;

import java.io.IOException;
import java.nio.file.Path;

/**
 * What somebody in a workspace swaps for what leads out of it.
 */
enum Attack {

	/** A file for a link. */
	FILE,

	/** A directory for a link. */
	DIRECTORY,

	/** The directory above for a link. */
	PARENT,

	/** The root itself for a link. */
	ROOT,

	/** A directory for nothing: it is outside meanwhile. */
	AWAY,

	/** The text of a link for another one. */
	TEXT;

	/**
	 * Returns the directory that the calls are about.
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
