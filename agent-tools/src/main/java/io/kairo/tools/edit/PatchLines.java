package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.List;

import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a patch without their ends, and a position among them. For use by one
 * thread.
 */
final class PatchLines {

	/** Maximum number of lines. */
	static final int MAX_LINES = 200_000;

	private static final int MAX_SHOWN = 120;

	private final List<String> lines;

	private int next;

	/**
	 * Splits a patch.
	 * @param patch the patch
	 */
	PatchLines(String patch) {
		List<String> split = new ArrayList<>();
		int from = 0;
		while (from < patch.length() && split.size() <= MAX_LINES) {
			int end = patch.indexOf('\n', from);
			end = (end < 0) ? patch.length() : end;
			boolean returned = end > from && patch.charAt(end - 1) == '\r';
			split.add(patch.substring(from, returned ? end - 1 : end));
			from = end + 1;
		}
		this.lines = split;
	}

	boolean isTooLong() {
		return this.lines.size() > MAX_LINES;
	}

	/**
	 * Removes a fence of Markdown around the lines.
	 */
	PatchLines unfenced() {
		int first = 0;
		int last = this.lines.size();
		while (first < last && this.lines.get(first).isBlank()) {
			first++;
		}
		while (last > first && this.lines.get(last - 1).isBlank()) {
			last--;
		}
		if (last - first > 1 && this.lines.get(first).startsWith("```") && this.lines.get(last - 1).equals("```")) {
			this.lines.subList(last - 1, this.lines.size()).clear();
			this.lines.subList(0, first + 1).clear();
		}
		return this;
	}

	boolean hasNext() {
		return this.next < this.lines.size();
	}

	/**
	 * Returns the next line without passing it, null at the end.
	 */
	@Nullable String peek() {
		return peek(0);
	}

	/**
	 * Returns a line after the next one, null beyond the end.
	 */
	@Nullable String peek(int ahead) {
		return (this.next + ahead < this.lines.size()) ? this.lines.get(this.next + ahead) : null;
	}

	/**
	 * Returns whether the next line is there and begins with a text.
	 */
	boolean startsWith(String text) {
		return hasNext() && this.lines.get(this.next).startsWith(text);
	}

	String next() {
		return this.lines.get(this.next++);
	}

	/**
	 * Goes back by one line.
	 */
	void back() {
		this.next--;
	}

	/**
	 * Passes the lines before the first line of text, unless an earlier line begins a
	 * unified diff.
	 * @return whether there is such a line
	 */
	boolean skipTo(String text) {
		for (int i = this.next; i < this.lines.size(); i++) {
			String line = this.lines.get(i);
			if (line.strip().equals(text)) {
				this.next = i;
				return true;
			}
			if (line.startsWith("diff --git ") || line.startsWith("--- ") || line.startsWith("@@")) {
				return false;
			}
		}
		return false;
	}

	/**
	 * Creates the refusal of the line that was returned last.
	 */
	ToolArgumentException problem(String problem, String next) {
		String line = this.lines.get(Math.max(0, this.next - 1));
		return new ToolArgumentException(Phrase.of("Line %,d of the patch, '%s', %s.", Math.max(1, this.next),
				Phrase.visible((line.length() > MAX_SHOWN) ? line.substring(0, MAX_SHOWN) + "…" : line), problem),
				next);
	}

}
