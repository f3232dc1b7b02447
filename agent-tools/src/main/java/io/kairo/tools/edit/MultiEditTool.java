package io.kairo.tools.edit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
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
 * The tool that replaces several parts of one text file or of several, all of them or
 * none.
 */
public final class MultiEditTool extends RecordTool<MultiEditTool.Input> {

	private static final Map<String, Object> OUTPUT = EditReport.schema("edits",
			new OutputSchema().required("path", OutputSchema.STRING, "Path of the file")
				.required("replacements", OutputSchema.INTEGER, "Number of replacements")
				.required("match", OutputSchema.STRING, "How old_string was found")
				.object());

	private static final String DESCRIPTION = """
			Makes up to %,d edits of one file or several in one step: all of them, or none if one fails.[ The rules \
			are those of {Edit}, which suits a single edit better.] Each old_string must be in its file exactly once, \
			unless replace_all is given. Edits are applied in order, each to the result of the ones before it, and \
			must not change what an earlier one has written (overlapping_edits). An edit may name a file of its own. \
			All files together have up to %,d bytes. With dry_run the difference is returned and nothing is written.
			An error names the edit, such as edits[1], and nothing has changed: correct it and send all of them \
			again.
			Example: {"{file_path}": "a.py", "edits": [{"old_string": "x = 1", "new_string": "x = 2"}, {"old_string": \
			"old_name", "new_string": "name", "replace_all": true}]}""";

	private static final int MAX_EDITS = 1000;

	private static final Map<String, String> ALIASES = Map.ofEntries(Map.entry("path", "file_path"),
			Map.entry("filePath", "file_path"), Map.entry("filename", "file_path"), Map.entry("changes", "edits"),
			Map.entry("dryRun", "dry_run"));

	private final EditOptions options;

	private final ToolNaming naming;

