package io.kairo.workspace.search;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A glob for paths: a sequence of patterns for names, with {@code **} for any number of
 * names. Immutable.
 */
final class SegmentPath {

	/** The patterns; null matches any number of names. */
	private final List<@Nullable SegmentPattern> segments;

	private final DotRule dotRule;

	/** The pattern of the last name if no other matters, null otherwise. */
	private final @Nullable SegmentPattern anyDirectory;

	private SegmentPath(List<@Nullable SegmentPattern> segments, DotRule dotRule) {
		this.segments = segments;
		this.dotRule = dotRule;
		this.anyDirectory = (dotRule == DotRule.DOT_IS_ORDINARY && segments.size() == 2 && segments.get(0) == null)
				? segments.get(1) : null;
	}

	/**
	 * Creates a pattern.
	 * @param names globs for single names; empty ones and {@code .} are ignored
	 * @param dotRule whether wildcards match hidden names
	 */
	static SegmentPath of(List<String> names, DotRule dotRule) {
		return of(names, dotRule, SegmentPattern::of);
	}

	/**
	 * Creates a pattern.
	 * @param names globs for single names; empty ones and {@code .} are ignored
	 * @param dotRule whether wildcards match hidden names
	 * @param pattern makes the pattern of a glob for a name
	 */
	static SegmentPath of(List<String> names, DotRule dotRule, Function<String, SegmentPattern> pattern) {
		List<@Nullable SegmentPattern> segments = new ArrayList<>();
		for (String name : names) {
			if (name.equals("**")) {
				if (segments.isEmpty() || segments.get(segments.size() - 1) != null) {
					segments.add(null);
				}
			}
			else if (!name.isEmpty() && !name.equals(".")) {
				segments.add(pattern.apply(name));
			}
		}
		if (!segments.isEmpty() && segments.get(segments.size() - 1) == null) {
			segments.add(SegmentPattern.of("*"));
		}
		return new SegmentPath(segments, dotRule);
	}

	boolean matches(List<String> names) {
		if (this.anyDirectory != null) {
			return this.anyDirectory.matches(names.get(names.size() - 1));
		}
		return states(names)[this.segments.size()];
	}

	/**
	 * Returns whether paths below the given one may match.
	 */
	boolean mayMatchBelow(List<String> names) {
		boolean[] states = states(names);
		for (int i = 0; i < this.segments.size(); i++) {
			if (states[i]) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns the states of the automaton of this pattern after the names: for each
	 * number of segments whether the names may match the first segments of the pattern.
	 */
	private boolean[] states(List<String> names) {
		boolean[] states = new boolean[this.segments.size() + 1];
		states[0] = true;
		skipAnyNumber(states);
		for (String name : names) {
			for (int i = this.segments.size(); i >= 0; i--) {
				boolean before = i > 0 && states[i - 1] && admits(this.segments.get(i - 1), name);
				boolean stays = i < this.segments.size() && states[i] && this.segments.get(i) == null
						&& admits(null, name);
				states[i] = before || stays;
			}
			skipAnyNumber(states);
		}
		return states;
	}

	private void skipAnyNumber(boolean[] states) {
		for (int i = 0; i < this.segments.size(); i++) {
			if (states[i] && this.segments.get(i) == null) {
				states[i + 1] = true;
			}
		}
	}

	private boolean admits(@Nullable SegmentPattern segment, String name) {
		boolean hidden = this.dotRule == DotRule.DOT_IS_NAMED && name.startsWith(".");
		if (segment == null) {
			return !hidden;
		}
		return (!hidden || segment.beginsWithDot()) && segment.matches(name);
	}

	/**
	 * The meaning of a wildcard at the beginning of a name.
	 */
	enum DotRule {

		/** The wildcard matches any name. */
		DOT_IS_ORDINARY,

		/** The wildcard does not match a leading dot. */
		DOT_IS_NAMED

	}

}
