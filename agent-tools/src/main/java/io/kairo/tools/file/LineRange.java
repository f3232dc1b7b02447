package io.kairo.tools.file;

import io.kairo.tools.ToolArgumentException;
import org.jspecify.annotations.Nullable;

/**
 * The range requested by a call: lines, or characters of one line. Characters are code
 * points.
 *
 * @param offset the first line, from 1; null or 0 for the beginning
 * @param limit the maximum number of lines, or of characters, null for the default
 * @param column the first character of the line at the offset, from 1; null or 0 for
 * whole lines
 */
record LineRange(@Nullable Long offset, @Nullable Long limit, @Nullable Long column) {

	/** Default number of characters, in longest lines that are not cut. */
	private static final int DEFAULT_PARTS = 10;

	LineRange {
		if (offset != null && offset < 0) {
			throw ToolArgumentException.of("offset", "is " + offset + ", but lines are counted from 1.",
					"Give an offset of at least 1, or none.");
		}
		if (column != null && column < 0) {
			throw ToolArgumentException.of("column", "is " + column + ", but characters are counted from 1.",
					"Give a column of at least 1, or none.");
		}
		if (limit != null && limit < 1) {
			throw ToolArgumentException.of("limit", "is " + limit + ", but at least one line is read.",
					"Give a limit of at least 1, or none.");
		}
	}

	/**
	 * Returns whether the call requests the whole file, without a range.
	 */
	boolean isWhole() {
		return this.offset == null && this.limit == null && firstCharacter() == 0;
	}

	/**
	 * Returns the first character, from 1; 0 for whole lines.
	 */
	long firstCharacter() {
		return (this.column != null) ? this.column : 0;
	}

	long firstLine() {
		return (this.offset != null) ? Math.max(1, this.offset) : 1;
	}

	int maxLines(ReadOptions options) {
		if (firstCharacter() > 0) {
			return 1;
		}
		return (this.limit != null) ? (int) Math.min(this.limit, Integer.MAX_VALUE) : options.maxLines();
	}

	/**
	 * Returns the maximum number of characters of a line.
	 */
	int maxLineCharacters(ReadOptions options) {
		if (firstCharacter() == 0) {
			return options.maxLineCharacters();
		}
		long most = (this.limit != null) ? this.limit : (long) DEFAULT_PARTS * options.maxLineCharacters();
		return (int) Math.min(most, options.maxCharacters());
	}

}
