package io.kairo.workspace.search;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

import com.google.re2j.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * Searches files one after another with a reused buffer. For use by one thread at a time.
 */
final class FileScanner {

	/** Maximum size of a line, and of a file that is searched as a whole, in bytes. */
	static final int MAX_BUFFER = 16 << 20;

	private static final int FIRST_BUFFER = 128 * 1024;

	/** Size in bytes; files and lines above it are searched one after another. */
	private static final int LARGE = 1 << 20;

	private final CompiledPattern pattern;

	private final LineContext context;

	private final SearchClock clock;

	private final Matcher matcher;

	private final LineAutomaton automaton;

	private final ByteFinder finder = new ByteFinder();

	private final @Nullable LiteralFinder literals;

	private final ReentrantLock large;

	private byte[] buffer = new byte[FIRST_BUFFER];

	/**
	 * Creates a scanner.
	 * @param large held by the only scanner of a search that may take much memory
	 */
	FileScanner(CompiledPattern pattern, LineContext context, SearchClock clock, ReentrantLock large) {
		this.large = large;
		this.pattern = pattern;
		this.context = context;
		this.clock = clock;
		this.matcher = pattern.matcher();
		this.automaton = pattern.automaton();
		LiteralSet literals = pattern.literals();
		this.literals = (literals != null) ? new LiteralFinder(literals, this.finder) : null;
	}

	/**
	 * Searches a file.
	 * @param bytes the file
	 * @param sink receives the matches; the caller discards them if the file is binary
	 * @return the outcome
	 * @throws IOException if the file cannot be read
	 */
	Outcome scan(FileBytes bytes, LineSink sink) throws IOException {
		try {
			return search(bytes, sink);
		}
		finally {
			this.matcher.reset(""); // does not keep the text
			this.finder.end();
			if (this.literals != null) {
				this.literals.end();
			}
			if (this.large.isHeldByCurrentThread()) {
				this.buffer = new byte[FIRST_BUFFER];
				this.large.unlock();
			}
		}
	}

	private Outcome search(FileBytes bytes, LineSink sink) throws IOException {
		int count = bytes.read(this.buffer, 0);
		if (bytes.isTooLarge()) {
			return Outcome.TOO_LARGE;
		}
		Charset wide = LineText.wideCharset(this.buffer, count);
		if (wide != null) {
			int length = readWhole(bytes, count);
			return (length < 0) ? Outcome.TOO_LARGE : search(FileBytes.of(narrow(wide, length)), sink);
		}
		return this.pattern.isMultiline() ? scanWhole(bytes, count, sink) : scanLines(bytes, count, sink);
	}

	private Outcome scanWhole(FileBytes bytes, int count, LineSink sink) throws IOException {
		if (hasNul(0, count)) {
			return Outcome.BINARY;
		}
		int length = readWhole(bytes, count);
		if (length < 0) {
			return Outcome.TOO_LARGE;
		}
		if (hasNul(0, length)) {
			return Outcome.BINARY;
		}
		int mark = LineText.utf8Mark(this.buffer, length);
		int end = this.pattern.seesCarriageReturns() ? length : removeReturns(mark, length);
		LiteralSet literals = this.pattern.literals();
		if ((literals != null && literals.find(this.buffer, mark, end) < 0)
				|| this.automaton.find(this.buffer, mark, end) < 0) {
			return Outcome.SEARCHED;
		}
		new WholeText(LineText.decode(this.buffer, mark, end), this.matcher, this.clock).search(this.context, sink);
		return Outcome.SEARCHED;
	}

	/**
	 * Removes the carriage returns before line feeds from the buffer.
	 * @return the new end
	 */
	private int removeReturns(int from, int to) {
		int end = from;
		for (int i = from; i < to; i++) {
			boolean removed = this.buffer[i] == '\r' && i + 1 < to && this.buffer[i + 1] == '\n';
			if (!removed) {
				this.buffer[end++] = this.buffer[i];
			}
		}
		return end;
	}

	/**
	 * Returns the text in the buffer in UTF-8, without its byte order mark.
	 */
	private byte[] narrow(Charset wide, int length) {
		int mark = wide.name().startsWith("UTF-32") ? 4 : 2;
		return new String(this.buffer, mark, length - mark, wide).getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Reads a whole file into the buffer.
	 * @return its length, -1 if it is too large
	 */
	private int readWhole(FileBytes bytes, int count) throws IOException {
		int read = count;
		while (read == this.buffer.length) {
			if (!grow()) {
				return -1;
			}
			read = bytes.read(this.buffer, 0);
		}
		return Math.max(0, read);
	}

	private Outcome scanLines(FileBytes bytes, int count, LineSink sink) throws IOException {
		LineScan scan = new LineScan(this.pattern, this.matcher, this.literals, this.automaton, this.context,
				this.clock, sink);
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
				scan.scan(this.buffer, floor, position, end, atEnd);
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
		int size = Math.min(MAX_BUFFER, this.buffer.length * 4);
		if (size > LARGE && !this.large.isHeldByCurrentThread()) {
			this.large.lock();
		}
		this.buffer = new byte[size];
		return true;
	}

	private boolean hasNul(int from, int to) {
		this.finder.begin(this.buffer, to);
		return this.finder.indexOf((byte) 0, from) >= 0;
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
