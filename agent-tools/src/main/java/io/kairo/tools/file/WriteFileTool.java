package io.kairo.tools.file;

import java.util.Map;
import java.util.Objects;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.ReadLedger;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.TextEncoding;
import org.jspecify.annotations.Nullable;

/**
 * The tool {@code write_file}. It writes exactly the content that it is given, as UTF-8,
 * so that reading the file returns the same, and checks a version only where the call
 * gives one. Its data are {@code ok} alone.
 */
public final class WriteFileTool extends RecordTool<WriteTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("ok", OutputSchema.BOOLEAN, "Whether the file was written")
		.results();

	private static final String DESCRIPTION = """
			Writes a whole file of up to %,d bytes, with its directories where they are missing: exactly the content, \
			as UTF-8. Use it for a new file or a complete rewrite.[ To change a part of a file use {Edit}.] A file \
			that exists is replaced; with expected_version only if it has that version.
			stale_read: it has another version; nothing was written: read it, then decide anew.
			Example: {"{file_path}": "docs/notes.md", "content": "# Notes\\n"}""";

	private static final String READ_AGAIN = "Read it again and make the change anew.";

	private final WriteOptions options;

	/**
	 * Creates the tool with the default bounds.
	 */
	public WriteFileTool() {
		this(WriteOptions.defaults());
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 */
	public WriteFileTool(WriteOptions options) {
		super("write_file", Phrase.of(DESCRIPTION, options.maxBytes()), WriteTool.Input.class, WriteTool.ALIASES,
				ToolNaming.SNAKE_CASE, Map.of(), ToolAnnotations.WRITES, OUTPUT, ToolDefinition.Answer.DATA);
		this.options = Objects.requireNonNull(options, "options");
	}

	@Override
	protected @Nullable ToolResult foresee(WriteTool.Input input, ToolContext context) {
		WorkspacePath path = context.resolve(input.filePath());
		SeenVersion expected = SeenVersion.now(path, input.expectedVersion(), context);
		return isStale(expected, context.files()) ? ToolResult.failure(WorkspaceErrorCode.STALE_READ.code(),
				"'" + context.display(path) + "' does not have the version " + expected.given() + ".", READ_AGAIN)
				: null;
	}

	private static boolean isStale(SeenVersion expected, WorkspaceFiles files) {
		if (expected.given() == null) {
			return false;
		}
		boolean absent = expected.given().equals(WorkspaceChange.ABSENT);
		if (files.info(expected.path()) instanceof WorkspaceResult.Ok<FileInfo> info) {
			String version = info.value().version();
			return absent || (version != null && expected.isOutdated(version));
		}
		return !absent;
	}

	@Override
	protected ToolResult call(WriteTool.Input input, ToolContext context) {
		WorkspacePath path = context.resolve(input.filePath());
		String shownPath = context.display(path);
		long length = TextEncoding.UTF_8.encodedLength(input.content());
		if (length > this.options.maxBytes()) {
			return WriteTool.tooLarge(length, this.options);
		}
		byte[] bytes = TextEncoding.UTF_8.encodeOrNull(input.content());
		if (bytes == null) {
			return ToolResult
				.failure(UnmappableCharacters.problem("content", input.content(), TextEncoding.UTF_8, shownPath));
		}
		WorkspaceResult<ChangeReport> applied = context.files()
			.apply(new WorkspaceChange.Write(path, bytes, input.expectedVersion()));
		if (applied instanceof WorkspaceResult.Failure<ChangeReport> failure) {
			return ToolResult.failure(failure.code().code(), failure.message(),
					(failure.code() == WorkspaceErrorCode.STALE_READ) ? READ_AGAIN : null);
		}
		String version = Objects.requireNonNullElse(applied.value().lines().get(0).version(), "");
		ReadLedger ledger = context.session().ledger();
		ledger.record(ledger.known(path, context.files()), version, bytes);
		return ToolResult.ok(
				Phrase.of("Wrote '%s' (%s; version %s).", shownPath, Phrase.count(bytes.length, "byte"), version),
				Map.of("ok", true));
	}

}
