package io.kairo.tools.edit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.tools.Completeness;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.SeenVersion;
import io.kairo.tools.file.WholeFile;
import io.kairo.tools.text.LineDiff;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * A call of {@link EditTool}.
 *
 * @param path the file
 * @param given the version that the call gives, null if it gives none
 * @param edit the edit
 * @param effect the effect of the call
 * @param context the context of the call
 * @param options the bounds of the tool
 */
record EditCall(WorkspacePath path, @Nullable String given, TextEdit edit, EditEffect effect, ToolContext context,
		EditOptions options) {

	ToolResult perform(EditedFiles files) throws EditRefusal {
		EditedFile file = new StringEdits(files).plan(this.path, this.given, this.edit, 0);
		if (this.context.cancellation().isCancelled()) {
			return ToolResult.cancelled("The edit was cancelled, and nothing was written.");
		}
		if (!file.isChanged()) {
			return ToolResult.failure(ToolError.NO_CHANGE,
					"'" + shownPath() + "' would be the same afterwards: new lines end as those of the file do.",
					"Leave the file as it is; to change line ends, give them in old_string as they are in the file.");
		}
		EditPlan plan = Objects.requireNonNull(file.plan());
		return (this.effect == EditEffect.SHOW) ? show(plan, file) : write(files, plan, file);
	}

	private ToolResult write(EditedFiles files, EditPlan plan, EditedFile file) throws EditRefusal {
		String version = Objects.requireNonNullElse(files.write().get(this.path), "");
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("path", shownPath());
		data.put("version", version);
		if (!file.isOnDisk()) {
			data.put("outcome", "created");
			return ToolResult.ok(Phrase.of("Created '%s' (%s).%s", shownPath(), Phrase.count(file.size(), "byte"),
					SeenVersion.versionLine(version, this.context)), data);
		}
		data.put("outcome", "edited");
		describe(file, data);
		String how = (file.level() == MatchLevel.EXACT) ? "" : "; old_string was found " + file.level().phrase();
		return ToolResult.ok(
				Phrase.of("Edited '%s': %s%s.\n", shownPath(), replacements(file), how)
						+ new ChangeSnippet(plan.text(), plan.changed(), this.options.maxSnippetLines()).show()
							.stripTrailing()
						+ ((file.seen().version() != null) ? SeenVersion.versionLine(version, this.context) : ""),
				data);
	}

	private ToolResult show(EditPlan plan, EditedFile file) {
		WholeFile before = file.before();
		LineDiff diff = (before != null) ? LineDiff.between(before.text(), plan.text())
				: LineDiff.between("", plan.text().text());
		LineDiff.Unified unified = diff.unified(shownPath(), EditReport.MAX_DRY_RUN_LINES);
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("path", shownPath());
		data.put("outcome", "dry_run");
		data.put("diff", unified.text());
		String how = "";
		if (before != null) {
			data.put("version", before.version());
			describe(file, data);
			how = (file.level() == MatchLevel.EXACT) ? "" : "\n(old_string was found " + file.level().phrase() + ")";
		}
		return new ToolResult(unified.text() + "\n(nothing was written)" + how, data, null, unified.whole()
				? Completeness.COMPLETE : Completeness.partial("the difference is longer than what is shown", null));
	}

	private static void describe(EditedFile file, Map<String, Object> data) {
		data.put("replacements", file.replacements());
		data.put("match", file.level().code());
	}

	private static String replacements(EditedFile file) {
		return (file.replacements() == 1) ? "1 replacement" : Phrase.of("%,d replacements", file.replacements());
	}

	private String shownPath() {
		return this.context.display(this.path);
	}

}
