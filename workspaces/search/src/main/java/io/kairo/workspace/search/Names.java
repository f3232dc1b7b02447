package io.kairo.workspace.search;

import java.util.ArrayList;
import java.util.List;

import io.kairo.api.workspace.WorkspacePath;

/**
 * Splits paths into names.
 */
final class Names {

	private Names() {
	}

	/**
	 * Returns the names of a path, starting at the root of the workspace.
	 */
	static List<String> of(WorkspacePath path) {
		List<String> names = new ArrayList<>();
		String relative = path.relative();
		int start = 0;
		for (int slash = relative.indexOf('/'); slash >= 0; slash = relative.indexOf('/', start)) {
			names.add(relative.substring(start, slash));
			start = slash + 1;
		}
		if (!relative.isEmpty()) {
			names.add(relative.substring(start));
		}
		return names;
	}

}
