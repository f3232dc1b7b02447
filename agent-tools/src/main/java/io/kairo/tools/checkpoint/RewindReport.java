package io.kairo.tools.checkpoint;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Change;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceCheckpoints.State;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.tools.Completeness;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.LineDiff;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The result of showing or undoing steps.
 *
 * @param context the context of the call
 * @param checkpoints the checkpoints of the session
 * @param maxCharacters the maximum length of the diffs
 */
record RewindReport(ToolContext context, WorkspaceCheckpoints checkpoints, int maxCharacters) {

	static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("done", OutputSchema.BOOLEAN, "Whether the files were changed")
		.required("steps", OutputSchema.listOf(OutputSchema.STRING), "The newest steps, the last one first")
		.required("total", OutputSchema.INTEGER, "Number of changed entries")
		.required("changes",
				OutputSchema.listOf(new OutputSchema().required("path", OutputSchema.STRING, "Path")
					.required("change", OutputSchema.STRING, "The text created, changed or deleted")
					.optional("obstacle", OutputSchema.STRING, "Why it is kept: conflict, unkept, not_empty or refused")
					.object()),
				"The first of the changed entries")
		.results();

	private static final int MAX_LISTED = 200;

	private static final int MAX_STEPS = 20;

	private static final int MAX_DATA = 1000;

	private static final int MAX_FILE = 1 << 20;

	private static final int MAX_DIFF_LINES = 400;

	/**
	 * Reports what the steps changed.
	 */
	ToolResult changes(Rewind rewind) {
		if (rewind.changes().isEmpty()) {
			return ToolResult.ok(unrecorded(rewind) + "Nothing is changed.", data(rewind, false));
		}
		StringBuilder text = new StringBuilder(summary(rewind, "by"));
		list(rewind, false, text);
		return shown(rewind, text, diffs(rewind, false), false);
	}

	/**
	 * Reports what was undone, or would be.
	 */
	ToolResult rewind(Rewind rewind) {
		if (rewind.changes().isEmpty()) {
			return ToolResult.ok(unrecorded(rewind) + "Nothing is to be undone: the files are as they were.",
					data(rewind, true));
		}
		long kept = rewind.changes().stream().filter((change) -> change.obstacle() != null).count();
		StringBuilder text = new StringBuilder(rewind.done() ? "Undone: "
				: (kept == rewind.changes().size()) ? "Nothing was undone: " : "Would be undone: ")
			.append(summary(rewind, "of"));
		list(rewind, true, text);
		if (kept > 0) {
			text.append(Phrase.of(
					"%s kept. Name what others changed, or what could not be brought back, in overwrite to undo it nevertheless.\n",
					Phrase.count(kept, "entry is", "entries are")));
		}
		return shown(rewind, text, rewind.done() ? "" : diffs(rewind, true), true);
	}

	/**
	 * Reports what a trial changes.
	 */
	ToolResult trial(Rewind rewind, String title) {
		long kept = rewind.changes().stream().filter((change) -> change.obstacle() != null).count();
		StringBuilder text = new StringBuilder(title).append(summary(rewind, "by", "command"));
		list(rewind, true, text);
		if (kept > 0) {
			text.append(Phrase.of(
					"%s. Name what others changed in overwrite to change it nevertheless, or discard the trial.\n",
					Phrase.count(kept, "entry cannot be committed", "entries cannot be committed")));
		}
		return shown(rewind, text, rewind.done() ? "" : diffs(rewind, true), true);
	}

	/**
	 * Shows all that a trial changes, for a decision on it. A content that is no text is
	 * named by its hash.
	 */
	ToolResult review(Rewind rewind, String title) {
		StringBuilder text = new StringBuilder(title).append(summary(rewind, "by", "command"));
		for (Change change : rewind.changes()) {
			text.append(kind(change, true)).append('\t').append(shown(change.path())).append('\t');
			String from = state(change.from());
			String to = state(change.to());
			text.append((from.isEmpty() || to.isEmpty() || from.equals(to)) ? to : from + " -> " + to)
				.append((change.obstacle() != null) ? "\t" + obstacle(change) : "")
				.append('\n');
		}
		text.append(diffs(rewind, (from, to, path) -> LineDiff.between(from, to).whole(path)));
		return ToolResult.ok(text.toString().stripTrailing(), data(rewind, true));
	}

	private String state(@Nullable State state) {
		if (state == null) {
			return "";
		}
		String mode = (state.mode() != null) ? " " + state.mode() : "";
		return switch (state.type()) {
			case DIRECTORY -> "directory" + mode;
			case LINK -> "link to " + Phrase.visible(String.valueOf(state.content()));
			case FILE -> "file" + mode + ((text(state) != null) ? "" : Phrase
				.of(" of %,d bytes that are not shown, sha256 %s", state.size(), String.valueOf(state.content())));
			default -> "special file" + mode;
		};
	}

	private static String summary(Rewind rewind, String by) {
		return summary(rewind, by, "step");
	}

