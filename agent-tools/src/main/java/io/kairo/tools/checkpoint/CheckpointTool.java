package io.kairo.tools.checkpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.workspace.Checkpoint;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The tool that marks, lists and forgets checkpoints of a session.
 */
public final class CheckpointTool extends RecordTool<CheckpointTool.Input> {

	private static final int MAX_NAME = 100;

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("checkpoints",
				OutputSchema.listOf(new OutputSchema().required("name", OutputSchema.STRING, "Name")
					.required("taken", OutputSchema.STRING, "Time")
					.required("steps", OutputSchema.INTEGER, "Number of steps since then that are not undone")
					.object()),
				"The checkpoints of this session, the newest first")
		.optional("files", OutputSchema.INTEGER, "Number of files at the new checkpoint")
		.results();

	private static final String DESCRIPTION = """
			Marks the state of the files, to which {Rewind} can return, before something risky. Commands count as well. \
			Without a name it lists the checkpoints.
			file_not_found: there is no such checkpoint to forget.
			Example: {"name": "before the upgrade"}""";

	/**
	 * Creates the tool with the names of Claude Code.
	 */
	public CheckpointTool() {
		this(ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param naming the names of the tool and its parameters
	 */
	public CheckpointTool(ToolNaming naming) {
		super(naming.tool("Checkpoint"), DESCRIPTION, Input.class, Map.of(), naming, Map.of(),
				new ToolAnnotations(ToolAnnotations.Effect.ADDS, false, false), OUTPUT, ToolDefinition.Answer.TEXT);
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		return CheckpointCall.in(context, (checkpoints) -> {
			if (input.name() == null) {
				return list(checkpoints);
			}
			return Boolean.TRUE.equals(input.forget()) ? forget(input.name(), checkpoints)
					: take(input.name(), checkpoints, context);
		});
	}

	private static ToolResult take(String name, WorkspaceCheckpoints checkpoints, ToolContext context) {
		WorkspaceResult<Checkpoint> taken = checkpoints.take(context.files(), name);
		if (taken instanceof WorkspaceResult.Failure<Checkpoint> failure) {
			return ToolResult.failure(failure);
		}
		Checkpoint checkpoint = taken.value();
		Map<String, Object> data = data(checkpoints);
		data.put("files", checkpoint.files());
		StringBuilder text = new StringBuilder(Phrase.of("Checkpoint '%s' of %s, taken %s.", name,
				Phrase.count(checkpoint.files(), "file"), checkpoint.taken()));
		for (Checkpoint.Unkept each : checkpoint.unkept()) {
			text.append(Phrase.of("\nNot covered: %s (%s, %s)", context.display(each.path()),
					Phrase.count(each.files(), "file"), Phrase.count(each.bytes(), "byte")));
		}
		return ToolResult.ok(text.toString(), data);
	}

	private static ToolResult forget(String name, WorkspaceCheckpoints checkpoints) {
		return checkpoints.forget(name) ? ToolResult.ok("Forgot checkpoint '" + name + "'.", data(checkpoints))
				: ToolResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND.code(), "There is no checkpoint '" + name + "'.",
						"Call without arguments to list them.");
	}

	private static ToolResult list(WorkspaceCheckpoints checkpoints) {
		List<Checkpoint> list = checkpoints.list();
		return ToolResult.ok(list.isEmpty() ? "There is no checkpoint." : list.stream()
			.map((each) -> Phrase.of("%s\t%s, %s since", each.name(), each.taken(), Phrase.count(each.steps(), "step")))
			.collect(Collectors.joining("\n")), data(checkpoints));
	}

	private static Map<String, Object> data(WorkspaceCheckpoints checkpoints) {
		List<Map<String, Object>> list = new ArrayList<>();
		for (Checkpoint each : checkpoints.list()) {
			list.add(Map.of("name", each.name(), "taken", each.taken().toString(), "steps", each.steps()));
		}
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("checkpoints", list);
		return data;
	}

	/**
	 * The arguments.
	 *
	 * @param name the name of the checkpoint
	 * @param forget whether to forget it
	 */
	@JsonPropertyOrder({ "name", "forget" })
	record Input(@JsonProperty("name") @JsonPropertyDescription("The name of the checkpoint") @Nullable String name,
			@JsonProperty(value = "forget",
					defaultValue = "false") @JsonPropertyDescription("Whether to forget it instead") @Nullable Boolean forget) {

		Input {
			if (name != null && (name.isBlank() || name.length() > MAX_NAME)) {
				throw new ToolArgumentException(
						"name has " + name.length() + " characters, but it must have 1 to " + MAX_NAME + ".",
						"Give a short name.");
			}
		}

	}

}
