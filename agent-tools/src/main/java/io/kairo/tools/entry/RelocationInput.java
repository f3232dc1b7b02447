package io.kairo.tools.entry;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * The arguments that moving and copying have in common.
 *
 * @param source the entry as it was given
 * @param destination its new path as it was given
 * @param overwrite whether a file at the destination is replaced
 */
record RelocationInput(String source, String destination, WorkspaceChange.Overwrite overwrite) {

	/** Other names of the parameters. */
	static final Map<String, String> ALIASES = Map.ofEntries(Map.entry("from", "source"), Map.entry("src", "source"),
			Map.entry("source_path", "source"), Map.entry("sourcePath", "source"), Map.entry("old_path", "source"),
			Map.entry("path", "source"), Map.entry("file_path", "source"), Map.entry("to", "destination"),
			Map.entry("dest", "destination"), Map.entry("dst", "destination"), Map.entry("target", "destination"),
			Map.entry("destination_path", "destination"), Map.entry("destinationPath", "destination"),
			Map.entry("new_path", "destination"), Map.entry("recurse", "recursive"));

	/**
	 * Creates the input.
	 * @param overwrite whether a file at the destination is replaced, null for no
	 */
	static RelocationInput of(String source, String destination, @Nullable Boolean overwrite) {
		return new RelocationInput(source, destination,
				Boolean.TRUE.equals(overwrite) ? WorkspaceChange.Overwrite.REPLACE : WorkspaceChange.Overwrite.REFUSE);
	}

	/**
	 * Moves or copies the entry.
	 * @param recursive whether a directory is moved or copied
	 * @param timeout the timeout for counting the files
	 */
	ToolResult perform(RelocationCall.Kind kind, boolean recursive, Duration timeout, ToolContext context) {
		RelocationCall call = call(kind, timeout, context);
		return context.session().inTurn(List.of(call.source(), call.destination()), () -> call.perform(recursive));
	}

	/**
	 * Returns the failure of moving or copying the entry at the moment.
	 * @return the failure, null if none is foreseen
	 */
	@Nullable ToolResult foresee(RelocationCall.Kind kind, boolean recursive, Duration timeout, ToolContext context) {
		return call(kind, timeout, context).foresee(recursive);
	}

	private RelocationCall call(RelocationCall.Kind kind, Duration timeout, ToolContext context) {
		requireName(context);
		return new RelocationCall(kind, context.resolve(this.source), context.resolve(this.destination), this.overwrite,
				context, new CallDeadline(timeout, context.cancellation()));
	}

	/**
	 * Refuses a destination that names a directory to put the entry in: the name there is
	 * never guessed.
	 */
	private void requireName(ToolContext context) {
		String given = this.destination.strip();
		if (given.endsWith("/") || given.endsWith("\\")) {
			String name = context.resolve(this.source).name();
			throw new ToolArgumentException("The destination '" + this.destination + "' has no name at its end.",
					"Give the whole new path, such as '" + given + name + "'.");
		}
	}

	/**
	 * Returns the schema of the data of results.
	 * @param outcome the value of the outcome
	 */
	static Map<String, Object> output(String outcome) {
		return new OutputSchema().required("source", OutputSchema.STRING, "Path that was " + outcome)
			.required("destination", OutputSchema.STRING, "New path")
			.required("outcome", OutputSchema.STRING, "The text " + outcome)
			.optional("type", OutputSchema.STRING, "The text file or directory")
			.optional("files", OutputSchema.INTEGER, "Number of files")
			.optional("bytes", OutputSchema.INTEGER, "Size of the files in bytes")
			.optional("replaced", OutputSchema.BOOLEAN, "Whether a file was replaced")
			.optional("version", OutputSchema.STRING, "Version of the file at the new path")
			.results();
	}

}
