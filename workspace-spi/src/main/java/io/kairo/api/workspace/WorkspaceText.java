package io.kairo.api.workspace;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Reads and writes whole files as text for the String methods of {@link WorkspaceFiles}.
 */
final class WorkspaceText {

	/** The path of the root in a sandbox that hides the host. */
	private static final String ALIAS = "/workspace";

	private WorkspaceText() {
	}

	/**
	 * Resolves a logical path. Where the host is hidden, {@code /workspace} is the root,
	 * as it is for a path that a model gives.
	 * @param path the path as it was written
	 * @param canonical its canonical form, not empty
	 */
	static WorkspacePath resolve(WorkspaceFiles files, String path, String canonical) {
		boolean aliased = (canonical + "/").startsWith(ALIAS.substring(1) + "/")
				&& path.strip().replace('\\', '/').startsWith("/");
		WorkspacePath root = files.root();
		boolean absolute = aliased && List.of("/", ALIAS).contains(files.display(root));
		return files.resolve(absolute ? "/" + canonical : canonical, root);
	}

	/**
	 * Returns whether the String methods open a path by its text.
	 */
	static boolean isLogical(WorkspaceFiles files, WorkspacePath path) {
		try {
			String canonical = WorkspacePath.canonicalize(path.relative());
			return canonical.equals(path.relative()) && resolve(files, canonical, canonical).equals(path);
		}
		catch (WorkspacePathException ex) {
			return false;
		}
	}

	/**
	 * Omits the entries that the String methods cannot open.
	 */
	static FileListing logical(WorkspaceFiles files, FileListing listing) {
		List<FileInfo> entries = listing.entries().stream().filter((entry) -> isLogical(files, entry.path())).toList();
		return new FileListing(listing.directory(), entries,
				listing.omitted() + listing.entries().size() - entries.size());
	}

	static WorkspaceResult<FileContent> readWhole(WorkspaceFiles files, WorkspacePath path) {
		WorkspaceResult<FileInfo> info = files.info(path);
		if (info instanceof WorkspaceResult.Failure<FileInfo> failure) {
			return failure.cast();
		}
		if (info.value().size() > WorkspaceFiles.MAX_TEXT_SIZE) {
			return tooLarge(path, info.value().size());
		}
		WorkspaceResult<FileContent> content = files.read(path, 0, WorkspaceFiles.MAX_TEXT_SIZE);
		if (content.isOk() && !content.value().atEnd()) {
			return tooLarge(path, content.value().size());
		}
		return content;
	}

	static WorkspaceResult<ReadFileResult> decode(FileContent content) {
		try {
			String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content.bytes())).toString();
			return WorkspaceResult.ok(new ReadFileResult(text, content.path().relative()));
		}
		catch (CharacterCodingException ex) {
			return WorkspaceResult.failure(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE,
					WorkspacePath.quote(content.path().relative()) + " is not UTF-8 text: read its bytes instead");
		}
	}

	/**
	 * Encodes a text without replacement characters.
	 * @return the bytes, null if the text has an unpaired surrogate, since UTF-8 cannot
	 * encode it
	 */
	static byte @Nullable [] encode(String text) {
		try {
			ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
			byte[] encoded = new byte[bytes.remaining()];
			bytes.get(encoded);
			return encoded;
		}
		catch (CharacterCodingException ex) {
			return null;
		}
	}

	static <T> WorkspaceResult<T> notEncodable(WorkspacePath path) {
		return WorkspaceResult.failure(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE,
				"The text for " + WorkspacePath.quote(path.relative())
						+ " has half of a character (an unpaired surrogate), which UTF-8 cannot hold: remove it");
	}

	/**
	 * Compares a file with a text that cannot be encoded.
	 */
	static WorkspaceResult<CompareExchangeResult> mismatch(WorkspaceFiles files, WorkspacePath path) {
		return files.read(path, 0, 0).map((content) -> mismatch(path));
	}

	static CompareExchangeResult mismatch(WorkspacePath path) {
		return new CompareExchangeResult(false, path.relative(),
				WorkspacePath.quote(path.relative()) + " has another content than the expected one");
	}

	private static WorkspaceResult<FileContent> tooLarge(WorkspacePath path, long size) {
		return WorkspaceResult.failure(WorkspaceErrorCode.TOO_LARGE,
				WorkspacePath.quote(path.relative()) + " has " + size + " bytes and " + WorkspaceFiles.MAX_TEXT_SIZE
						+ " are read at most as one text: read it in ranges");
	}

}
