package io.kairo.tools.text;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.Chunk;
import com.github.difflib.patch.Patch;
import org.jspecify.annotations.Nullable;

/**
 * The difference between two texts by lines. Common lines at the beginning and at the end
 * are found first; if more than 1,000 lines, or 1 Mi characters, lie between, all of them
 * count as replaced. The time grows with the length of the texts, and lines that are not
 * shown take no memory.
 */
public final class LineDiff {

	private static final int MAX_COMPARED = 1000;

	private static final int MAX_COMPARED_CHARACTERS = 1 << 20;

	private static final int CONTEXT = 3;

	/** Number of lines that name the files. */
	private static final int HEADER = 2;

	private static final int MAX_LINE = 400;

	private static final int MAX_CHARACTERS = 30_000;

	private final TextLines before;

	/** The lines of the old text that may have been removed. */
	private final TextLines removed;

	/** The lines of the new text that may have been added. */
	private final TextLines added;

	/** The number of common lines at the beginning. */
	private final int prefix;

	/** The changes, or null if there are too many lines to compare. */
	private final @Nullable Patch<String> patch;

	/** Returns a line of the diff as it is shown. */
	private final UnaryOperator<String> decoder;

	private LineDiff(TextLines before, TextLines removed, TextLines added, UnaryOperator<String> decoder) {
		this.decoder = decoder;
		this.before = before;
		this.removed = removed;
		this.added = added;
		this.prefix = before.upTo(removed.from()).count();
		this.patch = (removed.count() + (long) added.count() <= MAX_COMPARED
				&& removed.length() + (long) added.length() <= MAX_COMPARED_CHARACTERS) ? compare() : null;
	}

	/**
	 * Compares two texts.
	 * @param before the old text
	 * @param after the new text
	 * @return the difference
	 */
	public static LineDiff between(String before, String after) {
		return between(before, after, UnaryOperator.identity());
	}

	/**
	 * Compares two texts of the same encoding. Only the lines that are shown are decoded,
	 * if line feeds are bytes, so that both texts take the memory of their bytes once
	 * more.
	 * @param before the old text
	 * @param after the new text
	 * @return the difference
	 */
	public static LineDiff between(EditableText before, EditableText after) {
		if (!before.encoding().hasByteLines()) {
			return between(before.text(), after.text());
		}
		Charset charset = before.charset();
		return between(bytes(before), bytes(after),
				(line) -> new String(line.getBytes(StandardCharsets.ISO_8859_1), charset));
	}

	/**
	 * Returns the bytes of a text as characters.
	 */
	private static String bytes(EditableText text) {
		int from = text.encoding().bomLength();
		return new String(text.bytes(), from, text.bytes().length - from, StandardCharsets.ISO_8859_1);
	}

	private static LineDiff between(String before, String after, UnaryOperator<String> decoder) {
		int most = Math.min(before.length(), after.length());
		int same = 0;
		while (same < most && before.charAt(same) == after.charAt(same)) {
			same++;
		}
		boolean equal = same == before.length() && same == after.length();
		int start = equal ? same : before.lastIndexOf('\n', same - 1) + 1;
		int common = 0;
		while (common < most - start
				&& before.charAt(before.length() - 1 - common) == after.charAt(after.length() - 1 - common)) {
			common++;
		}
		int oldEnd = before.length() - common;
		int newEnd = after.length() - common;
		if (!startsLine(before, start, oldEnd) || !startsLine(after, start, newEnd)) {
			int next = before.indexOf('\n', oldEnd) + 1;
			newEnd += (next > 0) ? next - oldEnd : common;
			oldEnd = (next > 0) ? next : before.length();
		}
		return new LineDiff(new TextLines(before, 0, before.length()), new TextLines(before, start, oldEnd),
				new TextLines(after, start, newEnd), decoder);
	}

	private static boolean startsLine(String text, int first, int at) {
		return at == first || text.charAt(at - 1) == '\n';
	}

	/**
	 * Returns the number of added lines.
	 * @return the number
	 */
	public int added() {
		return (this.patch != null)
				? this.patch.getDeltas().stream().mapToInt((delta) -> delta.getTarget().size()).sum()
				: this.added.count();
	}

	/**
	 * Returns the number of removed lines.
	 * @return the number
	 */
	public int removed() {
		return (this.patch != null)
				? this.patch.getDeltas().stream().mapToInt((delta) -> delta.getSource().size()).sum()
				: this.removed.count();
	}

