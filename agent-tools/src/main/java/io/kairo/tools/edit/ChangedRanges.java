package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.List;

/**
 * The ranges of bytes that a sequence of edits has written, as offsets into the text
 * after the last edit. For use by one thread.
 */
final class ChangedRanges {

	private List<Range> ranges = List.of();

	/**
	 * Returns the number of the earlier edit whose bytes splices would replace.
	 * @param splices splices in ascending order
	 * @return the number, -1 if there is none
	 */
	int overlapping(List<ByteSplice> splices) {
		int i = 0;
		for (ByteSplice splice : splices) {
			while (i < this.ranges.size() && this.ranges.get(i).to() <= splice.from()) {
				i++;
			}
			if (i < this.ranges.size()) {
				Range next = this.ranges.get(i);
				boolean within = splice.from() > next.from() || splice.to() > next.from();
				if (within && next.to() > next.from()) {
					return next.edit();
				}
			}
		}
		return -1;
	}

	/**
	 * Adds the ranges of an edit that does not overlap with the earlier ones.
	 * @param splices the splices of the edit in ascending order
	 * @param edit the number of the edit
	 */
	void add(List<ByteSplice> splices, int edit) {
		List<Range> merged = new ArrayList<>(this.ranges.size() + splices.size());
		int i = 0;
		int shift = 0;
		for (ByteSplice splice : splices) {
			for (; i < this.ranges.size() && this.ranges.get(i).to() <= splice.from(); i++) {
				merged.add(this.ranges.get(i).shifted(shift));
			}
			// if text was only removed, nothing remains to be shown apart
			while (i < this.ranges.size() && this.ranges.get(i).to() < splice.to()) {
				i++;
			}
			int from = splice.from() + shift;
			merged.add(new Range(from, from + splice.replacement().length, edit));
			shift += splice.growth();
		}
		for (; i < this.ranges.size(); i++) {
			merged.add(this.ranges.get(i).shifted(shift));
		}
		this.ranges = merged;
	}

	/**
	 * Returns the ranges in ascending order.
	 */
	List<Range> all() {
		return this.ranges;
	}

	/**
	 * A range of bytes.
	 *
	 * @param from the offset of its first byte
	 * @param to the offset after its last byte
	 * @param edit the number of the edit that wrote it
	 */
	record Range(int from, int to, int edit) {

		private Range shifted(int shift) {
			return new Range(this.from + shift, this.to + shift, this.edit);
		}

	}

}
