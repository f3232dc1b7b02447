package io.kairo.tools.edit;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
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
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The tool that replaces a part of a text file. The call contains the old and the new
 * text; all other bytes of the file stay unchanged.
 */
public final class EditTool extends RecordTool<EditTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("path", OutputSchema.STRING, "Path of the file")
		.required("outcome", OutputSchema.STRING, "The text edited, created or dry_run")
		.optional("version", OutputSchema.STRING, "Version of the file")
		.optional("replacements", OutputSchema.INTEGER, "Number of replacements")
		.optional("match", OutputSchema.STRING, "How old_string was found")
		.optional("diff", OutputSchema.STRING, "Difference, of a dry run or of a file that has changed")
		.optional("currentVersion", OutputSchema.STRING, "Version of a file that has changed")
		.results();

	private static final String DESCRIPTION = """
			Replaces old_string by new_string in a text file of up to %,d bytes.[ For several changes use \
			{MultiEdit}.][ To replace most of a file use {Write}.] old_string must be in the file exactly once[, as \
			{Read} shows it without the line numbers]: include lines around it until it is. With replace_all every \
			occurrence is replaced. An empty old_string creates a file that does not exist. With dry_run the \
			difference is returned and nothing is written.
			After an error the file is as it was. no_match: copy old_string from the lines that the error shows. \
			several_matches: add lines around the right place. stale_read: the file has changed; read it again.
			Example: {"{file_path}": "src/app.py", "old_string": "retries = 3", "new_string": "retries = 5"}""";

	private static final Map<String, String> ALIASES = Map.ofEntries(Map.entry("path", "file_path"),
			Map.entry("filePath", "file_path"), Map.entry("filename", "file_path"), Map.entry("old_str", "old_string"),
			Map.entry("new_str", "new_string"), Map.entry("oldString", "old_string"),
			Map.entry("newString", "new_string"), Map.entry("replaceAll", "replace_all"),
			Map.entry("allow_multiple", "replace_all"));

	private final EditOptions options;

	/**
	 * Creates the tool with the default bounds.
	 */
	public EditTool() {
		this(EditOptions.defaults());
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 */
	public EditTool(EditOptions options) {
		this(options, ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 * @param naming the names of the tool and its parameters
	 */
	public EditTool(EditOptions options, ToolNaming naming) {
		super(naming.tool("Edit"), Phrase.of(DESCRIPTION, options.maxFileBytes()), Input.class, ALIASES, naming,
				Map.of(), ToolAnnotations.EDITS, OUTPUT, ToolDefinition.Answer.TEXT);
		this.options = Objects.requireNonNull(options, "options");
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		WorkspacePath path = context.resolve(input.filePath());
		EditCall call = new EditCall(path, input.expectedVersion(), input.edit(), EditEffect.of(input.dryRun()),
				context, this.options);
		return EditRun.of(List.of(path), EditTerms.STRINGS, context, this.options, call::perform);
	}

	/**
	 * The arguments.
	 *
	 * @param filePath the file
	 * @param oldString the part
	 * @param newString the replacement
	 * @param replaceAll whether every occurrence is replaced
	 * @param expectedVersion the version that the file must have
	 * @param dryRun whether nothing is written
	 */
	@JsonPropertyOrder({ "file_path", "old_string", "new_string", "replace_all", "expected_version", "dry_run" })
	record Input(@JsonProperty(value = "file_path",
			required = true) @JsonPropertyDescription("The file: a relative path, or one as results show it") String filePath,
			@JsonProperty(value = "old_string",
					required = true) @JsonPropertyDescription("The part to replace, exactly as it is in the file") String oldString,
			@JsonProperty(value = "new_string",
					required = true) @JsonPropertyDescription("What comes in its place") String newString,
			@JsonProperty(value = "replace_all",
					defaultValue = "false") @JsonPropertyDescription("Replace every occurrence") @Nullable Boolean replaceAll,
			@JsonProperty("expected_version") @JsonPropertyDescription("The version that the file must have, as "
					+ "reading it returned it. Needed only without a session") @Nullable String expectedVersion,
			@JsonProperty(value = "dry_run",
					defaultValue = "false") @JsonPropertyDescription("Return the difference and write nothing") @Nullable Boolean dryRun) {

		Input {
			if (oldString.equals(newString)) {
				throw new ToolArgumentException("old_string and new_string are the same, so nothing would change.",
						"Give in new_string what comes in place of old_string.");
			}
		}

		TextEdit edit() {
			return new TextEdit(this.oldString, this.newString,
					Boolean.TRUE.equals(this.replaceAll) ? TextEdit.Scope.ALL : TextEdit.Scope.UNIQUE);
		}

	}

}
