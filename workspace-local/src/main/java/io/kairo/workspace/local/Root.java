package io.kairo.workspace.local;

import java.nio.file.Path;
import java.util.List;

/**
 * A root of a workspace. A root that lies inside another one, by its spelling, is only a
 * name: it is reached through the outer one, so that whoever may write there gains
 * nothing by making a link of it.
 *
 * @param path the root as it was configured
 * @param spellings what absolute paths into it may start with
 * @param start where the descent to it starts
 */
record Root(Path path, List<Path> spellings, Start start) {

	/**
	 * Returns where the root is, if no link is in the way.
	 */
	Path real() {
		return this.start.toPath();
	}

}
