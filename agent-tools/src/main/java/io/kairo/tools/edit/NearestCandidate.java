package io.kairo.tools.edit;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.kairo.tools.ToolError;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Gutter;
import io.kairo.tools.text.LineEnd;
import io.kairo.tools.text.Phrase;

/**
 * The explanation of an edit without a match, with the lines that resemble the part most.
 * Resemblance never causes an edit. Only a bounded part of the file is compared.
 */
final class NearestCandidate {

	private static final int MAX_LINES = 50_000;

	private static final int MAX_CHARACTERS = 2_000_000;

	private static final int MAX_LINE = 400;

	private static final int MAX_SHOWN = 12;

	private static final int MAX_MARKS = 4;

	private static final double RESEMBLES = 0.5;

	private final EditableText text;

	private final TextEdit edit;

	private final EditTime time;

	private final EditTerms terms;

	NearestCandidate(EditableText text, TextEdit edit, EditTerms terms, EditTime time) {
		this.time = time;
		this.text = text;
		this.edit = edit;
		this.terms = terms;
	}

	/**
	 * Returns the explanation.
	 * @param path the file, as spelled in results
	 */
	ToolError explain(String path) {
		String old = this.edit.oldString();
		String message = Phrase.of("%s is not in '%s'.", this.terms.old(), path) + expected();
		int applied = appliedLine();
		if (applied > 0) {
			return new ToolError(ToolError.NO_MATCH,
					Phrase.of("%s %s is there, in line %d.", message, this.terms.replacement(), applied),
					"The edit seems to have been made already; read the file to see.");
		}
		if (!TolerantMatcher.isTolerated(this.edit)) {
			return new ToolError(ToolError.NO_MATCH, message, Phrase.of(
					"Beyond %,d characters in %s and %s together, %s has to be exactly "
							+ "as it is there: give a shorter part, or write the whole file.",
					TolerantMatcher.MAX_TOLERATED, this.terms.old(), this.terms.replacement(), this.terms.old()));
		}
		List<String> wanted = List.of(LineEnd.strip(old).split("\n", -1));
		String next = Phrase.of("Give %s exactly as it is in the file.", this.terms.old());
		String elided = ElidedLines.in(old);
		if (elided != null) {
			message += Phrase.of(" Its line '%s' stands for lines that the file has in its place.",
					Phrase.visible(elided));
			next = Phrase.of(
					"Give every line of the part in %s, or make a change of its own for each part that " + "changes.",
					this.terms.old());
		}
		else if (old.indexOf('\uFFFD') >= 0) {
			message += " It has U+FFFD, which is shown for bytes that cannot be decoded.";
			next = Phrase.of("Leave U+FFFD out of %s: give a part of the line, or other lines.", this.terms.old());
		}
		else if (old.indexOf('\n') < 0 && old.contains("\\n")) {
			message += " It has \\n as two characters, a backslash and an n.";
		}
		String grown = new GrownCandidate(this.text, wanted, this.time).show(this.terms.old());
		if (grown != null) {
			return new ToolError(ToolError.NO_MATCH, message + grown, next);
		}
		int nearest = nearest(wanted);
		if (nearest < 0) {
			return new ToolError(ToolError.NO_MATCH, message,
					(elided != null || old.indexOf('\uFFFD') >= 0) ? next
							: Phrase.of(
									"Nothing there resembles it: read the file, or search "
											+ "for a part of it, and give %s exactly as it is there.",
									this.terms.old()));
		}
		return new ToolError(ToolError.NO_MATCH, message + " What resembles it most:\n" + show(nearest, wanted), next);
	}

	/**
	 * Returns the first lines of a hunk, to show it among the many others of its call.
	 */
	private String expected() {
		if (this.terms != EditTerms.HUNK) {
			return "";
		}
		List<String> lines = this.edit.oldString().lines().limit(MAX_SHOWN + 1).toList();
		StringBuilder shown = new StringBuilder(" Expected:\n");
		lines.stream().limit(MAX_SHOWN).forEach((line) -> shown.append(Phrase.visible(cut(line))).append('\n'));
		return shown + ((lines.size() > MAX_SHOWN) ? "…\n" : "");
	}