	/**
	 * Returns the difference as a unified diff. Control characters within a line are
	 * escaped.
	 * @param path the name of both files
	 * @param maxLines the maximum number of lines; a last line says how many are left out
	 * @return the diff, and whether anything was left out
	 */
	public Unified unified(String path, int maxLines) {
		return unified(path, new Limits(maxLines, MAX_LINE, MAX_CHARACTERS));
	}

	/**
	 * Returns the difference as a unified diff from which nothing is left out. Control
	 * characters within a line are escaped.
	 * @param path the name of both files
	 * @return the diff, empty if the texts are equal
	 */
	public String whole(String path) {
		return unified(path, Limits.NONE).text();
	}

	private Unified unified(String path, Limits limits) {
		String name = path.startsWith("/") ? path : "/" + path;
		if (this.patch == null) {
			return replacement(name, limits);
		}
		List<String> diff = UnifiedDiffUtils.generateUnifiedDiff("a" + name, "b" + name, linesAround(), this.patch,
				CONTEXT);
		return cut(diff.stream(), diff.size(), limits);
	}

	private Patch<String> compare() {
		Patch<String> patch = new Patch<>();
		for (AbstractDelta<String> delta : DiffUtils.diff(this.removed.list(), this.added.list()).getDeltas()) {
			patch.addDelta(delta.withChunks(moved(delta.getSource()), moved(delta.getTarget())));
		}
		return patch;
	}

	private Chunk<String> moved(Chunk<String> chunk) {
		return new Chunk<>(chunk.getPosition() + this.prefix, chunk.getLines());
	}

	/**
	 * Returns the lines of the old text. Only the lines around the changes exist.
	 */
	private List<String> linesAround() {
		List<String> lines = new ArrayList<>(this.before.lastUpTo(this.removed.from(), CONTEXT));
		int first = this.prefix - lines.size();
		lines.addAll(this.removed.list());
		lines.addAll(following());
		return new AbstractList<>() {

			@Override
			public String get(int index) {
				return lines.get(index - first);
			}

			@Override
			public int size() {
				return first + lines.size();
			}

		};
	}

	private List<String> following() {
		return this.before.startingAt(this.removed.to()).stream().limit(CONTEXT).toList();
	}

	/**
	 * Returns the difference with all lines between the common ones replaced.
	 */
	private Unified replacement(String name, Limits limits) {
		List<String> preceding = this.before.lastUpTo(this.removed.from(), CONTEXT);
		List<String> following = following();
		int context = preceding.size() + following.size();
		int start = Math.max(1, this.prefix + 1 - CONTEXT);
		Stream<String> header = Stream.of("--- a" + name, "+++ b" + name, "@@ -%d,%d +%d,%d @@".formatted(start,
				context + this.removed.count(), start, context + this.added.count()));
		Stream<String> lines = Stream
			.of(preceding.stream().map((line) -> " " + line), this.removed.stream().map((line) -> "-" + line),
					this.added.stream().map((line) -> "+" + line), following.stream().map((line) -> " " + line))
			.reduce(header, Stream::concat);
		return cut(lines, 3 + context + this.removed.count() + this.added.count(), limits);
	}

	private Unified cut(Stream<String> diff, int size, Limits limits) {
		List<String> shown = new ArrayList<>();
		boolean whole = true;
		int characters = 0;
		for (String line : (Iterable<String>) diff::iterator) {
			if (shown.size() == limits.lines() || characters > limits.characters()) {
				shown.add(Phrase.of("… (%s of the diff left out)", Phrase.count(size - shown.size(), "line")));
				whole = false;
				break;
			}
			String decoded = (shown.size() < HEADER) ? line : this.decoder.apply(line);
			boolean cut = decoded.length() > limits.line();
			String visible = visible(cut ? decoded.substring(0, limits.line()) + "…" : decoded);
			shown.add(visible);
			characters += visible.length() + 1;
			whole &= !cut;
		}
		return new Unified(String.join("\n", shown), whole);
	}

	/**
	 * Escapes a line up to its carriage return or the note that it has no end.
	 */
	private static String visible(String line) {
		int note = line.indexOf('\n');
		int end = (note >= 0) ? note : line.length();
		end -= (end > 0 && line.charAt(end - 1) == '\r') ? 1 : 0;
		return Phrase.visible(line.substring(0, end)) + line.substring(end);
	}

	/**
	 * A unified diff.
	 *
	 * @param text the diff, empty if the texts are equal
	 * @param whole whether nothing was left out or cut
	 */
	public record Unified(String text, boolean whole) {

	}

	/**
	 * The bounds of a diff.
	 *
	 * @param lines the maximum number of lines
	 * @param line the maximum length of a line
	 * @param characters the length after which no line follows
	 */
	private record Limits(int lines, int line, int characters) {

		static final Limits NONE = new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE);

	}

}
