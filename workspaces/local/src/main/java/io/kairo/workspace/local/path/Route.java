package io.kairo.workspace.local.path;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A trusted directory and the names to descend from it, one by one.
 *
 * @param directory the real path of the trusted directory
 * @param names the names to descend, possibly {@code ..}
 */
public record Route(Path directory, List<Path> names) {

	/**
	 * Creates the value.
	 */
	public Route {
		names = List.copyOf(names);
	}

	/**
	 * Returns this route, continued with more names.
	 * @param more the names to append
	 * @return the longer route
	 */
	public Route then(List<Path> more) {
		List<Path> all = new ArrayList<>(this.names);
		all.addAll(more);
		return new Route(this.directory, all);
	}

	/**
	 * Returns the path that this route spells.
	 * @return the directory with all names resolved against it
	 */
	public Path toPath() {
		Path path = this.directory;
		for (Path name : this.names) {
			path = path.resolve(name);
		}
		return path;
	}

	/**
	 * Splits a path into names.
	 * @param path any path
	 * @param from index of the first name
	 * @return the names from that index on
	 */
	public static List<Path> names(Path path, int from) {
		List<Path> names = new ArrayList<>();
		for (int i = from; i < path.getNameCount(); i++) {
			names.add(path.getName(i));
		}
		return names;
	}

}
