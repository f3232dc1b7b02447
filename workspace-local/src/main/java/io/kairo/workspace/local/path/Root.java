package io.kairo.workspace.local.path;

import java.nio.file.Path;
import java.util.List;

/**
 * A root of a workspace. A root that lies inside another one, by its spelling, is only a
 * name: it is reached through the outer root, so that replacing it with a link gains
 * nothing for a process that may write to the outer root.
 *
 * @param path the root as it was configured
 * @param spellings prefixes of the absolute paths inside the root
 * @param route the route by which a descent reaches the root
 */
public record Root(Path path, List<Path> spellings, Route route) {

	/**
	 * Returns the path of the root if no link is on the route.
	 * @return the path without links
	 */
	public Path real() {
		return this.route.toPath();
	}

}
