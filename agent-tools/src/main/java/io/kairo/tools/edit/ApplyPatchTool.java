package io.kairo.tools.edit;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

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
import io.kairo.tools.trash.TrashStore;
import org.jspecify.annotations.Nullable;

/**
 * The tool that applies a patch to several files, as a whole or not at all. A patch is a
 * unified diff, or has the form between {@code *** Begin Patch} and
 * {@code *** End Patch}.
 */
public final class ApplyPatchTool extends RecordTool<ApplyPatchTool.Input> {

	private static final Map<String, Object> OUTPUT = EditReport.schema("hunks",
			new OutputSchema().required("path", OutputSchema.STRING, "Path of the file")
				.required("hunk", OutputSchema.INTEGER, "Number of the hunk in its file, from 1")
				.required("line", OutputSchema.INTEGER, "Line that it starts in, from 1")
				.required("match", OutputSchema.STRING, "How its lines were found")
				.object());

	private static final String DESCRIPTION = """
			Applies a patch to files: all of it, or nothing if one part fails. It adds, changes, moves and deletes \
			files, of up to %,d bytes together.[ For a single change use {Edit}.] The patch is a unified diff, or has \
			this form:
			*** Begin Patch
			*** Update File: src/a.py
			@@ def greet():
			     name = "x"
			-    print(name)
			+    print("hello", name)
			*** Add File: b.txt
			+first line
			*** Delete File: c.txt
			*** End Patch
			Lines that stay begin with a space, removed ones with -, added ones with +. Give about three lines around \
			each change. '*** Move to: <path>' after '*** Update File' moves a file. The lines decide about the place \
			of a change, not the numbers after @@.
			An error names the file, the hunk and the nearest lines, and nothing has changed: correct the hunk and \
			send the whole patch again. file_exists: adding and moving replace no file.""";

	private static final Map<String, String> ALIASES = Map.of("input", "patch", "patch_text", "patch", "patchText",
			"patch", "diff", "patch", "dryRun", "dry_run");

	private final EditOptions options;

	private final TrashStore trash;

	/**
	 * Creates the tool with the default bounds.
	 */
	public ApplyPatchTool() {
		this(EditOptions.defaults(), TrashStore.ofUser(), ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param options its bounds, of all files of a call together
	 * @param trash the trash for deleted files
	 * @param naming the names of the tool and its parameters
	 */
	public ApplyPatchTool(EditOptions options, TrashStore trash, ToolNaming naming) {
		super(naming.tool("ApplyPatch"), Phrase.of(DESCRIPTION, options.maxFileBytes()), Input.class, ALIASES, naming,
				Map.of(), ToolAnnotations.EDITS, OUTPUT, ToolDefinition.Answer.TEXT);
		this.options = Objects.requireNonNull(options, "options");
		this.trash = Objects.requireNonNull(trash, "trash");
	}

	/**
	 * Returns the paths that a patch would change, for an interceptor that decides on
	 * calls.
	 * @param patch the patch as a call gives it
	 * @param context the context of the call
	 * @return the paths; empty if the patch cannot be read, so that nothing would be
	 * changed
	 * @throws io.kairo.api.workspace.WorkspacePathException if a path is not one into the
	 * workspace
	 */
	public static Set<WorkspacePath> paths(String patch, ToolContext context) {
		try {
			return new PatchCall(PatchReader.read(patch), EditEffect.SHOW, context, EditOptions.defaults(),
					TrashStore.ofUser())
				.paths();
		}
		catch (EditRefusal | ToolArgumentException ex) {
			return Set.of();
		}
	}

	@Override
	protected @Nullable ToolResult validate(Input input) {
		try {
			PatchReader.read(input.patch());
			return null;
		}
		catch (EditRefusal ex) {
			return ex.result();
		}
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		List<PatchSection> sections;
		try {
			sections = PatchReader.read(input.patch());
		}
		catch (EditRefusal ex) {
			return ex.result();
		}
		PatchCall call = new PatchCall(sections, EditEffect.of(input.dryRun()), context, this.options, this.trash);
		return EditRun.of(call.paths(), EditTerms.HUNK, context, this.options, call::perform);
	}

	/**
	 * The arguments.
	 *
	 * @param patch the patch
	 * @param dryRun whether nothing is written
	 */
	@JsonPropertyOrder({ "patch", "dry_run" })
	record Input(
			@JsonProperty(value = "patch", required = true) @JsonPropertyDescription("The whole patch") String patch,
			@JsonProperty(value = "dry_run",
					defaultValue = "false") @JsonPropertyDescription("Return the difference and write nothing") @Nullable Boolean dryRun) {
	}

}
