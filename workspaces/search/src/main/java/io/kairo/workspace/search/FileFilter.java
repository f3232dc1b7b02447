package io.kairo.workspace.search;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A filter of the files to search. Immutable.
 *
 * @param glob a glob for paths below the searched directory, in the syntax of
 * {@link GlobQuery}, or several, separated by commas or white space; a leading {@code !}
 * selects the files that do not match; null for all files
 * @param type a file type as named by ripgrep, such as {@code java}; null for all files
 */
public record FileFilter(@Nullable String glob, @Nullable String type) {

	/**
	 * All files.
	 */
	public static final FileFilter ALL = new FileFilter(null, null);

	/**
	 * Creates the value.
	 * @throws SearchPatternException if the glob to exclude files is invalid, a glob is
	 * empty or too long, or the type is unknown; a search throws it for any other invalid
	 * glob if no file has such a name
	 */
	public FileFilter {
		compile(glob, type);
	}

	/**
	 * Returns the supported file types.
	 * @return their names in alphabetical order
	 */
	public static List<String> types() {
		return FileTypes.names();
	}

	CompiledFilter compile() {
		return compile(this.glob, this.type);
	}

	private static CompiledFilter compile(@Nullable String glob, @Nullable String type) {
		List<String> admitted = new ArrayList<>();
		List<String> excluded = new ArrayList<>();
		for (String each : (glob != null) ? GlobSyntax.list(glob) : List.<String>of()) {
			if (each.startsWith("!")) {
				excluded.add(each.substring(1));
			}
			else {
				admitted.add(each);
			}
		}
		PathGlob without = excluded.isEmpty() ? null : PathGlob.of(excluded);
		SearchPatternException mistake = (without != null) ? without.mistake() : null;
		if (mistake != null) {
			throw mistake;
		}
		return new CompiledFilter(admitted.isEmpty() ? null : PathGlob.of(admitted), without,
				(type != null) ? FileTypes.named(type) : List.of());
	}

}
