package io.kairo.tools.file;

import io.kairo.tools.ToolArgumentException;
import org.jspecify.annotations.Nullable;

/**
 * The range of lines requested by a call.
 *
 * @param offset the first line, from 1; null for the beginning
 * @param limit the maximum number of lines, null for the default
 */
record LineRange(@Nullable Long offset, @Nullable Long limit) {

	LineRange {
		if (offset != null && offset < 1) {
			throw ToolArgumentException.of("offset", "is " + offset + ", but lines are counted from 1.",
					"Give an offset of at least 1, or none.");
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
		return this.offset == null && this.limit == null;
	}

	long firstLine() {
		return (this.offset != null) ? this.offset : 1;
	}

	int maxLines(ReadOptions options) {
		return (this.limit != null) ? (int) Math.min(this.limit, Integer.MAX_VALUE) : options.maxLines();
	}

}
