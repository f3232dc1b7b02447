package io.kairo.workspace.search;

import java.util.List;

/**
 * A part of a regular expression.
 */
sealed interface RegexNode {

	/**
	 * One character of a set.
	 */
	record OneOf(ByteSet set) implements RegexNode {
	}

	/**
	 * A condition on a position.
	 */
	enum Condition implements RegexNode {

		/** The start of a line. */
		LINE_START,

		/** The end of a line. */
		LINE_END,

		/** The start or end of a word. */
		WORD_BOUNDARY,

		/** Neither the start nor the end of a word. */
		NO_WORD_BOUNDARY

	}

	/**
	 * One part after another.
	 */
	record Sequence(List<RegexNode> parts) implements RegexNode {
	}

	/**
	 * One of several parts.
	 */
	record Alternatives(List<RegexNode> parts) implements RegexNode {
	}

	/**
	 * A repeated part.
	 *
	 * @param part the part
	 * @param min the minimum number of repetitions
	 * @param max the maximum number of repetitions, -1 if there is none
	 */
	record Repeated(RegexNode part, int min, int max) implements RegexNode {
	}

}