	/**
	 * Creates the tool with the default bounds.
	 */
	public MultiEditTool() {
		this(EditOptions.defaults(), ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param options its bounds, of all files of a call together
	 * @param naming the names of the tool and its parameters
	 */
	public MultiEditTool(EditOptions options, ToolNaming naming) {
		super(naming.tool("MultiEdit"), Phrase.of(DESCRIPTION, MAX_EDITS, options.maxFileBytes()), Input.class, ALIASES,
				naming, Map.of(), ToolAnnotations.EDITS, OUTPUT, ToolDefinition.Answer.TEXT);
		this.options = Objects.requireNonNull(options, "options");
		this.naming = naming;
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		if (input.edits().isEmpty()) {
			throw ToolArgumentException.of("edits", "is empty", "Give at least one edit.");
		}
		if (input.edits().size() > MAX_EDITS) {
			return ToolResult.failure(WorkspaceErrorCode.TOO_LARGE.code(),
					Phrase.of("%,d edits are more than the %,d that a call may make.", input.edits().size(), MAX_EDITS),
					"Nothing was written. Make several calls.");
		}
		List<WorkspacePath> paths = new ArrayList<>();
		for (int i = 0; i < input.edits().size(); i++) {
			String path = Objects.requireNonNullElse(input.edits().get(i).filePath(),
					Objects.requireNonNullElse(input.filePath(), ""));
			if (path.isEmpty()) {
				throw new ToolArgumentException(Phrase.of("edits[%d] names no file.", i),
						Phrase.of("Give %s, in the edit or for all of them.", this.naming.parameter("file_path")));
			}
			paths.add(context.resolve(path));
		}
		Set<WorkspacePath> files = new LinkedHashSet<>(paths);
		WorkspacePath main = (input.filePath() != null) ? context.resolve(input.filePath()) : null;
		if (input.expectedVersion() != null && main == null && files.size() > 1) {
			throw ToolArgumentException.of("expected_version", "is given for several files",
					"Leave it out, or give the file that it belongs to for the whole call.");
		}
		WorkspacePath versioned = (main != null) ? main : paths.get(0);
		return EditRun.of(files, EditTerms.STRINGS, context, this.options, (edited) -> {
			StringEdits edits = new StringEdits(edited);
			EditReport.Steps steps = new EditReport.Steps("edits", "edit");
			for (int i = 0; i < paths.size(); i++) {
				WorkspacePath path = paths.get(i);
				String name = Phrase.of("edits[%d] ('%s')", i, context.display(path));
				try {
					EditedFile file = edits.plan(path, path.equals(versioned) ? input.expectedVersion() : null,
							input.edits().get(i).edit(), i);
					add(steps, name, file, context);
				}
				catch (EditRefusal ex) {
					throw ex.at(name);
				}
			}
			return EditRun.finish(EditEffect.of(input.dryRun()), new EditReport(edited, steps, context, this.options));
		});
	}

	private static void add(EditReport.Steps steps, String name, EditedFile file, ToolContext context) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("path", context.display(file.path()));
		data.put("replacements", file.replacements());
		data.put("match", file.level().code());
		steps.data().add(data);
		if (file.level() != MatchLevel.EXACT) {
			steps.notes().add(name + ": old_string was found " + file.level().phrase() + ".");
		}
	}

	/**
	 * The arguments.
	 *
	 * @param filePath the file of the edits without one of their own
	 * @param edits the edits
	 * @param expectedVersion the version that the file must have
	 * @param dryRun whether nothing is written
	 */
	@JsonPropertyOrder({ "file_path", "edits", "expected_version", "dry_run" })
	record Input(
			@JsonProperty("file_path") @JsonPropertyDescription("The file: a relative path, or one as results show it; "
					+ "not needed if every edit names its own") @Nullable String filePath,
			@JsonProperty(value = "edits",
					required = true) @JsonPropertyDescription("The edits, in the order in which they are applied") List<Edit> edits,
			@JsonProperty("expected_version") @JsonPropertyDescription("The version that the file must have, as "
					+ "reading it returned it. Needed only without a session") @Nullable String expectedVersion,
			@JsonProperty(value = "dry_run",
					defaultValue = "false") @JsonPropertyDescription("Return the difference and write nothing") @Nullable Boolean dryRun) {

		Input {
			if (edits.stream().anyMatch(Objects::isNull)) {
				throw new ToolArgumentException("One of the edits is null.", "Leave it out.");
			}
		}

	}

	/**
	 * An edit.
	 *
	 * @param oldString the part
	 * @param newString the replacement
	 * @param replaceAll whether every occurrence is replaced
	 * @param filePath the file, null for the file of the call
	 */
	@JsonPropertyOrder({ "old_string", "new_string", "replace_all", "file_path" })
	record Edit(@JsonProperty(value = "old_string", required = true) @JsonAlias( {
			"old_str",
			"oldString" }) @JsonPropertyDescription("The part to replace, exactly as it is in the file; empty to "
					+ "create a file that does not exist") String oldString,
			@JsonProperty(value = "new_string",
					required = true) @JsonAlias({ "new_str",
							"newString" }) @JsonPropertyDescription("What comes in its place") String newString,
			@JsonProperty(value = "replace_all", defaultValue = "false") @JsonAlias({ "replaceAll",
					"allow_multiple" }) @JsonPropertyDescription("Replace every occurrence") @Nullable Boolean replaceAll,
			@JsonProperty("file_path") @JsonAlias({ "path", "filePath",
					"filename" }) @JsonPropertyDescription("The file, if it is another one than that of the call") @Nullable String filePath){

		Edit {
			if ((Object) oldString == null || (Object) newString == null) {
				throw new ToolArgumentException("An edit lacks old_string or new_string.",
						"Give both in each of the edits.");
			}
			if (oldString.equals(newString)) {
				throw new ToolArgumentException(
						"old_string and new_string of an edit are the same, so nothing would change.",
						"Give in new_string what comes in place of old_string, or leave the edit out.");
			}
		}

		TextEdit edit() {
			return new TextEdit(this.oldString, this.newString,
					Boolean.TRUE.equals(this.replaceAll) ? TextEdit.Scope.ALL : TextEdit.Scope.UNIQUE);
		}

	}

}
