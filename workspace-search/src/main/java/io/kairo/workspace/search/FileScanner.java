package io.kairo.workspace.search;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import com.google.re2j.Matcher;

/**
 * Searches files one after another with a reused buffer. For use by one thread at a time.
 */
final class FileScanner {

	/** Maximum size of a line, and of a file that is searched as a whole, in bytes. */
	static final int MAX_BUFFER = 16 << 20;

	private static final int FIRST_BUFFER = 128 * 1024;

	private final CompiledPattern pattern;

	private final LineContext context;

	private final SearchClock clock;

	private final Matcher matcher;

	private byte[] buffer = new byte[FIRST_BUFFER];

	FileScanner(CompiledPattern pattern, LineContext context, SearchClock clock) {
		this.pattern = pattern;
		this.context = context;
		this.clock = clock;
		this.matcher = pattern.matcher();
	}

	/**
	 * Searches a file.
	 * @param bytes the file
	 * @param sink receives the matches, which the caller discards if the file is binary
	 * @return the outcome
	 * @throws IOException if the file cannot be read
	 */
	Outcome scan(FileBytes bytes, LineSink sink) throws IOException {
		int count = bytes.read(this.buffer, 0);
		Charset wide = LineText.wideCharset(this.buffer, count);
		if (wide != null) {
			byte[] all = whole(bytes, count);
			if (all.length == 0) {
				return Outcome.TOO_LARGE;
			}
			String text = new String(all, wide);
			String unmarked = text.startsWith("\uFEFF") ? text.substring(1) : text;
			return scan(FileBytes.of(unmarked.getBytes(StandardCharsets.UTF_8)), sink);
		}
		return this.pattern.isMultiline() ? scanWhole(bytes, count, sink) : scanLines(bytes, count, sink);
	}

	private Outcome scanWhole(FileBytes bytes, int count, LineSink sink) throws IOException {
		if (hasNul(0, count)) {
			return Outcome.BINARY;
		}
		byte[] all = whole(bytes, count);
		if (all.length == 0) {
			return (count <= 0) ? Outcome.SEARCHED : Outcome.TOO_LARGE;
		}
		int mark = LineText.utf8Mark(all, all.length);
		if (hasNul(all, 0, all.length)) {
			return Outcome.BINARY;
		}
		new WholeText(LineText.decode(all, mark, all.length), this.pattern, this.matcher, this.clock)
			.search(this.context, sink);
		return Outcome.SEARCHED;
	}

	/**
	 * Returns the bytes of a whole file, empty if it is empty or too large.
	 */
	private byte[] whole(FileBytes bytes, int count) throws IOException {
		int read = count;
		while (read == this.buffer.length) {
			if (!grow()) {
				return new byte[0];
			}
			read = bytes.read(this.buffer, 0);
		}
		return Arrays.copyOf(this.buffer, Math.max(0, read));
	}

	private Outcome scanLines(FileBytes bytes, int count, LineSink sink) throws IOException {
		LineScan scan = new LineScan(this.pattern, this.matcher, this.context, this.clock, sink);
		int position = LineText.utf8Mark(this.buffer, count);
		int floor = position;
		long offset = 0;
		int read = count;
		while (true) {
			this.clock.check();
			boolean atEnd = read < this.buffer.length;
			if (hasNul(position, read)) {
				return Outcome.BINARY;
			}
			int end = atEnd ? Math.max(read, 0) : lastLineFeed(position, read) + 1;
			if (end > position) {
				scan.scan(this.buffer, floor, position, end);
				if (sink.isFull()) {
					return Outcome.SEARCHED;
				}
			}
			if (atEnd) {
				return Outcome.SEARCHED;
			}
			if (end <= position) {
				if (!grow()) {
					return Outcome.TOO_LARGE;
				}
			}
			else {
				int keep = startOfLinesBefore(floor, end, this.context.before());
				if (end - keep > this.buffer.length / 2 && !grow()) {
					keep = end; // the context lines are too long to be shown
				}
				offset += keep;
				position = end - keep;
				floor = 0;
			}
			read = bytes.read(this.buffer, offset);
			if (read < position) {
				return Outcome.SEARCHED; // the file was truncated meanwhile
			}
		}
	}

	private boolean grow() {
		if (this.buffer.length >= MAX_BUFFER) {
			return false;
		}
		this.buffer = new byte[Math.min(MAX_BUFFER, this.buffer.length * 4)];
		return true;
	}

	private boolean hasNul(int from, int to) {
		return hasNul(this.buffer, from, to);
	}

	private static boolean hasNul(byte[] bytes, int from, int to) {
		for (int i = from; i < to; i++) {
			if (bytes[i] == 0) {
				return true;
			}
		}
		return false;
	}

	private int lastLineFeed(int from, int to) {
		for (int i = to - 1; i >= from; i--) {
			if (this.buffer[i] == '\n') {
				return i;
			}
		}
		return from - 1;
	}

	/**
	 * Returns the start of the lines that may be context of a match in the next part.
	 */
	private int startOfLinesBefore(int floor, int end, int lines) {
		int start = end;
		for (int i = 0; i < lines && start > floor; i++) {
			start = Math.max(floor, lastLineFeed(floor, start - 1) + 1);
		}
		return start;
	}

	/**
	 * The outcome of a scan.
	 */
	enum Outcome {

		/** The file was searched. */
		SEARCHED,

		/** The file is binary. */
		BINARY,

		/**
		 * The file or one of its lines is too large; the lines before it were searched.
		 */
		TOO_LARGE

	}

}
