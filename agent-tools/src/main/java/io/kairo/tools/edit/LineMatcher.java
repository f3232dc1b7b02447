package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kairo.tools.text.EditableText;

/**
 * A search for a part of a text line by line, after a normalizer has removed the
 * tolerated differences. The first line of the part may start within a line, and the last
 * one may end within one. The time grows with the sum of both lengths. For use by one
 * thread.
 */
final class LineMatcher {

	/** Maximum number of places. */
	static final int MAX_PLACES = 100_000;

	private final EditableText text;

	private final LineNormalizer normalizer;

	private final String[] pattern;

	private final Anchor anchor;

	private final boolean endsAtLineEnd;

	private final EditTime time;

	private boolean cut;

	/**
	 * Prepares a search.
	 * @param text the text
	 * @param pattern the part
	 * @param normalizer removes the tolerated differences
	 * @param anchor the possible start and end of the part
	 * @param time the time of the edit
	 */
	LineMatcher(EditableText text, String pattern, LineNormalizer normalizer, Anchor anchor, EditTime time) {
		this.time = time;
		this.text = text;
		this.normalizer = normalizer;
		this.anchor = anchor;
		String[] lines = pattern.split("\n", -1);
		String last = lines[lines.length - 1];
		for (int i = 0; i < lines.length - 1; i++) {
			lines[i] = normalizer.apply(lines[i]);
		}
		lines[lines.length - 1] = normalizer.applyToLast(last);
		// a pattern whose end was normalized away must end at the end of a line
		this.endsAtLineEnd = anchor == Anchor.WHOLE_LINES ? !last.isEmpty()
				: lines[lines.length - 1].length() < last.length();
		this.pattern = lines;
	}

	/**
	 * Returns the normalized part.
	 */
	String pattern() {
		return String.join("\n", this.pattern);
	}

	/**
	 * Returns the places of the part in ascending order; they may overlap.
	 */
	List<Place> places() {
		return (this.pattern.length == 1) ? placesInLines() : placesOverLines();
	}

	/**
	 * Returns whether there are more places than were returned.
	 */
	boolean isCut() {
		return this.cut;
	}

	private List<Place> placesInLines() {
		List<Place> places = new ArrayList<>();
		String wanted = this.pattern[0];
		if (wanted.isEmpty()) {
			return places;
		}
		KmpSearch search = new KmpSearch(wanted.length(), wanted::charAt);
		for (int i = 0; i < this.text.lineCount() && !this.cut; i++) {
			this.time.step();
			String line = this.normalizer.apply(this.text.line(i));
			search.reset();
			for (int end = 1; end <= line.length() && !this.cut; end++) {
				int at = end - wanted.length();
				if (search.endsWith(line.charAt(end - 1)) && startsWell(at)
						&& (!this.endsAtLineEnd || end == line.length())) {
					add(places, new Place(i, at));
				}
			}
		}
		return places;
	}

	private List<Place> placesOverLines() {
		int count = this.text.lineCount();
		int inner = this.pattern.length - 2;
		Map<String, Integer> numbers = new HashMap<>();
		int[] wanted = new int[inner];
		for (int i = 0; i < inner; i++) {
			wanted[i] = numbers.computeIfAbsent(this.pattern[i + 1], (line) -> numbers.size());
		}
		BitSet firsts = new BitSet(count);
		List<Place> places = new ArrayList<>();
		KmpSearch search = new KmpSearch(inner, (i) -> wanted[i]);
		String last = this.pattern[inner + 1];
		int previous = -1;
		for (int i = 0; i < count && !this.cut; i++) {
			this.time.step();
			String line = this.normalizer.apply(this.text.line(i));
			firsts.set(i, line.endsWith(this.pattern[0]) && startsWell(line.length() - this.pattern[0].length()));
			// the last inner line, or the first line if there is no inner one
			int at = i - 1;
			if (at >= ((inner > 0) ? 1 : 0) && search.endsWith(previous)) {
				int first = at - inner;
				boolean ends = this.endsAtLineEnd ? line.equals(last) : line.startsWith(last);
				if (ends && first >= 0 && firsts.get(first)) {
					String start = this.normalizer.apply(this.text.line(first));
					add(places, new Place(first, start.length() - this.pattern[0].length()));
				}
			}
			previous = numbers.getOrDefault(line, -1);
		}
		return places;
	}

	private void add(List<Place> places, Place place) {
		if (places.size() == MAX_PLACES) {
			this.cut = true;
		}
		else {
			places.add(place);
		}
	}

	private boolean startsWell(int column) {
		return this.anchor == Anchor.ANYWHERE || column == 0;
	}

	/**
	 * The possible start and end positions of a part.
	 */
	enum Anchor {

		/** Anywhere. */
		ANYWHERE,

		/** At the start of a line. */
		LINE_START,

		/** At the start of a line, and it ends at the end of one. */
		WHOLE_LINES

	}

	/**
	 * The start position of a part.
	 *
	 * @param line the number of the line, from 0
	 * @param column the index of the first character in the line
	 */
	record Place(int line, int column) {

	}

}
