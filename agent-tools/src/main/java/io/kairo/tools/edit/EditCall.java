package io.kairo.tools.edit;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.Completeness;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.NearNames;
import io.kairo.tools.file.SeenVersion;
import io.kairo.tools.file.UnmappableCharacters;
import io.kairo.tools.file.WholeFile;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Gutter;
import io.kairo.tools.text.LineDiff;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.TextEncoding;
import org.jspecify.annotations.Nullable;

/**
 * A call of {@link EditTool}.
 *
 * @param edit the edit
 * @param effect the effect of the call
 * @param seen the version that the edit is based on
 * @param context the context of the call
 * @param options the bounds of the tool
 */
record EditCall(TextEdit edit, Effect effect, SeenVersion seen, ToolContext context, EditOptions options) {

	private static final int MAX_DRY_RUN_LINES = 1000;

	ToolResult perform() {
		WorkspaceResult<WholeFile> read = WholeFile.read(files(), path(), this.options.maxFileBytes());
		if (read instanceof WorkspaceResult.Failure<WholeFile> failure) {
			return switch (failure.code()) {
				case FILE_NOT_FOUND -> absent(failure.message());
				case TOO_LARGE -> ToolResult.failure(failure.code().code(), failure.message() + ".",
						"Use a command such as sed on '" + shownPath() + "'.");
				default -> ToolResult.failure(failure);
			};
		}
		WholeFile file = read.value();
		if (this.edit.oldString().isEmpty()) {
			return ToolResult.failure(WorkspaceErrorCode.FILE_EXISTS.code(),
					"'" + shownPath() + "' exists, and an empty old_string only creates a file that does not.",
					"Give the part to replace in old_string, or write the whole file anew.");
		}
		String kind = file.binaryKind();
		if (kind != null) {
			return ToolResult.failure(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE.code(),
					Phrase.of("'%s' is %s of %,d bytes, not text.", shownPath(), kind, file.bytes().length),
					"Use a command that understands this kind of file.");
		}
		if (this.seen.isOutdated(file.version())) {
			return this.seen.stale(shownPath(), file, this.options.maxDiffLines());
		}
		CallDeadline deadline = this.context.deadline(this.options.deadline());
		EditPlan plan = new EditPlan(shownPath(), file.text(), this.options.maxFileBytes(), new EditTime(deadline));
		ToolError problem = perform(plan);
		if (deadline.isCancelled()) {
			return ToolResult.cancelled("The edit was cancelled, and nothing was written.");
		}
		if (problem != null) {
			return ToolResult.failure(problem);
		}
		if (Arrays.equals(plan.text().bytes(), file.bytes())) {
			return ToolResult.failure(ToolError.NO_CHANGE,
					"'" + shownPath() + "' would be the same afterwards: new lines end as those of the file do.",
					"Leave the file as it is; to change line ends, give them in old_string as they are in the file.");
		}
		return (this.effect == Effect.SHOW) ? show(plan, file) : write(plan, file);
	}

	private @Nullable ToolError perform(EditPlan plan) {
		try {
			return plan.perform(this.edit);
		}
		catch (EditTime.OverException ex) {
			return new ToolError(WorkspaceErrorCode.TOO_LARGE.code(),
					Phrase.of("old_string was not found in '%s' within %.1f seconds.", shownPath(),
							this.options.deadline().toMillis() / 1000.0),
					"Nothing was written. Use a command such as sed on '" + shownPath() + "'.");
		}
	}

