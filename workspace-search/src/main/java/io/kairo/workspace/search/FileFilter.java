package io.kairo.workspace.search;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Which files to search. Immutable.
 *
 * @param glob a glob for their paths below the directory that is searched, as for
 * {@link GlobQuery}, with a leading {@code !} for the files that do not match; null for
 * all
 * @param type a type as ripgrep names them, such as {@code java}; null for all
 * @since 0.1.0
 */
public record FileFilter(@Nullable String glob, @Nullable String type) {

	/**
	 * All files.
	 */
	public static final FileFilter ALL = new FileFilter(null, null);

	/**
	 * Creates the value.
	 * @param glob a glob, null for all
	 * @param type a type, null for all
	 * @throws SearchPatternException if the glob is not one, or the type is not known
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
	 * Returns the types that can be asked for.
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
