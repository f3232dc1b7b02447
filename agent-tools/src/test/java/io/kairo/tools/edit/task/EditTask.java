package io.kairo.tools.edit.task;

import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A call that changes files, with the outcome that a careful engineer wants.
 *
 * @param name the name of the change, which several dialects may request
 * @param dialect the dialect of the call
 * @param kind the difficulty
 * @param language the language of the files
 * @param charset the charset of the files
 * @param read the files that the caller has read
 * @param before the files at the time of the call
 * @param after the files after the call, null if it must be refused
 * @param replacements the replacements of the call, empty for a patch
 * @param patch the patch, empty for replacements
 * @param refusal a part of the text that the tools must refuse the call with, null if
 * they must apply it; other implementations may apply it as well if there is an outcome
 */
record EditTask(String name, Dialect dialect, String kind, String language, Charset charset, Tree read, Tree before,
		@Nullable Tree after, List<Replacement> replacements, String patch, @Nullable String refusal) {

	boolean isStale() {
		return !this.read.equals(this.before);
	}

	@Override
	public String toString() {
		return this.name + " (" + this.dialect.title() + ")";
	}

	/**
	 * A form of calls.
	 */
	enum Dialect {

		/** One replacement of a text. */
		EXACT("exact", "`Edit`: one text replaced by another"),

		/** Several replacements at once. */
		MULTI("multi", "`MultiEdit`: one or more texts replaced, in one file or in several"),

		/** A patch between two marks. */
		ENVELOPE("envelope", "`ApplyPatch` with `*** Begin Patch`"),

		/** A unified diff. */
		DIFF("unified diff", "`ApplyPatch` with a unified diff");

		private final String title;

		private final String description;

		Dialect(String title, String description) {
			this.title = title;
			this.description = description;
		}

		String title() {
			return this.title;
		}

		String description() {
			return this.description;
		}

	}

	/**
	 * A replacement of a text.
	 *
	 * @param path the file
	 * @param old the text
	 * @param replacement the text in its place
	 * @param all whether every occurrence is replaced
	 */
	record Replacement(String path, String old, String replacement, boolean all) {
	}

	/**
	 * The files of a directory.
	 *
	 * @param files their bytes by their paths, as ISO 8859-1
	 */
	record Tree(Map<String, String> files) {
	}

}
