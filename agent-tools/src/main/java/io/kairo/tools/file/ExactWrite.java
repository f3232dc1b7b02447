package io.kairo.tools.file;

import java.util.Map;
import java.util.Objects;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.TextEncoding;
import org.jspecify.annotations.Nullable;

/**
 * Writes exactly what is given, whatever the file was before, so that reading it returns
 * the same.
 *
 * @param path which file
 * @param content its new content
 * @param expectedVersion the version that it must have, null if any will do
 * @param context where it happens
 * @param maxBytes how long it may be
 */
record ExactWrite(WorkspacePath path, String content, @Nullable String expectedVersion, ToolContext context,
		int maxBytes) {

	ToolResult perform() {
		byte[] bytes = TextEncoding.UTF_8.encodeOrNull(this.content);
		if (bytes == null) {
			return ToolResult
				.failure(UnmappableCharacters.problem("content", this.content, TextEncoding.UTF_8, shownPath()));
		}
		if (bytes.length > this.maxBytes) {
			return ToolResult.failure(WorkspaceErrorCode.TOO_LARGE.code(), Phrase
				.of("The content has %,d bytes, more than the %,d that can be written.", bytes.length, this.maxBytes),
					"Write it in parts, or with a command.");
		}
		WorkspaceResult<ChangeReport> applied = this.context.files()
			.apply(new WorkspaceChange.Write(this.path, bytes, this.expectedVersion));
		if (applied instanceof WorkspaceResult.Failure<ChangeReport> failure) {
			return ToolResult.failure(failure.code().code(), failure.message(),
					(failure.code() == WorkspaceErrorCode.STALE_READ) ? "Read it again and make the change anew."
							: null);
		}
		String version = Objects.requireNonNullElse(applied.value().lines().get(0).version(), "");
		this.context.session().ledger().record(this.path, version, bytes);
		return ToolResult.ok(Phrase.of("Wrote '%s' (%,d bytes; version %s).", shownPath(), bytes.length, version),
				Map.of("ok", true));
	}

	private String shownPath() {
		return this.context.display(this.path);
	}

}
