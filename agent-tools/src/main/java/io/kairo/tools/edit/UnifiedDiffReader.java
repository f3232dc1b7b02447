package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.tools.ToolArgumentException;
import org.jspecify.annotations.Nullable;

/**
 * The reader of unified diffs, also of Git. Counts in hunk headers decide only where the
 * lines of a hunk are ambiguous. For use by one thread.
 */
final class UnifiedDiffReader {

	/** The header of a hunk. */
	static final Pattern HEADER = Pattern
		.compile("@@+ *-(\\d{1,10})(?:,(\\d{1,10}))? +\\+(\\d{1,10})(?:,(\\d{1,10}))? *@@");

	private static final Pattern GIT = Pattern.compile("diff --git \"?a/(.+?)\"? \"?b/(.+?)\"?");

	private static final Pattern SAME = Pattern.compile("diff --git a/(.+) b/\\1");

	private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+.*");

	private static final int MAX_AHEAD = 20;

	private final PatchLines lines;

	private final List<PatchSection> sections = new ArrayList<>();

	/** The headers of the current file. */
	private Headers headers = new Headers();

	UnifiedDiffReader(PatchLines lines) {
		this.lines = lines;
	}

	/**
	 * Reads the sections of the diff.
	 * @throws ToolArgumentException if it is malformed
	 */
	List<PatchSection> read() {
		while (this.lines.hasNext()) {
			String line = this.lines.next();
			if (line.startsWith("diff --git ")) {
				finish();
				this.headers.isGit = true;
				Matcher names = GIT.matcher(line);
				if (names.matches()) {
					this.headers.named.add(PatchPath.literal(names.group(1)));
					this.headers.named.add(PatchPath.literal(names.group(2)));
					Matcher same = SAME.matcher(line);
					this.headers.name = same.matches() ? same.group(1) : null;
				}
			}
			else if (line.startsWith("--- ") && startsWith(this.lines.peek(), "+++ ")) {
				if (this.headers.old != null || !this.headers.hunks.isEmpty()) {
					finish();
				}
				this.headers.old = line.substring(4);
				this.headers.replacement = this.lines.next().substring(4);
			}
			else if (line.startsWith("@@")) {
				this.headers.hunks.add(hunk(line));
			}
			else if (this.headers.isGit) {
				extended(line);
			}
		}
		finish();
		return this.sections;
	}

	private static boolean startsWith(@Nullable String line, String text) {
		return line != null && line.startsWith(text);
	}

	private void extended(String line) {
		if (line.startsWith("rename from ")) {
			this.headers.from = line.substring("rename from ".length());
		}
		else if (line.startsWith("rename to ")) {
			this.headers.to = line.substring("rename to ".length());
		}
		else if (line.startsWith("copy from ") || line.startsWith("Binary files ")
				|| line.startsWith("GIT binary patch")) {
			throw this.lines.problem("is nothing that a patch can do here",
					"Leave this file out of the patch, and copy or write it in another way.");
		}
		else if (line.startsWith("new file mode ")) {
			this.headers.kind = PatchSection.Kind.ADD;
		}
		else if (line.startsWith("deleted file mode ")) {
			this.headers.kind = PatchSection.Kind.DELETE;
		}
		else if (line.startsWith("new mode ")) {
			this.headers.isModeChange = true;
		}
	}

	/**
	 * Reads a hunk.
	 */
	private Hunk hunk(String header) {
		HunkBuilder hunk = new HunkBuilder();
		Counts counts = new Counts();
		Matcher numbers = HEADER.matcher(header);
		if (numbers.lookingAt()) {
			hunk.statedLine(number(numbers.group(1)));
			counts.old = (numbers.group(2) != null) ? number(numbers.group(2)) : 1;
			counts.replacement = (numbers.group(4) != null) ? number(numbers.group(4)) : 1;
		}
		else if (header.replace("@", "").strip().length() > 0) {
			hunk.anchor(header.replaceAll("^@@+|\\s+@@+\\s*$", "").strip());
		}
		while (this.lines.hasNext() && !endsHunk(counts)) {
			String line = this.lines.next();
			hunk.add(line);
			counts.count(line);
		}
		return hunk.build(this.headers.hunks.size() + 1);
	}

	/**
	 * Returns whether the next line does not belong to the hunk.
	 */
	private boolean endsHunk(Counts counts) {
		String line = this.lines.next();
		String after = this.lines.peek();
		String third = this.lines.peek(1);
		this.lines.back();
		if (line.startsWith("@@") || line.startsWith("diff --git ") || line.startsWith("Index: ")) {
			return true;
		}
		if (line.startsWith("--- ") && startsWith(after, "+++ ")) {
			// else a removed line that begins with two hyphens, before an added one
			return counts.areMet() || (!counts.areMetAfterBoth() && (third == null || third.startsWith("@@")));
		}
		if (line.strip().equals("--") && after != null && VERSION.matcher(after).matches() && counts.areMet()) {
			return true;
		}
		boolean marked = !line.isEmpty() && " +-\\".indexOf(line.charAt(0)) >= 0;
		return !marked && counts.areMet() && !continues();
	}

