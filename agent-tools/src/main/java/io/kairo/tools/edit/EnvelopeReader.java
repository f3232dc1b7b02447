package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.tools.ToolArgumentException;
import org.jspecify.annotations.Nullable;

/**
 * The reader of patches between {@code *** Begin Patch} and {@code *** End Patch}. For
 * use by one thread.
 */
final class EnvelopeReader {

	static final String BEGIN = "*** Begin Patch";

	private static final String END = "*** End Patch";

	private static final String ADD = "*** Add File:";

	private static final String UPDATE = "*** Update File:";

	private static final String DELETE = "*** Delete File:";

	private static final String MOVE = "*** Move to:";

	private static final String END_OF_FILE = "*** End of File";

	private static final String UNENDED = "\\ No newline";

	private static final Pattern MARKS = Pattern.compile("^@@+|\\s+@@+\\s*$");

	private final PatchLines lines;

	EnvelopeReader(PatchLines lines) {
		this.lines = lines;
	}

	/**
	 * Reads the sections of the patch.
	 * @throws ToolArgumentException if it is malformed
	 */
	List<PatchSection> read() {
		this.lines.next();
		List<PatchSection> sections = new ArrayList<>();
		while (true) {
			if (!this.lines.hasNext()) {
				throw new ToolArgumentException("The patch has no '" + END + "', so it may have been cut off.",
						"Give the whole patch, and end it with that line.");
			}
			String line = this.lines.next();
			String directive = line.strip();
			if (directive.startsWith(END)) {
				return sections;
			}
			if (directive.startsWith(ADD)) {
				sections.add(new PatchSection(PatchSection.Kind.ADD, path(directive, ADD), null, List.of(content())));
			}
			else if (directive.startsWith(DELETE)) {
				sections.add(new PatchSection(PatchSection.Kind.DELETE, path(directive, DELETE), null, List.of()));
			}
			else if (directive.startsWith(UPDATE)) {
				sections.add(update(path(directive, UPDATE)));
			}
			else if (!directive.isEmpty()) {
				throw this.lines.problem("is in no section", "Begin each section with '" + ADD + " <path>', '" + UPDATE
						+ " <path>' or '" + DELETE + " <path>'; after " + DELETE + " comes no content.");
			}
		}
	}

	private PatchPath path(String line, String directive) {
		String name = line.substring(directive.length()).strip();
		if (name.isEmpty()) {
			throw this.lines.problem("names no file", "Put the path of the file after the colon.");
		}
		return PatchPath.literal(name);
	}

	/**
	 * Reads the lines of a new file.
	 */
	private Hunk content() {
		HunkBuilder content = new HunkBuilder();
		int blank = 0;
		while (this.lines.hasNext() && !isDirective()) {
			String line = this.lines.next();
			if (line.isBlank()) {
				blank++; // they belong to the file only if more of it follows
				continue;
			}
			if (!line.startsWith("+") && !line.startsWith(UNENDED)) {
				throw this.lines.problem("is in a new file and does not begin with +",
						"Begin each line of a new file with +, also the empty ones.");
			}
			for (; blank > 0; blank--) {
				content.add("+");
			}
			content.add(line);
		}
		return content.build(1);
	}

	private PatchSection update(PatchPath path) {
		PatchPath target = null;
		if (this.lines.startsWith(MOVE)) {
			target = path(this.lines.next().strip(), MOVE);
		}
		if (this.lines.startsWith("--- ") && startsWith(this.lines.peek(1), "+++ ")
				&& startsWith(this.lines.peek(2), "@@")) {
			this.lines.next();
			this.lines.next();
		}
		List<Hunk> hunks = new ArrayList<>();
		HunkBuilder hunk = new HunkBuilder();
		while (this.lines.hasNext() && (!isDirective() || this.lines.startsWith(END_OF_FILE))) {
			String line = this.lines.next();
			if (line.startsWith(END_OF_FILE)) {
				hunk.endsFile();
			}
			else if (line.startsWith("@@")) {
				hunk = add(hunk, hunks);
				header(line, hunk);
			}
			else {
				hunk.add(line);
			}
		}
		add(hunk, hunks);
		if (hunks.isEmpty() && target == null) {
			throw this.lines.problem("begins a section without changes",
					"After @@, give the lines that change: those to remove with -, those to add with +, and those "
							+ "around them with a space.");
		}
		return new PatchSection(PatchSection.Kind.UPDATE, path, target, hunks);
	}

	private static boolean startsWith(@Nullable String line, String text) {
		return line != null && line.startsWith(text);
	}

	private boolean isDirective() {
		return this.lines.startsWith("*** ");
	}

	/**
	 * Adds a hunk unless it is empty: then only its anchors are known yet.
	 */
	private static HunkBuilder add(HunkBuilder hunk, List<Hunk> hunks) {
		if (hunk.isBlank()) {
			hunk.clear();
			return hunk;
		}
		hunks.add(hunk.build(hunks.size() + 1));
		return new HunkBuilder();
	}

	private static void header(String line, HunkBuilder hunk) {
		Matcher numbers = UnifiedDiffReader.HEADER.matcher(line);
		if (numbers.lookingAt()) {
			hunk.statedLine(UnifiedDiffReader.number(numbers.group(1)));
			return;
		}
		String anchor = MARKS.matcher(line).replaceAll("").strip();
		if (!anchor.isEmpty()) {
			hunk.anchor(anchor);
		}
	}

}
