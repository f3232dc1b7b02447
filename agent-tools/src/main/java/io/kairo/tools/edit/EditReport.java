package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.tools.Completeness;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.SeenVersion;
import io.kairo.tools.file.WholeFile;
import io.kairo.tools.text.LineDiff;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call that changes several files.
 *
 * @param files the files
 * @param steps the edits or hunks, as data
 * @param context the context of the call
 * @param options the bounds of the tool
 */
record EditReport(EditedFiles files, Steps steps, ToolContext context, EditOptions options) {

	/** Maximum number of lines of a difference that is shown in place of writing. */
	static final int MAX_DRY_RUN_LINES = 1000;

	/** Number of files whose changed lines may be shown in full. */
	private static final int SNIPPETS = 5;

	/**
	 * Creates the schema of the data.
	 * @param steps the name of the list of steps
	 * @param step the schema of a step
	 */
	static Map<String, Object> schema(String steps, Map<String, Object> step) {
		Map<String, Object> file = new OutputSchema().required("path", OutputSchema.STRING, "Path of the file")
			.required("outcome", OutputSchema.STRING, "The text edited, created, deleted or moved")
			.optional("from", OutputSchema.STRING, "Former path of a moved file")
			.optional("version", OutputSchema.STRING, "Version of the file")
			.optional("id", OutputSchema.STRING, "Id of a deleted file in the trash")
			.object();
		return new OutputSchema().required("outcome", OutputSchema.STRING, "The text edited or dry_run")
			.required("files", OutputSchema.listOf(file), "The changed files")
			.required(steps, OutputSchema.listOf(step), "How each of them was found, in order")
			.optional("diff", OutputSchema.STRING, "Difference, of a dry run or of a file that has changed")
			.optional("currentVersion", OutputSchema.STRING, "Version of a file that has changed")
			.results();
	}

	/**
	 * Writes the changes and describes them.
	 * @throws EditRefusal if the store refuses one of them
	 */
	ToolResult write() throws EditRefusal {
		Map<WorkspacePath, String> versions = this.files.write();
		StringBuilder text = new StringBuilder(Phrase.of("Changed %,d file%s, %,d %s%s.", this.files.all().size(),
				Phrase.plural(this.files.all().size()), this.steps.data().size(), this.steps.noun(),
				Phrase.plural(this.steps.data().size())));
		this.steps.notes().forEach((note) -> text.append('\n').append(note));
		if (this.files.dropped() > 0) {
			text.append(Phrase.of("\n(%,d older deletion%s left the trash to make room)", this.files.dropped(),
					Phrase.plural(this.files.dropped())));
		}
		int left = SNIPPETS * this.options.maxSnippetLines();
		for (EditedFile file : this.files.all()) {
			String version = versions.get(file.path());
			text.append('\n').append(heading(file));
			boolean seen = file.seen().version() != null || !file.isOnDisk();
			if (version != null && file.exists() && seen) {
				text.append(SeenVersion.versionLine(version, this.context));
			}
			EditPlan plan = file.plan();
			if (plan != null && file.exists() && !plan.changed().isEmpty() && left > 0) {
				String shown = new ChangeSnippet(plan.text(), plan.changed(),
						Math.min(left, this.options.maxSnippetLines()))
					.show()
					.stripTrailing();
				left -= (int) shown.lines().count();
				text.append('\n').append(shown);
			}
		}
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("outcome", "edited");
		data.put("files", this.files.all().stream().map((file) -> data(file, versions.get(file.path()))).toList());
		data.put(this.steps.name(), this.steps.data());
		return ToolResult.ok(text.toString(), data);
	}

	private String heading(EditedFile file) {
		String path = this.files.shown(file.path());
		return switch (outcome(file)) {
			case "created" -> Phrase.of("Created '%s' (%s).", path, Phrase.count(file.size(), "byte"));
			case "deleted" -> Phrase.of("Deleted '%s'.%s", path,
					(file.trashId() != null) ? " It is in the trash as " + file.trashId() + "." : "");
			case "moved" -> Phrase.of(file.isChanged() ? "Moved '%s' to '%s' and edited it:" : "Moved '%s' to '%s'.",
					this.files.shown(file.origin()), path);
			default -> Phrase.of("Edited '%s':", path);
		};
	}

	private static String outcome(EditedFile file) {
		return file.isDeleted() ? "deleted" : file.isMoved() ? "moved" : file.isOnDisk() ? "edited" : "created";
	}

	private Map<String, Object> data(EditedFile file, @Nullable String version) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("path", this.files.shown(file.path()));
		data.put("outcome", outcome(file));
		if (file.isMoved()) {
			data.put("from", this.files.shown(file.origin()));
		}
		if (version != null && file.exists()) {
			data.put("version", version);
		}
		if (file.trashId() != null) {
			data.put("id", file.trashId());
		}
		return data;
	}

	/**
	 * Describes the changes without writing them.
	 */
	ToolResult show() {
		List<String> parts = new ArrayList<>();
		boolean whole = true;
		int left = MAX_DRY_RUN_LINES;
		for (EditedFile file : this.files.all()) {
			LineDiff.Unified unified = diff(file).unified(this.files.shown(file.path()), Math.max(1, left));
			whole &= unified.whole();
			left -= (int) unified.text().lines().count();
			parts.add(withHeader(file, unified.text()));
		}
		String diff = String.join("\n", parts);
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("outcome", "dry_run");
		data.put("files", this.files.all().stream().map((file) -> data(file, file.version())).toList());
		data.put(this.steps.name(), this.steps.data());
		data.put("diff", diff);
		StringBuilder text = new StringBuilder(diff).append("\n(nothing was written)");
		this.steps.notes().forEach((note) -> text.append("\n(").append(note).append(')'));
		return new ToolResult(text.toString(), data, null, whole ? Completeness.COMPLETE
				: Completeness.partial("the difference is longer than what is shown", null));
	}

	private static LineDiff diff(EditedFile file) {
		WholeFile before = file.before();
		EditPlan plan = file.plan();
		if (before == null || plan == null || file.isDeleted()) {
			return LineDiff.between((before != null) ? before.text().text() : "",
					(plan != null && file.exists()) ? plan.text().text() : "");
		}
		return LineDiff.between(before.text(), plan.text());
	}

	private String withHeader(EditedFile file, String diff) {
		String path = this.files.shown(file.path());
		int lines = diff.indexOf("\n@@");
		String body = (lines >= 0) ? diff.substring(lines) : "";
		String name = path.startsWith("/") ? path : "/" + path;
		return switch (outcome(file)) {
			case "created" -> "--- /dev/null\n+++ b" + name + body;
			case "deleted" -> "--- a" + name + "\n+++ /dev/null" + body;
			case "moved" -> Phrase.of("rename from %s\nrename to %s", this.files.shown(file.origin()), path)
					+ (diff.isEmpty() ? "" : "\n" + diff);
			default -> diff;
		};
	}

	/**
	 * The edits or hunks of a call.
	 *
	 * @param name the name of the list in the data
	 * @param noun the word for one of them
	 * @param data the data of each
	 * @param notes sentences about the steps that were not found literally
	 */
	record Steps(String name, String noun, List<Map<String, Object>> data, List<String> notes) {

		/**
		 * Creates an empty list.
		 * @param name the name of the list in the data
		 * @param noun the word for one of them
		 */
		Steps(String name, String noun) {
			this(Objects.requireNonNull(name), noun, new ArrayList<>(), new ArrayList<>());
		}

	}

}
