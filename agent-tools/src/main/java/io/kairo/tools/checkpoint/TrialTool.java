package io.kairo.tools.checkpoint;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.CurrentTrial;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.ReadOptions;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The tool that begins, shows, commits and discards trials.
 */
public final class TrialTool extends RecordTool<TrialTool.Input> {

	private static final String DESCRIPTION = """
			Tries changes before they count: after begin, all tools and commands of this session work in a copy of the \
			workspace, at the same paths. changes shows what differs, %,d characters of a diff at most; commit makes all \
			of it in the workspace, or nothing if others changed the same files meanwhile; discard forgets it. A command \
			that began before goes on in the workspace.
			conflict: a trial is open already, or a command runs in it. file_not_found: no trial is open.
			Example: {"action": "begin"}""";

	private static final int MAX_LEFT_OUT = 20;

	private final int maxCharacters;

	/**
	 * Creates the tool with the default bound.
	 */
	public TrialTool() {
		this(ReadOptions.defaults().maxCharacters(), ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param maxCharacters the maximum length of a difference before it is cut, above
	 * zero
	 * @param naming the names of the tool and its parameters
	 */
	public TrialTool(int maxCharacters, ToolNaming naming) {
		super(naming.tool("Trial"), Phrase.of(DESCRIPTION, maxCharacters), Input.class, Map.of(), naming, Map.of(),
				ToolAnnotations.EDITS, RewindReport.OUTPUT, ToolDefinition.Answer.TEXT);
		this.maxCharacters = maxCharacters;
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		CurrentTrial trial = context.session().trial();
		return switch (input.action().toLowerCase(Locale.ROOT)) {
			case "begin" -> begin(trial, context);
			case "changes" -> changes(trial, context);
			case "commit" -> commit(trial, Set.copyOf(CheckpointCall.paths(input.overwrite(), context)), context);
			case "discard" -> trial.discard(context) ? done("Discarded: the workspace is as it was.", true)
					: done("There was no trial to discard.", false);
			default -> throw new ToolArgumentException("action is '" + input.action() + "'.",
					"Give begin, changes, commit or discard.");
		};
	}

	private static ToolResult begin(CurrentTrial trial, ToolContext context) {
		WorkspaceResult<ToolContext> begun = trial.begin(context);
		if (begun instanceof WorkspaceResult.Failure<ToolContext> failure) {
			return ToolResult.failure(failure);
		}
		String text = "The trial has begun: until it is committed or discarded, tools and commands change a copy."
				+ where(begun.value());
		return done(noted(text + " ", context).stripTrailing(), true);
	}

	/**
	 * Tells where commands find the files if they do not find them at the same paths.
	 */
	static String where(ToolContext trial) {
		SandboxCapabilities sandbox = trial.sandbox().capabilities(trial.tenant());
		if (sandbox.has(SandboxCapability.MOUNTS)) {
			return "";
		}
		WorkspaceFiles files = trial.files();
		Path root = files.root().root();
		if (!files.display(files.root()).equals(root.toString())) {
			return ""; // the model is not to see where the workspace is
		}
		return Phrase.of(" Commands find it in %s.%s", files.location(root),
				sandbox.has(SandboxCapability.FILE_CONFINEMENT) ? ""
						: " Those that name the workspace by its absolute path still change the workspace itself.");
	}

	/**
	 * Names the first of what is left out of the copy of a trial.
	 * @param context the context of a call in the session
	 * @return a note, none if nothing is left out
	 */
	public static List<String> leftOut(ToolContext context) {
		List<WorkspacePath> all = context.session().trial().leftOut();
		String named = all.stream()
			.limit(MAX_LEFT_OUT)
			.map((path) -> WorkspacePath.quote(RewindReport.shown(path, context)))
			.collect(Collectors.joining(", "));
		return all.isEmpty() ? List.of()
				: List.of(Phrase.of(
						"not in the copy, since the application may not read it, and kept by a commit: %s%s", named,
						(all.size() > MAX_LEFT_OUT) ? Phrase.of(" and %,d more", all.size() - MAX_LEFT_OUT) : ""));
	}

	private ToolResult changes(CurrentTrial trial, ToolContext context) {
		ToolResult shown = report(trial.changes(context.files()), "Would be committed: ", context);
		return (shown.error() != null) ? shown : new ToolResult(noted(shown.text() + "\n", context).stripTrailing(),
				shown.data(), null, shown.complete(), null);
	}

	private static String noted(String text, ToolContext context) {
		return leftOut(context).stream().map((note) -> text + "(" + note + ")").findFirst().orElse(text);
	}

	private ToolResult commit(CurrentTrial trial, Set<WorkspacePath> overwritten, ToolContext context) {
		WorkspaceFiles files = context.files();
		WorkspaceResult<Rewind> committed = trial.commit(files, overwritten);
		String title = (committed.isOk() && committed.value().done()) ? "Committed: " : "Nothing was committed: ";
		return report(committed, title, context);
	}

	private ToolResult report(WorkspaceResult<Rewind> result, String title, ToolContext context) {
		if (result instanceof WorkspaceResult.Failure<Rewind> failure) {
			return ToolResult.failure(failure);
		}
		WorkspaceCheckpoints checkpoints = context.session().checkpoints();
		if (checkpoints == null || result.value().changes().isEmpty()) {
			return done(title + "nothing was changed in the trial.", result.value().done());
		}
		return new RewindReport(context, checkpoints, this.maxCharacters).trial(result.value(), title);
	}

	/**
	 * Shows all changes of a trial, for a decision on them: each entry with its
	 * permissions, the targets of links, the hashes of contents that are no text, and
	 * whole diffs.
	 * @param changes the changes
	 * @param title the beginning of the text
	 * @param maxCharacters the length of the diffs after which no other one follows
	 * @param checkpoints the checkpoints of the session
	 * @param context the context of a call
	 * @return the result of a call that shows them
	 */
	public static ToolResult review(Rewind changes, String title, int maxCharacters, WorkspaceCheckpoints checkpoints,
			ToolContext context) {
		return new RewindReport(context, checkpoints, maxCharacters).review(changes, title);
	}

	private static ToolResult done(String text, boolean done) {
		return ToolResult.ok(text, Map.of("done", done, "steps", List.of(), "changes", List.of(), "total", 0));
	}

	/**
	 * The arguments.
	 *
	 * @param action what to do
	 * @param overwrite files whose changes by others are overwritten
	 */
	@JsonPropertyOrder({ "action", "overwrite" })
	record Input(
			@JsonProperty(value = "action",
					required = true) @JsonPropertyDescription("begin, changes, commit or discard") String action,
			@JsonProperty("overwrite") @JsonPropertyDescription("For commit: files that others changed, to be changed nevertheless") @Nullable List<String> overwrite) {

	}

}
