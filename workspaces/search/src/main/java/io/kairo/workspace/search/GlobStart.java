package io.kairo.workspace.search;

/**
 * A glob split into leading directories and the rest.
 *
 * @param directories the names before the first wildcard, empty for none
 * @param rest the glob below them
 */
record GlobStart(String directories, String rest) {

	static GlobStart of(String glob) {
		int end = 0;
		for (int slash = glob.indexOf('/'); slash >= 0; slash = glob.indexOf('/', slash + 1)) {
			if (!isPlain(glob.substring(end, slash))) {
				break;
			}
			end = slash + 1;
		}
		if (end == 0) {
			return new GlobStart("", glob);
		}
		String rest = glob.substring(end);
		return rest.isEmpty() ? new GlobStart(glob, "/**") : new GlobStart(glob.substring(0, end), "/" + rest);
	}

	private static boolean isPlain(String name) {
		return name.chars().noneMatch((c) -> "*?[]{}\\".indexOf(c) >= 0);
	}

}
