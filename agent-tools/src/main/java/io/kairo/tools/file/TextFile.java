package io.kairo.tools.file;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.UnaryOperator;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.BinaryContent;
import io.kairo.tools.text.TextEncoding;
import org.jspecify.annotations.Nullable;

/**
 * A text file that is read from its beginning, chunk by chunk, so that memory use does
 * not depend on its size.
 */
final class TextFile {

	private static final int CHUNK = 512 * 1024;

	/**
	 * Maximum number of bytes to count beyond the range, so that a huge file is not
	 * scanned.
	 */
	private static final long MAX_COUNTED = 256L << 20;

	/** Maximum number of bytes of a line to scan for its end. */
	private static final long MAX_LINE = 256L << 20;

	/** Null if the whole file was read before. */
	private final @Nullable WorkspaceFiles files;

	private final FileContent start;

	private final TextEncoding encoding;

	/** Null if the file is long and was not read as a whole. */
	private final byte @Nullable [] whole;

	private boolean changed;

	private TextFile(@Nullable WorkspaceFiles files, FileContent start, TextEncoding encoding,
			byte @Nullable [] whole) {
		this.files = files;
		this.start = start;
		this.encoding = encoding;
		this.whole = whole;
	}

	static WorkspaceResult<TextFile> open(WorkspaceFiles files, WorkspacePath path) {
		return files.read(path, 0, FileContent.HASHED_SIZE)
			.map((start) -> new TextFile(files, start, TextEncoding.detect(start.bytes(), start.atEnd()),
					start.atEnd() ? start.bytes() : null));
	}

	/**
	 * Returns a file that was read as a whole, in the version that was read.
	 */
	static TextFile of(WorkspacePath path, WholeFile file) {
		byte[] start = Arrays.copyOf(file.bytes(), Math.min(file.bytes().length, FileContent.HASHED_SIZE));
		return new TextFile(null, new FileContent(path, start, 0, file.bytes().length, file.version()), file.encoding(),
				file.bytes());
	}

	TextEncoding encoding() {
		return this.encoding;
	}

	long size() {
		return this.start.size();
	}

	String version() {
		return this.start.version();
	}

	/**
	 * Returns all bytes.
	 * @return the bytes, null if the file is long
	 */
	byte @Nullable [] wholeContent() {
		return this.whole;
	}

	@Nullable String binaryKind() {
		return BinaryContent.kind(this.start.bytes(), this.encoding);
	}

	/**
	 * Returns whether the file changed while it was read.
	 */
	boolean changed() {
		return this.changed;
	}

	/**
	 * Reads a range of lines, or of characters of a line.
	 * @param range the range
	 * @param options the bounds of the tool
	 * @param form makes the shown form of a line
	 * @param deadline stops reading and counting
	 * @return the range
	 */
	WorkspaceResult<LineWindow> lines(LineRange range, ReadOptions options, UnaryOperator<String> form,
			CallDeadline deadline) {
		boolean characters = range.firstCharacter() > 0;
		boolean byteLines = this.encoding.hasByteLines() && this.encoding.isSelfSynchronizing();
		CharsetDecoder decoder = (byteLines && !characters) ? null
				: this.encoding.charset()
					.newDecoder()
					.onMalformedInput(CodingErrorAction.REPLACE)
					.onUnmappableCharacter(CodingErrorAction.REPLACE);
		LineWindow window = new LineWindow((decoder != null) ? StandardCharsets.UTF_8 : this.encoding.charset(), range,
				options, form);
		FileContent content = this.start;
		byte[] chunk = Arrays.copyOfRange(content.bytes(), this.encoding.bomLength(), content.bytes().length);
		long countedFrom = -1;
		byte[] pending = new byte[0];
		while (true) {
			if (decoder != null) {
				ByteBuffer undecoded = ByteBuffer.wrap(concat(pending, chunk));
				chunk = decode(decoder, undecoded, content.atEnd());
				pending = new byte[undecoded.remaining()];
				undecoded.get(pending);
			}
			window.add(chunk);
			long next = content.offset() + content.bytes().length;
			if (content.atEnd() || content.bytes().length == 0) {
				window.end();
				return WorkspaceResult.ok(window);
			}
			boolean endless = window.lineLength() > MAX_LINE && !characters;
			if (endless || deadline.isOver()) {
				window.stop(endless ? Phrase.of("a line of more than %,d bytes", MAX_LINE)
						: Phrase.of("%.1f seconds", deadline.timeout().toMillis() / 1000.0));
				return WorkspaceResult.ok(window);
			}
			if (window.full()) {
				countedFrom = (countedFrom < 0) ? next : countedFrom;
				if (next - countedFrom > MAX_COUNTED) {
					return WorkspaceResult.ok(window);
				}
			}
			WorkspaceResult<FileContent> read = read(next);
			if (read instanceof WorkspaceResult.Failure<FileContent> failure) {
				return failure.cast();
			}
			content = read.value();
			chunk = content.bytes();
			this.changed |= !content.version().equals(this.start.version());
		}
	}

	/**
	 * Reads the chunk that starts at an offset.
	 */
	private WorkspaceResult<FileContent> read(long offset) {
		WorkspacePath path = this.start.path();
		if (this.files != null) {
			return this.files.read(path, offset, CHUNK);
		}
		byte[] all = Objects.requireNonNull(this.whole);
		byte[] part = Arrays.copyOfRange(all, (int) offset, (int) Math.min(offset + CHUNK, all.length));
		return WorkspaceResult.ok(new FileContent(path, part, offset, all.length, version()));
	}

	private static byte[] decode(CharsetDecoder decoder, ByteBuffer bytes, boolean last) {
		CharBuffer characters = CharBuffer.allocate((int) (bytes.remaining() * decoder.maxCharsPerByte()) + 8);
		decoder.decode(bytes, characters, last);
		return characters.flip().toString().getBytes(StandardCharsets.UTF_8);
	}

	private static byte[] concat(byte[] first, byte[] second) {
		byte[] both = Arrays.copyOf(first, first.length + second.length);
		System.arraycopy(second, 0, both, first.length, second.length);
		return both;
	}

}
