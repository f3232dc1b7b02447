package io.kairo.workspace.local.path;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A root of a workspace. If a root is below another root, a descent starts at the outer
 * one and passes the inner one like any directory. A process that may write to the outer
 * root gains nothing by replacing the inner one with a link.
 *
 * @param path the root as it was configured
 * @param spellings prefixes of the absolute paths inside the root
 * @param route the route of a descent to the root
 */
public record Root(Path path, List<Path> spellings, Route route) {

	/**
	 * Returns this root with more spellings.
	 */
	Root knownAs(Path... names) {
		return new Root(this.path, Stream.concat(this.spellings.stream(), Stream.of(names)).toList(), this.route);
	}

	/**
	 * Returns the path of the root if no link is on the route.
	 * @return the path without links
	 */
	public Path real() {
		return this.route.toPath();
	}

}
