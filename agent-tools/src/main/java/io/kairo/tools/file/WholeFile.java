package io.kairo.tools.file;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;
import io.kairo.tools.session.LargeFiles;
import io.kairo.tools.text.BinaryContent;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.TextEncoding;
import org.jspecify.annotations.Nullable;

/**
 * A whole file in one version.
 *
 * @param bytes the bytes; not copied
 * @param version the version of all bytes
 * @param encoding the encoding of its text; detected from all bytes where the beginning
 * is UTF-8
 */
public record WholeFile(byte[] bytes, String version, TextEncoding encoding) {

	private static final int ATTEMPTS = 3;

	private static final int PART = 512 << 10;

	/**
	 * Reads a file.
	 * @param files the files of the workspace
	 * @param path the file
	 * @param maxBytes the maximum size in bytes
	 * @return the file, or a failure such as {@code file_not_found} or {@code too_large}
	 */
	public static WorkspaceResult<WholeFile> read(WorkspaceFiles files, WorkspacePath path, int maxBytes) {
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			WorkspaceResult<FileContent> read = files.read(path, 0, FileContent.HASHED_SIZE);
			if (read instanceof WorkspaceResult.Failure<FileContent> failure) {
				return failure.cast();
			}
			FileContent start = read.value();
			TextEncoding encoding = TextEncoding.detect(start.bytes(), start.atEnd());
			if (start.size() > maxBytes) {
				return WorkspaceResult.failure(WorkspaceErrorCode.TOO_LARGE, Phrase
					.of("%,d bytes are more than the %,d that can be changed in memory", start.size(), maxBytes));
			}
			if (start.atEnd()) {
				return WorkspaceResult.ok(new WholeFile(start.bytes(), start.version(), encoding));
			}
			WorkspaceResult<byte[]> bytes = readRest(files, start);
			if (bytes instanceof WorkspaceResult.Failure<byte[]> failure) {
				return failure.cast();
			}
			if (bytes.value().length == start.size()) {
				return WorkspaceResult.ok(new WholeFile(bytes.value(), start.version(),
						encoding.equals(TextEncoding.UTF_8) ? TextEncoding.detect(bytes.value(), true) : encoding));
			}
		}
		return WorkspaceResult.failure(WorkspaceErrorCode.STALE_READ,
				"The file changes all the time; wait until that has ended, and read it again");
	}

	/**
	 * Reads the remaining parts of a file, for whose versions it is not hashed again. The
	 * parts are small, since memory for large ones is expensive.
	 * @param start the first part
	 * @return all bytes; none if the file has changed meanwhile
	 */
	private static WorkspaceResult<byte[]> readRest(WorkspaceFiles files, FileContent start) {
		byte[] bytes = Arrays.copyOf(start.bytes(), (int) start.size());
		FileContent part = start;
		while (!part.atEnd()) {
			long next = part.offset() + part.bytes().length;
			WorkspaceResult<FileContent> read = files.read(start.path(), next, PART);
			if (read instanceof WorkspaceResult.Failure<FileContent> failure) {
				return failure.cast();
			}
			part = read.value();
			if (!part.version().equals(start.version()) || part.size() != start.size() || part.bytes().length == 0) {
				return WorkspaceResult.ok(new byte[0]);
			}
			System.arraycopy(part.bytes(), 0, bytes, (int) next, part.bytes().length);
		}
		return WorkspaceResult.ok(bytes);
	}

	/**
	 * Waits until there is room for a file in memory.
	 * @param path the file; none is needed for a missing one
	 * @param factor the heap that a call needs, as a multiple of the size of the file
	 * @param deadline the end of the wait for other calls
	 * @param context the context of the call
	 * @return the room, to be closed, or null if there was none until the deadline
	 */
	public static LargeFiles.@Nullable Place place(WorkspacePath path, int factor, CallDeadline deadline,
			ToolContext context) {
		return place(List.of(path), factor, deadline, context);
	}

	private static LargeFiles.@Nullable Place place(Collection<WorkspacePath> paths, int factor, CallDeadline deadline,
			ToolContext context) {
		long size = 0;
		for (WorkspacePath path : paths) {
			size += (context.files().info(path) instanceof WorkspaceResult.Ok<FileInfo> info) ? info.value().size() : 0;
		}
		return context.session()
			.largeFiles()
			.take(context.session().tenant().tenantId(), size, factor, deadline::hasEnded);
	}

	/**
	 * Calls a tool that reads a file as a whole, when there is room for it in memory.
	 * @param path the file, possibly missing
	 * @param factor the heap that the call needs, as a multiple of the size of the file
	 * @param deadline the end of the wait for other calls
	 * @param context the context of the call
	 * @param work the work of the tool
	 * @return the result; a failure with the code {@code too_many_calls} if other calls
	 * held large files until the deadline
	 */
	public static ToolResult holding(WorkspacePath path, int factor, CallDeadline deadline, ToolContext context,
			Supplier<ToolResult> work) {
		return holding(List.of(path), factor, deadline, context, work);
	}

	/**
	 * Calls a tool that reads files as a whole, when there is room for all of them in
	 * memory.
	 * @param paths the files, possibly missing
	 * @param factor the heap that the call needs, as a multiple of the size of the files
	 * @param deadline the end of the wait for other calls
	 * @param context the context of the call
	 * @param work the work of the tool
	 * @return the result; a failure with the code {@code too_many_calls} if other calls
	 * held large files until the deadline
	 */
	public static ToolResult holding(Collection<WorkspacePath> paths, int factor, CallDeadline deadline,
			ToolContext context, Supplier<ToolResult> work) {
		try (LargeFiles.Place place = place(paths, factor, deadline, context)) {
			return (place != null) ? work.get() : noPlace(deadline);
		}
	}

	/**
	 * Creates the failure of a call for whose file there is no room.
	 */
	static ToolResult noPlace(CallDeadline deadline) {
		return deadline.isCancelled() ? ToolResult.cancelled("The call was cancelled while it waited for others.")
				: ToolResult.failure(ToolError.TOO_MANY_CALLS,
						"Other calls hold large files in memory, and have left no room for this one.",
						"Try again when they have ended.");
	}

	/**
	 * Returns the kind of binary content.
	 * @return the kind, null for text
	 */
	public @Nullable String binaryKind() {
		return BinaryContent.kind(this.bytes, this.encoding);
	}

	/**
	 * Returns the text of the file.
	 * @return the text
	 */
	public EditableText text() {
		return new EditableText(this.bytes, this.encoding);
	}

}