	private ToolResult absent(String message) {
		if (!this.edit.oldString().isEmpty()) {
			return ToolResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND.code(), message, Objects.requireNonNullElse(
					NearNames.question(path(), this.context), "Check the path; an empty old_string creates the file."));
		}
		String given = this.seen.given();
		if (given != null && !given.equals(WorkspaceChange.ABSENT)) {
			return this.seen.gone(shownPath());
		}
		byte[] bytes = TextEncoding.UTF_8.encodeOrNull(this.edit.newString());
		if (bytes == null) {
			return ToolResult.failure(
					UnmappableCharacters.problem("new_string", this.edit.newString(), TextEncoding.UTF_8, shownPath()));
		}
		if (this.effect == Effect.SHOW) {
			return shown(LineDiff.between("", this.edit.newString()));
		}
		WorkspaceResult<ChangeReport> applied = files()
			.apply(new WorkspaceChange.Write(path(), bytes, WorkspaceChange.ABSENT));
		if (applied instanceof WorkspaceResult.Failure<ChangeReport> failure) {
			return ToolResult.failure(failure);
		}
		String version = version(applied.value());
		this.seen.record(version, bytes);
		Map<String, Object> data = data(version);
		data.put("outcome", "created");
		return ToolResult.ok(Phrase.of("Created '%s' (%,d bytes).%s", shownPath(), bytes.length,
				SeenVersion.versionLine(version, this.context)), data);
	}

	private ToolResult write(EditPlan plan, WholeFile file) {
		byte[] bytes = plan.text().bytes();
		String expected = this.seen.version();
		WorkspaceResult<ChangeReport> applied = files()
			.apply(new WorkspaceChange.Write(path(), bytes, Objects.requireNonNullElse(expected, file.version())));
		if (applied instanceof WorkspaceResult.Failure<ChangeReport> failure) {
			return failed(failure);
		}
		String version = version(applied.value());
		// a session that has not read the file knows only a part of it, which is not
		// enough for Write to replace the file
		if (expected != null) {
			this.seen.record(version, bytes);
		}
		Map<String, Object> data = data(version);
		data.put("outcome", "edited");
		describe(plan, data);
		String how = (plan.level() == MatchLevel.EXACT) ? "" : "; old_string was found " + phrase(plan);
		return ToolResult.ok(Phrase.of("Edited '%s': %s%s.\n", shownPath(), replacements(plan), how)
				+ new ChangeSnippet(plan.text(), plan.changed(), this.options.maxSnippetLines()).show().stripTrailing()
				+ ((expected != null) ? SeenVersion.versionLine(version, this.context) : ""), data);
	}

	private ToolResult failed(WorkspaceResult.Failure<ChangeReport> failure) {
		if (failure.code() == WorkspaceErrorCode.STALE_READ && WholeFile.read(files(), path(),
				this.options.maxFileBytes()) instanceof WorkspaceResult.Ok<WholeFile> current) {
			return this.seen.stale(shownPath(), current.value(), this.options.maxDiffLines());
		}
		return ToolResult.failure(failure);
	}

	private ToolResult show(EditPlan plan, WholeFile file) {
		ToolResult shown = shown(LineDiff.between(file.text(), plan.text()));
		Map<String, Object> data = new LinkedHashMap<>(shown.data());
		data.put("version", file.version());
		describe(plan, data);
		String how = (plan.level() == MatchLevel.EXACT) ? "" : "\n(old_string was found " + phrase(plan) + ")";
		return new ToolResult(shown.text() + how, data, null, shown.complete());
	}

	private ToolResult shown(LineDiff diff) {
		LineDiff.Unified unified = diff.unified(shownPath(), MAX_DRY_RUN_LINES);
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("path", shownPath());
		data.put("outcome", "dry_run");
		data.put("diff", unified.text());
		return new ToolResult(unified.text() + "\n(nothing was written)", data, null, unified.whole()
				? Completeness.COMPLETE : Completeness.partial("the difference is longer than what is shown", null));
	}

	private static void describe(EditPlan plan, Map<String, Object> data) {
		data.put("replacements", plan.replacements());
		data.put("match", Objects.requireNonNull(plan.level()).code());
	}

	private static String phrase(EditPlan plan) {
		return Objects.requireNonNull(plan.level()).phrase();
	}

	private static String replacements(EditPlan plan) {
		return (plan.replacements() == 1) ? "1 replacement" : Phrase.of("%,d replacements", plan.replacements());
	}

	private Map<String, Object> data(String version) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("path", shownPath());
		data.put("version", version);
		return data;
	}

	private static String version(ChangeReport report) {
		return Objects.requireNonNullElse(report.lines().get(0).version(), "");
	}

	private WorkspaceFiles files() {
		return this.context.files();
	}

	private WorkspacePath path() {
		return this.seen.path();
	}

	private String shownPath() {
		return this.context.display(path());
	}

	/**
	 * The effect of a call.
	 */
	enum Effect {

		/** It is written. */
		WRITE,

		/** Its difference is shown. */
		SHOW

	}

	/**
	 * The lines around changes, with the numbers that Read shows.
	 *
	 * @param text the text after the changes
	 * @param changed the changes, as pairs of offsets in ascending order
	 * @param maxLines the maximum number of lines
	 */
	private record ChangeSnippet(EditableText text, List<int[]> changed, int maxLines) {

		private static final int CONTEXT = 3;

		private static final int MAX_LINE = 400;

		/**
		 * Returns the lines, and the number of changes that are left out.
		 */
		String show() {
			StringBuilder shown = new StringBuilder();
			int left = this.maxLines;
			int next = 0;
			int lines = lines();
			for (int i = 0; i < this.changed.size(); i++) {
				int first = this.text.lineAt(this.changed.get(i)[0]);
				if (left == 0 && first >= next) {
					return shown
							+ Phrase.of("… (%,d more changes, from line %,d on)\n", this.changed.size() - i, first + 1);
				}
				int from = Math.max(next, first - CONTEXT);
				int to = Math.min(lines, this.text.lineAt(this.changed.get(i)[1]) + CONTEXT + 1);
				if (from > next && next > 0) {
					shown.append("…\n");
				}
				for (int line = from; line < to && left > 0; line++, left--) {
					shown.append(Gutter.number(line + 1, cut(line))).append('\n');
					next = line + 1;
				}
				if (left == 0 && next < to - CONTEXT) {
					shown.append(Phrase.of("… (the change goes on to line %,d)\n", to - CONTEXT));
					next = to;
				}
			}
			return shown.toString();
		}

		/**
		 * Returns the number of lines, without the empty one after the last line feed.
		 */
		private int lines() {
			int count = this.text.lineCount();
			return (count > 1 && this.text.start(count - 1) == this.text.bytes().length) ? count - 1 : count;
		}

		private String cut(int line) {
			String text = LineNormalizer.LINE_END.apply(this.text.line(line, MAX_LINE + 1));
			return Phrase.visible((text.length() > MAX_LINE) ? text.substring(0, MAX_LINE) + "…" : text);
		}

	}

}
