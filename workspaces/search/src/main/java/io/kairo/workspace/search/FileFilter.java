package io.kairo.workspace.search;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A filter of the files to search. Immutable.
 *
 * @param glob a glob for paths below the searched directory, in the syntax of
 * {@link GlobQuery}; a leading {@code !} selects the files that do not match; null for
 * all files
 * @param type a file type as named by ripgrep, such as {@code java}; null for all files
 */
public record FileFilter(@Nullable String glob, @Nullable String type) {

	/**
	 * All files.
	 */
	public static final FileFilter ALL = new FileFilter(null, null);

	/**
	 * Creates the value.
	 * @throws SearchPatternException if the glob is invalid or the type is unknown
	 */
	public FileFilter {
		if (glob != null) {
			PathGlob.of(excludes(glob) ? glob.substring(1) : glob);
		}
		if (type != null) {
			FileTypes.named(type);
		}
	}

	/**
	 * Returns the supported file types.
	 * @return their names in alphabetical order
	 */
	public static List<String> types() {
		return FileTypes.names();
	}

	CompiledFilter compile() {
		PathGlob admitted = (this.glob != null && !excludes(this.glob)) ? PathGlob.of(this.glob) : null;
		PathGlob excluded = (this.glob != null && excludes(this.glob)) ? PathGlob.of(this.glob.substring(1)) : null;
		return new CompiledFilter(admitted, excluded, (this.type != null) ? FileTypes.named(this.type) : List.of());
	}

	private static boolean excludes(String glob) {
		return glob.startsWith("!");
	}

}
