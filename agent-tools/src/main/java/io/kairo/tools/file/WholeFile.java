package io.kairo.tools.file;

import java.util.Arrays;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.text.BinaryContent;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.TextEncoding;
import org.jspecify.annotations.Nullable;

/**
 * All bytes of a file, in one version.
 *
 * @param bytes the bytes
 * @param version the version that all of them are of
 * @param encoding how its text is encoded; where the beginning that Read goes by is
 * UTF-8, all bytes are
 */
public record WholeFile(byte[] bytes, String version, TextEncoding encoding) {

	private static final int ATTEMPTS = 3;

	/**
	 * Reads a file.
	 * @param files where it is
	 * @param path which file
	 * @param maxBytes how long it may be
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
			// a part, and not the whole once more: its version costs no hash of it
			read = files.read(path, start.bytes().length, (int) start.size() - start.bytes().length);
			if (read instanceof WorkspaceResult.Failure<FileContent> failure) {
				return failure.cast();
			}
			FileContent rest = read.value();
			if (rest.version().equals(start.version()) && rest.atEnd() && rest.size() == start.size()) {
				byte[] bytes = Arrays.copyOf(start.bytes(), (int) start.size());
				System.arraycopy(rest.bytes(), 0, bytes, start.bytes().length, rest.bytes().length);
				return WorkspaceResult.ok(new WholeFile(bytes, start.version(),
						encoding.equals(TextEncoding.UTF_8) ? TextEncoding.detect(bytes, true) : encoding));
			}
		}
		return WorkspaceResult.failure(WorkspaceErrorCode.STALE_READ,
				"The file changes all the time; wait until that has ended, and read it again");
	}

	public @Nullable String binaryKind() {
		return BinaryContent.kind(this.bytes, this.encoding);
	}

	public EditableText text() {
		return new EditableText(this.bytes, this.encoding);
	}

}
