package io.kairo.tools.file;

import java.util.function.BooleanSupplier;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.text.TextEncoding;

/**
 * The numbers of line ends in a file, by their kind. For use by one thread.
 */
final class LineEnds {

	private static final int CHUNK = 1 << 20;

	private long lineFeeds;

	private long pairs;

	private long carriageReturns;

	private char last = '\n';

	private LineEnds() {
	}

	/**
	 * Counts the line ends of a file.
	 * @param encoding its encoding
	 * @param over returns whether to stop
	 * @return the counts, or a failure if the file cannot be read; {@code read_failed} if
	 * counting was stopped
	 */
	static WorkspaceResult<LineEnds> count(WorkspaceFiles files, WorkspacePath path, TextEncoding encoding,
			BooleanSupplier over) {
		LineEnds ends = new LineEnds();
		int unit = encoding.hasByteLines() ? 1 : encoding.charset().name().startsWith("UTF-32") ? 4 : 2;
		boolean littleEndian = encoding.charset().name().endsWith("LE");
		long offset = encoding.bomLength();
		while (true) {
			WorkspaceResult<FileContent> read = files.read(path, offset, CHUNK);
			if (read instanceof WorkspaceResult.Failure<FileContent> failure) {
				return failure.cast();
			}
			FileContent content = read.value();
			ends.add(content.bytes(), unit, littleEndian);
			offset += content.bytes().length;
			if (content.atEnd() || content.bytes().length == 0) {
				return WorkspaceResult.ok(ends);
			}
			if (over.getAsBoolean()) {
				return WorkspaceResult.failure(WorkspaceErrorCode.READ_FAILED,
						"The lines could not be counted in time");
			}
		}
	}

	private void add(byte[] bytes, int unit, boolean littleEndian) {
		for (int i = 0; i + unit <= bytes.length; i += unit) {
			char c = (char) (bytes[i] & 0xFF);
			for (int j = 1; j < unit; j++) {
				int value = bytes[i + j] & 0xFF;
				if (littleEndian ? value != 0 : c != 0) {
					c = '\uFFFF'; // not a line end
				}
				else {
					c = littleEndian ? c : (char) value;
				}
			}
			add(c);
		}
	}

	private void add(char c) {
		if (c == '\n') {
			if (this.last == '\r') {
				this.pairs++;
				this.carriageReturns--;
			}
			else {
				this.lineFeeds++;
			}
		}
		this.carriageReturns += (c == '\r') ? 1 : 0;
		this.last = c;
	}

	/**
	 * Returns the number of lines. The last line needs no line end.
	 */
	long lines() {
		long ends = this.lineFeeds + this.pairs;
		return (this.last == '\n') ? ends : ends + 1;
	}

	/**
	 * Returns the style: LF, CRLF, CR, mixed or none.
	 */
	String style() {
		int styles = ((this.lineFeeds > 0) ? 1 : 0) + ((this.pairs > 0) ? 1 : 0) + ((this.carriageReturns > 0) ? 1 : 0);
		if (styles != 1) {
			return (styles == 0) ? "none" : "mixed";
		}
		return (this.lineFeeds > 0) ? "LF" : (this.pairs > 0) ? "CRLF" : "CR";
	}

	boolean endsWithLineEnd() {
		return this.last == '\n' || this.last == '\r';
	}

}
