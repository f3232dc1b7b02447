package io.kairo.tools.file;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.LineDiff;
import io.kairo.tools.text.LineEnd;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.TextEncoding;
import org.jspecify.annotations.Nullable;

/**
 * The tool that writes a whole file. A file that is replaced keeps its charset, byte
 * order mark, line ends and mode, and must have been read in its current version.
 */
public final class WriteTool extends RecordTool<WriteTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("path", OutputSchema.STRING, "Path of the file")
		.required("outcome", OutputSchema.STRING, "The text created or replaced")
		.required("version", OutputSchema.STRING, "New version of the file")
		.required("bytes", OutputSchema.INTEGER, "Size in bytes")
		.required("charset", OutputSchema.STRING, "Charset of the file")
		.optional("linesAdded", OutputSchema.INTEGER, "Number of lines added")
		.optional("linesRemoved", OutputSchema.INTEGER, "Number of lines removed")
		.optional("currentVersion", OutputSchema.STRING, "Version of a file that has changed")
		.optional("diff", OutputSchema.STRING, "Change of a file that has changed")
		.results();

	private static final String DESCRIPTION = """
			Writes a whole file of up to %,d bytes, with its directories where they are missing. Use it for a new \
			file or a complete rewrite.[ To change a part of a file use {Edit}.] A file that exists is replaced, and \
			must have been read before in its current version; it keeps its charset and its line ends.
			stale_read: the file has changed, or was not read; nothing was written: read it, then decide anew. \
			unmappable_characters: the charset of the file lacks one of the characters.
			Example: {"{file_path}": "docs/notes.md", "content": "# Notes\\n"}""";

	/** Other names of parameters. */
	static final Map<String, String> ALIASES = Map.of("path", "file_path", "filePath", "file_path", "filename",
			"file_path", "contents", "content", "file_text", "content", "text", "content");

	/** The heap that a call needs, as a multiple of the size of the replaced file. */
	private static final int HEAP_FACTOR = 4;

	/** Maximum size of texts for counting the changed lines. */
	private static final long MAX_COMPARED_BYTES = 2 << 20;

	private final WriteOptions options;

	/**
	 * Creates the tool with the default bounds.
	 */
	public WriteTool() {
		this(WriteOptions.defaults());
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 */
	public WriteTool(WriteOptions options) {
		super("Write", Phrase.of(DESCRIPTION, options.maxBytes()), Input.class, ALIASES, ToolNaming.CLAUDE, Map.of(),
				ToolAnnotations.WRITES, OUTPUT, ToolDefinition.Answer.TEXT);
		this.options = Objects.requireNonNull(options, "options");
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		return call(input, context, Effect.WRITE);
	}

	@Override
	protected @Nullable ToolResult foresee(Input input, ToolContext context) {
		ToolResult result = call(input, context, Effect.NONE);
		return (result.error() != null) ? result : null;
	}

	private ToolResult call(Input input, ToolContext context, Effect effect) {
		WorkspacePath path = context.resolve(input.filePath());
		CallDeadline deadline = new CallDeadline(CallDeadline.DEFAULT_TIMEOUT, context.cancellation());
		return WholeFile.holding(path, HEAP_FACTOR, deadline, context, () -> context.session()
			.inTurn(List.of(path), () -> new Call(input.content(),
					SeenVersion.now(path, input.expectedVersion(), context), context, this.options, effect)
				.write()));
	}

	/**
	 * Creates the refusal of content that exceeds the bounds.
	 */
	static ToolResult tooLarge(long bytes, WriteOptions options) {
		return ToolResult.failure(
				WorkspaceErrorCode.TOO_LARGE.code(), Phrase
					.of("The content has %,d bytes, more than the %,d that can be written.", bytes, options.maxBytes()),
				"Write it in parts, or with a command.");
	}

	/**
	 * A call of {@link WriteTool}.
	 */
	private record Call(String content, SeenVersion seen, ToolContext context, WriteOptions options, Effect effect) {

		ToolResult write() {
			if (this.content.length() > this.options.maxBytes()) {
				long bytes = TextEncoding.UTF_8.encodedLength(this.content);
				return tooLarge(Math.max(bytes, this.content.length()), this.options);
			}
			WorkspaceResult<WholeFile> read = WholeFile.read(this.context.files(), path(), this.options.maxBytes());
			if (read instanceof WorkspaceResult.Failure<WholeFile> failure) {
				return switch (failure.code()) {
					case FILE_NOT_FOUND -> create();
					case TOO_LARGE -> ToolResult.failure(failure.code().code(), failure.message() + ".",
							"Delete '" + shownPath() + "' first, or write another file.");
					default -> ToolResult.failure(failure);
				};
			}
			return replace(read.value());
		}

		private ToolResult create() {
			String given = this.seen.given();
			if (given != null && !given.equals(WorkspaceChange.ABSENT)) {
				return this.seen.gone(shownPath());
			}
			TextEncoding encoding = TextEncoding.UTF_8;
			byte[] bytes = encoding.encodeOrNull(this.content);
			return (bytes != null) ? apply(bytes, WorkspaceChange.ABSENT, encoding, null) : unmappable(encoding);
		}

		private ToolResult replace(WholeFile current) {
			boolean text = current.binaryKind() == null && current.bytes().length > 0;
			TextEncoding encoding = text ? current.encoding() : TextEncoding.UTF_8;
			LineEnd lineEnd = text ? current.text().lineEnd() : null;
			String written = (lineEnd != null) ? lineEnd.applyTo(this.content) : this.content;
			byte[] encoded = encoding.encodeOrNull(
					(encoding.bomLength() > 0 && written.startsWith("\uFEFF")) ? written.substring(1) : written);
			byte[] bytes = (encoded != null) ? encoding.withByteOrderMark(encoded) : null;
			if (bytes != null && Arrays.equals(bytes, current.bytes())) {
				if (this.effect == Effect.WRITE) {
					this.seen.record(current.version(), bytes);
				}
				return ToolResult.ok(
						Phrase.of("'%s' has this content already, so nothing was written.%s", shownPath(),
								versionLine(current.version())),
						data("unchanged", current.version(), bytes.length, encoding));
			}
			String version = this.seen.version();
			if (version == null) {
				return this.seen.unseen(shownPath(), current);
			}
			if (this.seen.isOutdated(current.version())) {
				return this.seen.stale(shownPath(), current, this.options.maxDiffLines());
			}
			return (bytes != null) ? apply(bytes, version, encoding, current) : unmappable(encoding);
		}

		private ToolResult apply(byte[] bytes, String expected, TextEncoding encoding, @Nullable WholeFile replaced) {
			if (bytes.length > this.options.maxBytes()) {
				return tooLarge(bytes.length, this.options);
			}
			if (this.effect == Effect.NONE) {
				return ToolResult.ok("", Map.of());
			}
			WorkspaceResult<ChangeReport> applied = this.context.files()
				.apply(new WorkspaceChange.Write(path(), bytes, expected));
			if (applied instanceof WorkspaceResult.Failure<ChangeReport> failure) {
				return failed(failure);
			}
			String version = Objects.requireNonNullElse(applied.value().lines().get(0).version(), "");
			this.seen.record(version, bytes);
			Map<String, Object> data = data((replaced != null) ? "replaced" : "created", version, bytes.length,
					encoding);
			String text = Phrase.of("%s '%s' (%s", (replaced != null) ? "Replaced" : "Created", shownPath(),
					Phrase.count(bytes.length, "byte"));
			boolean comparable = replaced != null
					&& (long) replaced.bytes().length + bytes.length <= MAX_COMPARED_BYTES;
			if (replaced != null && comparable && replaced.binaryKind() == null) {
				LineDiff diff = LineDiff.between(replaced.text(), new EditableText(bytes, encoding));
				data.put("linesAdded", diff.added());
				data.put("linesRemoved", diff.removed());
				text += Phrase.of("; %s added, %,d removed", Phrase.count(diff.added(), "line"), diff.removed());
			}
			return ToolResult.ok(text + ")." + versionLine(version), data);
		}

		/**
		 * Returns the reason why the store refused the change, with the difference if the
		 * file no longer has the version that the call is based on.
		 */
		private ToolResult failed(WorkspaceResult.Failure<ChangeReport> failure) {
			if (failure.code() == WorkspaceErrorCode.STALE_READ && WholeFile.read(this.context.files(), path(),
					this.options.maxBytes()) instanceof WorkspaceResult.Ok<WholeFile> current) {
				return (this.seen.version() == null) ? this.seen.unseen(shownPath(), current.value())
						: this.seen.stale(shownPath(), current.value(), this.options.maxDiffLines());
			}
			return ToolResult.failure(failure);
		}

		private ToolResult unmappable(TextEncoding encoding) {
			return ToolResult.failure(UnmappableCharacters.problem("content", this.content, encoding, shownPath()));
		}

		private String versionLine(String version) {
			return SeenVersion.versionLine(version, this.context);
		}

		private Map<String, Object> data(String outcome, String version, int bytes, TextEncoding encoding) {
			Map<String, Object> data = new LinkedHashMap<>();
			data.put("path", shownPath());
			data.put("outcome", outcome);
			data.put("version", version);
			data.put("bytes", bytes);
			data.put("charset", encoding.charset().name());
			return data;
		}

		private WorkspacePath path() {
			return this.seen.path();
		}

		private String shownPath() {
			return this.context.display(path());
		}

	}

	/**
	 * The effect of a call.
	 */
	private enum Effect {

		/** The file is written. */
		WRITE,

		/** Nothing is changed: the call only finds out whether it would fail. */
		NONE

	}

	/**
	 * The arguments.
	 *
	 * @param filePath the file
	 * @param content its new content
	 * @param expectedVersion the version that the file must have
	 */
	@JsonPropertyOrder({ "file_path", "content", "expected_version" })
	record Input(@JsonProperty(value = "file_path",
			required = true) @JsonPropertyDescription("The file: a relative path, or one as results show it") String filePath,
			@JsonProperty(value = "content",
					required = true) @JsonPropertyDescription("The whole new content of the file") String content,
			@JsonProperty("expected_version") @JsonPropertyDescription("The version that the file must have, as "
					+ "reading it returned it; 'absent' if there must be no file. Needed only without a session") @Nullable String expectedVersion) {

	}

}
