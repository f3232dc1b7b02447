package io.kairo.workspace.search;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.kairo.workspace.search.RegexNode.Alternatives;
import io.kairo.workspace.search.RegexNode.Condition;
import io.kairo.workspace.search.RegexNode.OneOf;
import io.kairo.workspace.search.RegexNode.Repeated;
import io.kairo.workspace.search.RegexNode.Sequence;
import org.jspecify.annotations.Nullable;

/**
 * Derives texts from a part of a regular expression, such that every match contains one.
 */
final class RequiredLiterals {

	/** Maximum share of the positions of a text that a search may stop at. */
	private static final double MAX_SHARE = 1.0 / 200;

	private static final int MAX_LENGTH = 64;

	private static final int CASE_BIT = 0x20;

	private RequiredLiterals() {
	}

	/**
	 * Returns the texts, in the characters of {@link LiteralSet}.
	 * @return the texts, null if none are known or if they are too frequent
	 */
	static @Nullable List<String> of(RegexNode node) {
		List<String> texts = best(node);
		return (texts != null && LiteralSet.share(texts) <= MAX_SHARE) ? texts : null;
	}

	private static @Nullable List<String> best(RegexNode node) {
		if (node instanceof Sequence sequence) {
			return best(sequence.parts());
		}
		if (node instanceof Alternatives alternatives) {
			return union(alternatives.parts(), RequiredLiterals::best);
		}
		return best(List.of(node));
	}

	private static @Nullable List<String> best(List<RegexNode> parts) {
		List<String> best = null;
		List<String> run = List.of("");
		for (RegexNode part : parts) {
			boolean repeated = part instanceof Repeated;
			RegexNode once = (part instanceof Repeated several && several.min() > 0) ? several.part() : part;
			List<String> texts = all(once);
			List<String> longer = (texts != null) ? product(run, texts) : null;
			if (longer != null) {
				run = longer;
			}
			if (longer == null || repeated) {
				best = rarer(best, run);
				boolean nested = texts == null && !(once instanceof OneOf) && !(once instanceof Repeated);
				best = nested ? rarer(best, best(once)) : best;
				run = (texts != null) ? texts : List.of("");
			}
		}
		return rarer(best, run);
	}

	/**
	 * Returns all texts that match a part, null if they are unknown or too many.
	 */
	private static @Nullable List<String> all(RegexNode node) {
		if (node instanceof Condition) {
			return List.of("");
		}
		if (node instanceof OneOf one) {
			return character(one.set());
		}
		if (node instanceof Alternatives alternatives) {
			return union(alternatives.parts(), RequiredLiterals::all);
		}
		if (node instanceof Sequence sequence) {
			List<String> all = List.of("");
			for (RegexNode part : sequence.parts()) {
				List<String> texts = all(part);
				all = (texts != null && all != null) ? product(all, texts) : null;
				if (all == null) {
					return null;
				}
			}
			return all;
		}
		return null;
	}

	private static @Nullable List<String> union(List<RegexNode> parts,
			Function<RegexNode, @Nullable List<String>> textsOf) {
		List<String> all = new ArrayList<>();
		for (RegexNode part : parts) {
			List<String> texts = textsOf.apply(part);
			if (texts == null || all.size() + texts.size() > LiteralSet.MAX_SIZE) {
				return null;
			}
			all.addAll(texts);
		}
		return all;
	}

	private static @Nullable List<String> character(ByteSet set) {
		if (set.others() || set.size() > 2 || set.size() == 0) {
			return null;
		}
		int first = -1;
		int last = -1;
		for (int c = 0; c < 0x80; c++) {
			if (set.has((byte) c)) {
				first = (first < 0) ? c : first;
				last = c;
			}
		}
		if (first == last) {
			return List.of(String.valueOf(LiteralSet.character(0, first)));
		}
		return (first == (last & ~CASE_BIT)) ? List.of(String.valueOf(LiteralSet.character(CASE_BIT, last))) : null;
	}

	private static @Nullable List<String> product(List<String> starts, List<String> ends) {
		if (starts.size() * ends.size() > LiteralSet.MAX_SIZE || starts.get(0).length() > MAX_LENGTH) {
			return null;
		}
		List<String> all = new ArrayList<>();
		for (String start : starts) {
			ends.forEach((end) -> all.add(start + end));
		}
		return all;
	}

	private static @Nullable List<String> rarer(@Nullable List<String> some, @Nullable List<String> others) {
		if (others == null || others.contains("")) {
			return some;
		}
		return (some == null || LiteralSet.share(others) < LiteralSet.share(some)) ? others : some;
	}

}
