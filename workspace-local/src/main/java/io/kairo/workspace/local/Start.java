package io.kairo.workspace.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a descent starts, and what is before it.
 *
 * @param directory a directory that is trusted: its real path
 * @param names what to go through from there, possibly {@code ..}
 */
record Start(Path directory, List<Path> names) {

	Start {
		names = List.copyOf(names);
	}

	Start then(List<Path> more) {
		List<Path> all = new ArrayList<>(this.names);
		all.addAll(more);
		return new Start(this.directory, all);
	}

	Path toPath() {
		Path path = this.directory;
		for (Path name : this.names) {
			path = path.resolve(name);
		}
		return path;
	}

	/**
	 * Returns the names of a path from the given index on.
	 */
	static List<Path> names(Path path, int from) {
		List<Path> names = new ArrayList<>();
		for (int i = from; i < path.getNameCount(); i++) {
			names.add(path.getName(i));
		}
		return names;
	}

}