	private static String summary(Rewind rewind, String by, String noun) {
		List<String> steps = rewind.steps();
		String named = steps.stream().limit(MAX_STEPS).map(Phrase::visible).collect(Collectors.joining("; "));
		return Phrase.of("%s %s %s%s%s\n", Phrase.count(rewind.changes().size(), "change"), by,
				Phrase.count(steps.size(), noun), steps.isEmpty() ? "" : ": " + named,
				(steps.size() > MAX_STEPS) ? "; …" : "");
	}

	/**
	 * Names the steps of which nothing else is known.
	 */
	private static String unrecorded(Rewind rewind) {
		return rewind.steps()
			.stream()
			.filter((step) -> step.startsWith("(not recorded)"))
			.map((step) -> Phrase.visible(step) + "\n")
			.collect(Collectors.joining());
	}

	private ToolResult shown(Rewind rewind, StringBuilder text, String diffs, boolean back) {
		if (diffs.length() <= this.maxCharacters) {
			return ToolResult.ok(text.append(diffs).toString().stripTrailing(), data(rewind, back));
		}
		String start = diffs.substring(0, diffs.lastIndexOf('\n', this.maxCharacters) + 1);
		String left = Phrase.of("cut after %,d of %,d characters: name paths to see some of them", start.length(),
				diffs.length());
		return new ToolResult(text.append(start).append('(').append(left).append(')').toString(), data(rewind, back),
				null, Completeness.partial(left, null));
	}

	/**
	 * Lists the changes: all deletions, and the first of the others.
	 */
	private void list(Rewind rewind, boolean back, StringBuilder text) {
		int listed = 0;
		for (Change change : rewind.changes()) {
			String kind = kind(change, back);
			if (listed++ < MAX_LISTED || (kind.equals("deleted") && !rewind.done())) {
				text.append(kind)
					.append('\t')
					.append(shown(change.path()))
					.append((change.obstacle() != null) ? "\t" + obstacle(change) : "")
					.append('\n');
			}
		}
		if (listed > MAX_LISTED) {
			text.append(Phrase.of("(%s in all)\n", Phrase.count(listed, "entry")));
		}
	}

	private String shown(WorkspacePath path) {
		return shown(path, this.context);
	}

	/**
	 * Spells a path, also one of a root that the workspace no longer has.
	 */
	static String shown(WorkspacePath path, ToolContext context) {
		try {
			return context.display(path);
		}
		catch (IllegalArgumentException ex) {
			return path.relative();
		}
	}

	private static String kind(Change change, boolean back) {
		State before = back ? change.from() : change.to();
		State after = back ? change.to() : change.from();
		return (before == null) ? "created" : (after == null) ? "deleted" : "changed";
	}

	private static String obstacle(Change change) {
		return switch (String.valueOf(change.obstacle())) {
			case "CONFLICT" -> "conflict: others changed it";
			case "UNKEPT" -> "a content is not kept, and could not be brought back";
			case "REFUSED" -> "the store refused the change";
			default -> "others have entries in it";
		};
	}

	private String diffs(Rewind rewind, boolean back) {
		return diffs(rewind, (from, to,
				path) -> LineDiff.between(back ? from : to, back ? to : from).unified(path, MAX_DIFF_LINES).text());
	}

	private String diffs(Rewind rewind, Comparison comparison) {
		StringBuilder diffs = new StringBuilder();
		for (Change change : rewind.changes()) {
			if (diffs.length() > this.maxCharacters) {
				break;
			}
			String from = text(change.from());
			String to = text(change.to());
			if (from != null && to != null && !from.equals(to)) {
				diffs.append(comparison.diff(from, to, shown(change.path())));
				if (diffs.charAt(diffs.length() - 1) != '\n') {
					diffs.append('\n');
				}
			}
		}
		return diffs.toString();
	}

	/**
	 * Returns the text of a file, empty if there is none; null if it is no text.
	 */
	private @Nullable String text(@Nullable State state) {
		if (state == null) {
			return "";
		}
		byte[] content = (state.type() == FileType.FILE) ? this.checkpoints.content(state, MAX_FILE) : null;
		try {
			return (content != null) ? StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString()
					: null;
		}
		catch (CharacterCodingException ex) {
			return null;
		}
	}

	private Map<String, Object> data(Rewind rewind, boolean back) {
		List<Map<String, Object>> changes = new ArrayList<>();
		for (Change change : rewind.changes().subList(0, Math.min(MAX_DATA, rewind.changes().size()))) {
			Map<String, Object> data = new LinkedHashMap<>();
			data.put("path", shown(change.path()));
			data.put("change", kind(change, back));
			if (change.obstacle() != null) {
				data.put("obstacle", change.obstacle().name().toLowerCase(Locale.ROOT));
			}
			changes.add(data);
		}
		return Map.of("done", rewind.done(), "steps", rewind.steps().stream().limit(MAX_STEPS).toList(), "changes",
				changes, "total", rewind.changes().size());
	}

	/**
	 * Shows the difference of two texts of a file.
	 */
	@FunctionalInterface
	private interface Comparison {

		String diff(String from, String to, String path);

	}

}