	/**
	 * Returns whether changed lines follow soon: then the counts of the header are wrong.
	 */
	private boolean continues() {
		for (int i = 1; i < MAX_AHEAD; i++) {
			String line = this.lines.peek(i);
			if (line == null || line.startsWith("@@") || line.startsWith("--- ") || line.startsWith("diff ")) {
				return false;
			}
			if (line.startsWith("+") || (line.startsWith("-") && !line.startsWith("--"))) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns a number of a header, or the largest one.
	 */
	static int number(String digits) {
		return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(digits));
	}

	private void finish() {
		Headers all = this.headers;
		this.headers = new Headers();
		PatchSection section = all.section(this.lines);
		if (section != null) {
			this.sections.add(section);
		}
	}

	/**
	 * The lines that a hunk should have by its header.
	 */
	private static final class Counts {

		private int old = -1;

		private int replacement = -1;

		private void count(String line) {
			char mark = line.isEmpty() ? ' ' : line.charAt(0);
			this.old -= (mark == '+' || mark == '\\') ? 0 : 1;
			this.replacement -= (mark == '-' || mark == '\\') ? 0 : 1;
		}

		private boolean areMet() {
			return this.old == 0 && this.replacement == 0;
		}

		private boolean areMetAfterBoth() {
			return this.old >= 1 && this.replacement >= 1;
		}

	}

	/**
	 * The headers of a file, and its hunks.
	 */
	private static final class Headers {

		private final List<Hunk> hunks = new ArrayList<>();

		private final List<PatchPath> named = new ArrayList<>();

		private boolean isGit;

		private boolean isModeChange;

		private @Nullable String name;

		private @Nullable String old;

		private @Nullable String replacement;

		private @Nullable String from;

		private @Nullable String to;

		private PatchSection.Kind kind = PatchSection.Kind.UPDATE;

		private @Nullable PatchSection section(PatchLines lines) {
			if (this.name == null && this.old == null && this.from == null && this.hunks.isEmpty() && !this.isGit) {
				return null;
			}
			PatchPath before = null;
			PatchPath after = null;
			String oldName = this.old;
			String newName = this.replacement;
			if (oldName != null && newName != null) {
				boolean prefixed = (oldName.startsWith("a/") || oldName.startsWith("\"a/") || isNothing(oldName))
						&& (newName.startsWith("b/") || newName.startsWith("\"b/") || isNothing(newName));
				PatchPath.Prefix prefix = prefixed ? PatchPath.Prefix.GIT : PatchPath.Prefix.LITERAL;
				before = PatchPath.of(oldName, "a/", prefix);
				after = PatchPath.of(newName, "b/", prefix);
				this.kind = (before == null) ? PatchSection.Kind.ADD
						: (after == null) ? PatchSection.Kind.DELETE : this.kind;
			}
			if (this.from != null && this.to != null) {
				List<PatchPath> all = new ArrayList<>(this.named);
				if (before != null && after != null) {
					all.add(before);
					all.add(after);
				}
				return new PatchSection(PatchSection.Kind.UPDATE, PatchPath.literal(this.from),
						PatchPath.literal(this.to), this.hunks, all);
			}
			PatchPath path = (before != null && after != null && !before.equals(after)) ? both(before, after)
					: (before != null) ? before
							: (after != null) ? after : (this.name != null) ? PatchPath.literal(this.name) : null;
			if (path == null) {
				throw lines.problem("ends a file without a name",
						"Put '--- a/<path>' and '+++ b/<path>' before the hunks of each file.");
			}
			if (this.hunks.isEmpty() && this.kind == PatchSection.Kind.UPDATE) {
				throw lines.problem(this.isModeChange ? "ends a change of a file mode" : "ends a file without hunks",
						this.isModeChange ? "Leave it out: modes are changed by a command such as chmod."
								: "After @@, give the lines that change.");
			}
			return new PatchSection(this.kind, path, null, this.hunks, this.named);
		}

		private static boolean isNothing(String name) {
			return name.strip().startsWith("/dev/null");
		}

		/**
		 * Returns the path of headers with two names: the new file's path, if it is the
		 * old path without its prefix or with another ending.
		 */
		private static PatchPath both(PatchPath before, PatchPath after) {
			List<String> common = after.candidates().stream().filter(before.candidates()::contains).toList();
			if (!common.isEmpty()) {
				return new PatchPath(common);
			}
			throw new ToolArgumentException(
					"The headers of a file name '" + before.candidates().get(0) + "' and '" + after.candidates().get(0)
							+ "'.",
					"Name the same file in both; to move it, add 'diff --git' and the lines 'rename from <path>' and "
							+ "'rename to <path>'.");
		}

	}

}
