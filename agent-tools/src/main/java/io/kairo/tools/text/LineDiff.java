package io.kairo.tools.text;

import java.util.ArrayList;
import java.util.List;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.ChangeDelta;
import com.github.difflib.patch.Chunk;
import com.github.difflib.patch.Patch;

/**
 * The difference between two texts by lines. Common lines at the beginning and at the end
 * are found first; if more than 1,000 lines lie between, all of them count as replaced.
 *
 * @since 0.1.0
 */
public final class LineDiff {

	private static final int MAX_COMPARED = 1000;

	private static final int CONTEXT = 3;

	private static final int MAX_LINE = 400;

	private static final int MAX_CHARACTERS = 30_000;

	private final List<String> before;

	private final Patch<String> patch;

	private LineDiff(List<String> before, Patch<String> patch) {
		this.before = before;
		this.patch = patch;
	}

	/**
	 * Compares two texts.
	 * @param before the old text
	 * @param after the new text
	 * @return the difference
	 */
	public static LineDiff between(String before, String after) {
		List<String> old = lines(before);
		List<String> now = lines(after);
		int prefix = 0;
		int most = Math.min(old.size(), now.size());
		while (prefix < most && old.get(prefix).equals(now.get(prefix))) {
			prefix++;
		}
		int suffix = 0;
		while (suffix < most - prefix && old.get(old.size() - 1 - suffix).equals(now.get(now.size() - 1 - suffix))) {
			suffix++;
		}
		List<String> oldMiddle = old.subList(prefix, old.size() - suffix);
		List<String> nowMiddle = now.subList(prefix, now.size() - suffix);
		Patch<String> patch = new Patch<>();
		if (oldMiddle.size() + nowMiddle.size() > MAX_COMPARED) {
			patch.addDelta(new ChangeDelta<>(new Chunk<>(prefix, oldMiddle), new Chunk<>(prefix, nowMiddle)));
		}
		else {
			for (AbstractDelta<String> delta : DiffUtils.diff(oldMiddle, nowMiddle).getDeltas()) {
				patch.addDelta(delta.withChunks(moved(delta.getSource(), prefix), moved(delta.getTarget(), prefix)));
			}
		}
		return new LineDiff(old, patch);
	}

	private static Chunk<String> moved(Chunk<String> chunk, int by) {
		return new Chunk<>(chunk.getPosition() + by, chunk.getLines());
	}

	/**
	 * Returns the number of added lines.
	 * @return the number
	 */
	public int added() {
		return this.patch.getDeltas().stream().mapToInt((delta) -> delta.getTarget().size()).sum();
	}

	/**
	 * Returns the number of removed lines.
	 * @return the number
	 */
	public int removed() {
		return this.patch.getDeltas().stream().mapToInt((delta) -> delta.getSource().size()).sum();
	}

	/**
	 * Returns the difference as a unified diff.
	 * @param path the name of both files
	 * @param maxLines the maximum number of lines; a last line says how many are left out
	 * @return the diff, and whether anything was left out
	 */
	public Unified unified(String path, int maxLines) {
		String name = path.startsWith("/") ? path : "/" + path;
		List<String> diff = UnifiedDiffUtils.generateUnifiedDiff("a" + name, "b" + name, this.before, this.patch,
				CONTEXT);
		List<String> shown = new ArrayList<>();
		boolean whole = true;
		int characters = 0;
		for (String line : diff) {
			if (shown.size() == maxLines || characters > MAX_CHARACTERS) {
				shown.add(Phrase.of("… (%,d lines of the diff left out)", diff.size() - shown.size()));
				whole = false;
				break;
			}
			boolean cut = line.length() > MAX_LINE;
			shown.add(cut ? line.substring(0, MAX_LINE) + "…" : line);
			characters += Math.min(line.length(), MAX_LINE) + 1;
			whole &= !cut;
		}
		return new Unified(String.join("\n", shown), whole);
	}

	/**
	 * Splits a text into lines. A line that has another end than a line feed shows it,
	 * and so does a last line without end.
	 */
	private static List<String> lines(String text) {
		if (text.isEmpty()) {
			return List.of();
		}
		List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
		String last = lines.remove(lines.size() - 1);
		if (!last.isEmpty()) {
			lines.add(last + "\n\\ No newline at end of file");
		}
		return lines;
	}

	/**
	 * A unified diff.
	 *
	 * @param text the diff, empty if the texts are equal
	 * @param whole whether nothing was left out or cut
	 */
	public record Unified(String text, boolean whole) {

	}

}