	/**
	 * Returns the line that the new text is in already, from 1; 0 if it is not there.
	 */
	private int appliedLine() {
		String replacement = this.edit.newString();
		if (replacement.isBlank() || replacement.length() <= 3) {
			return 0;
		}
		TolerantMatcher.Found applied = new TolerantMatcher(this.text,
				new TextEdit(replacement, "", TextEdit.Scope.ALL), this.time)
			.find();
		return (applied == null || (applied.level() != MatchLevel.EXACT && applied.level() != MatchLevel.LINE_ENDS)) ? 0
				: this.text.lineAt(applied.matches().get(0).offset(0)) + 1;
	}

	private String show(int first, List<String> wanted) {
		StringBuilder shown = new StringBuilder();
		int last = Math.min(first + Math.min(wanted.size(), MAX_SHOWN), this.text.lineCount());
		String difference = "";
		for (int i = first; i < last; i++) {
			String line = LineNormalizer.LINE_END.apply(this.text.line(i, MAX_CHARACTERS));
			shown.append(Gutter.number(i + 1, Phrase.visible(cut(line)))).append('\n');
			if (difference.isEmpty() && !line.equals(wanted.get(i - first))) {
				difference = difference(i, line, wanted.get(i - first));
			}
		}
		return shown.append(difference).toString().stripTrailing();
	}

	private String difference(int number, String line, String wanted) {
		int column = 0;
		while (column < Math.min(line.length(), wanted.length()) && line.charAt(column) == wanted.charAt(column)) {
			column++;
		}
		return Phrase.of("The first difference is in line %d, column %d: the file has %s, %s has %s.", number + 1,
				column + 1, character(line, column), this.terms.old(), character(wanted, column));
	}

	private static String character(String line, int column) {
		if (column >= line.length()) {
			return "the end of the line";
		}
		int c = line.codePointAt(column);
		int end = column + Character.charCount(c);
		while (end < line.length() && end - column < MAX_MARKS && isMark(line.charAt(end))) {
			end++;
		}
		String shown = line.substring(column, end);
		return switch (shown) {
			case " " -> "a space";
			case "\t" -> "a tab";
			default -> "'" + Phrase.visible(shown) + "'"
					+ ((shown.length() == 1 && c < 0x80) ? ""
							: shown.codePoints()
								.mapToObj((point) -> Phrase.of("U+%04X", point))
								.collect(Collectors.joining(" ", " (", ")")));
		};
	}

	/**
	 * Returns whether a character is shown as a part of the one before it.
	 */
	private static boolean isMark(char c) {
		return Character.getType(c) == Character.NON_SPACING_MARK;
	}

	/**
	 * Returns the first line of the most similar lines, -1 if none are similar.
	 */
	private int nearest(List<String> wanted) {
		int key = 0;
		for (int i = 1; i < wanted.size(); i++) {
			key = (wanted.get(i).strip().length() > wanted.get(key).strip().length()) ? i : key;
		}
		Set<Integer> pairs = pairs(wanted.get(key));
		if (pairs.isEmpty()) {
			return -1;
		}
		double best = RESEMBLES;
		int nearest = -1;
		int characters = 0;
		int lines = Math.min(this.text.lineCount(), MAX_LINES);
		for (int i = 0; i < lines && characters < MAX_CHARACTERS; i++) {
			String line = this.text.line(i, MAX_CHARACTERS);
			characters += line.length();
			Set<Integer> others = pairs(line);
			int common = 0;
			for (Integer pair : others) {
				common += pairs.contains(pair) ? 1 : 0;
			}
			double similarity = 2.0 * common / (pairs.size() + others.size());
			if (similarity > best) {
				best = similarity;
				nearest = i;
			}
		}
		return (nearest < 0) ? -1 : Math.max(0, nearest - key);
	}

	/**
	 * Returns the pairs of neighbouring characters of a line.
	 */
	private static Set<Integer> pairs(String line) {
		String text = cut(line.strip());
		Set<Integer> pairs = new HashSet<>();
		for (int i = 0; i + 1 < text.length(); i++) {
			pairs.add(text.charAt(i) << 16 | text.charAt(i + 1));
		}
		return pairs;
	}

	private static String cut(String line) {
		return (line.length() > MAX_LINE) ? line.substring(0, MAX_LINE) + "…" : line;
	}

}
