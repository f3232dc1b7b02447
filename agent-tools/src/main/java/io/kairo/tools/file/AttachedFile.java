package io.kairo.tools.file;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.Completeness;
import io.kairo.tools.ToolAttachment;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.session.LargeFiles;
import io.kairo.tools.text.BinaryContent;
import io.kairo.tools.text.Phrase;

/**
 * An image or a document that is attached to the result.
 *
 * @param path the file
 * @param context the context of the call
 */
record AttachedFile(WorkspacePath path, ToolContext context) {

	/** Maximum size, in bytes, of an image that the interfaces of models accept. */
	static final int MAX_BYTES = 5 << 20;

	/** The heap for the bytes, their encoding, and a message in several forms. */
	private static final int HEAP_FACTOR = 8;

	/**
	 * Reads the file, when there is room for it until the client has received it.
	 * @param kind the kind of content for people, such as {@code a PNG image}
	 * @param mediaType the media type
	 * @param deadline the end of the wait for other calls
	 */
	ToolResult result(String kind, String mediaType, CallDeadline deadline) {
		return inPlace(deadline, () -> result(kind, mediaType));
	}

	/**
	 * Reads a file of any kind, when there is room for it until the client has received
	 * it.
	 * @param deadline the end of the wait for other calls
	 */
	ToolResult whole(CallDeadline deadline) {
		return inPlace(deadline, this::whole);
	}

	private ToolResult inPlace(CallDeadline deadline, Supplier<ToolResult> work) {
		LargeFiles.Place place = WholeFile.place(this.path, HEAP_FACTOR, deadline, this.context);
		if (place == null) {
			return WholeFile.noPlace(deadline);
		}
		try {
			return work.get();
		}
		finally {
			this.context.whenSent(place::close);
		}
	}

	private ToolResult result(String kind, String mediaType) {
		String shown = this.context.display(this.path);
		WorkspaceResult<WholeFile> read = WholeFile.read(this.context.files(), this.path, MAX_BYTES);
		if (read instanceof WorkspaceResult.Failure<WholeFile> failure) {
			return (failure.code() == WorkspaceErrorCode.TOO_LARGE)
					? ToolResult.failure(failure.code().code(),
							Phrase.of("'%s' is %s of more than the %,d bytes that come with a result.", shown, kind,
									MAX_BYTES),
							"Make it smaller with a command, or use a command that understands this kind of file.")
					: ToolResult.failure(failure);
		}
		WholeFile file = read.value();
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("path", shown);
		data.put("version", file.version());
		data.put("size", (long) file.bytes().length);
		data.put("mediaType", mediaType);
		String text = Phrase.of("'%s' is %s of %s, which comes with this result.", shown, kind,
				Phrase.count(file.bytes().length, "byte")) + SeenVersion.versionLine(file.version(), this.context);
		return new ToolResult(text, data, null, Completeness.COMPLETE,
				new ToolAttachment(shown, mediaType, file.bytes()));
	}

	private ToolResult whole() {
		int maxBytes = this.context.maxWholeFile();
		String shown = this.context.display(this.path);
		WorkspaceResult<WholeFile> read = WholeFile.read(this.context.files(), this.path, maxBytes);
		if (read instanceof WorkspaceResult.Failure<WholeFile> failure) {
			return (failure.code() == WorkspaceErrorCode.TOO_LARGE) ? ToolResult.failure(failure.code().code(),
					Phrase.of("'%s' has more than the %,d bytes that are sent as a whole.", shown, maxBytes),
					"Read it in parts, with a tool or a command.") : ToolResult.failure(failure);
		}
		WholeFile file = read.value();
		String binary = file.binaryKind();
		String type = (binary == null) ? "text/plain" : BinaryContent.mediaType(binary);
		ToolAttachment attachment = new ToolAttachment(shown, (type != null) ? type : "application/octet-stream",
				file.bytes());
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("path", shown);
		data.put("version", file.version());
		data.put("size", (long) file.bytes().length);
		data.put("mediaType", attachment.mediaType());
		if (binary == null) {
			data.put("charset", file.encoding().charset().name());
		}
		return new ToolResult(
				Phrase.of("'%s' comes with this result, %s.", shown, Phrase.count(file.bytes().length, "byte")), data,
				null, Completeness.COMPLETE, attachment);
	}

}
