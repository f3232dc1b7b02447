package io.kairo.tools.command;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.tools.LatestProgress;
import io.kairo.tools.ToolProgress;
import io.kairo.tools.output.OutputFiles;
import io.kairo.tools.output.SessionOutputs;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The output of a command as a terminal would show it, cut to the length of a result.
 * Both streams are in the order of reading. Output that arrives after the deadline is
 * only counted. For use by one thread at a time, except for {@link #hurry()} and
 * {@link #beat(Duration)}.
 */
final class CommandOutput implements AutoCloseable {

	static final int MAX_CHARACTERS = 30_000;

	private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);

	/** Maximum number of characters of the output in a progress. */
	private static final int PROGRESS_CHARACTERS = 1000;

	/** Time for reading output after the timeout of its command. */
	private static final Duration GRACE = Duration.ofSeconds(5);

	private final HeadAndTail text = new HeadAndTail(MAX_CHARACTERS);

	private final SpilledText spilled;

	private final LineSelection selection;

	private final TerminalText stdout;

	private final TerminalText stderr;

	private final LatestProgress progress;

	private final AtomicLong deadline;

	private long bytes;

	private long late;

	private final long started = System.nanoTime();

	private long reported = this.started;

	private long reportedLength;

	private String reportedLine = "";

	/**
	 * Creates an empty output.
	 * @param progress the listener for the elapsed time and the output
	 * @param outputs the storage for output that is too long for a result, null to keep
	 * none
	 * @param timeout the timeout of the command
	 */
	CommandOutput(Consumer<ToolProgress> progress, @Nullable SessionOutputs outputs, Duration timeout) {
		this(progress, outputs, timeout, LineSelection.ALL);
	}

	/**
	 * Creates an empty output of selected lines.
	 * @param progress the listener for the elapsed time and the output
	 * @param outputs the storage for output that is too long for a result, null to keep
	 * none
	 * @param timeout the timeout of the command
	 * @param lines the lines to select
	 */
	CommandOutput(Consumer<ToolProgress> progress, @Nullable SessionOutputs outputs, Duration timeout,
			LineSelection.Lines lines) {
		this.selection = new LineSelection(lines, this::append);
		this.stdout = new TerminalText(this.selection::append);
		this.stderr = new TerminalText(this.selection::append);
		this.deadline = new AtomicLong(System.nanoTime() + timeout.plus(GRACE).toNanos());
		this.spilled = new SpilledText(outputs, MAX_CHARACTERS);
		this.progress = new LatestProgress(progress);
	}

	/**
	 * Adds the next part of the output.
	 */
	synchronized void write(SandboxOutputChunk chunk) {
		if (System.nanoTime() - this.deadline.get() > 0) {
			this.late += chunk.data().length;
			return;
		}
		((chunk instanceof SandboxOutputChunk.Stderr) ? this.stderr : this.stdout).write(chunk.data());
		this.bytes += chunk.data().length;
		this.selection.look(() -> this.stdout.line(LineSelection.MAX_LINE));
		beat(PROGRESS_INTERVAL);
	}

	/**
	 * Reports progress, unless there was some within an interval. May be called by any
	 * thread.
	 */
	synchronized void beat(Duration interval) {
		long now = System.nanoTime();
		if (now - this.reported >= interval.toNanos()) {
			this.reported = now;
			this.progress.report(new ToolProgress(this.bytes, Phrase.of("%,d s, %s of output",
					Duration.ofNanos(now - this.started).toSeconds(), Phrase.count(this.bytes, "byte")), newText()));
		}
	}

	/**
	 * Returns the end of the output since the last progress, with the line that has not
	 * ended yet.
	 */
	private @Nullable String newText() {
		String line = this.stdout.line(PROGRESS_CHARACTERS);
		long added = this.text.length() - this.reportedLength;
		boolean silent = added == 0 && (line.isEmpty() || line.equals(this.reportedLine));
		this.reportedLength += added;
		this.reportedLine = line;
		return silent ? null : this.text.last(Math.min(added, PROGRESS_CHARACTERS - line.length())) + line;
	}

	/**
	 * Moves the deadline to a few seconds from now, since the command is being cancelled.
	 * May be called by any thread.
	 */
	void hurry() {
		long soon = System.nanoTime() + GRACE.toNanos();
		this.deadline.getAndUpdate((before) -> (before - soon > 0) ? soon : before);
	}

	private void append(int codePoint) {
		this.text.append(codePoint);
		this.spilled.append(codePoint);
	}

	/**
	 * Ends the output.
	 */
	synchronized Ended end() {
		this.stdout.end();
		this.stderr.end();
		this.selection.end();
		String id = this.spilled.end();
		return new Ended(this.text, (id != null) ? OutputFiles.PREFIX + id : null, this.spilled.dropped(), this.late);
	}

	/**
	 * Returns whether a line was found that the reader waits for.
	 */
	synchronized boolean found() {
		return this.selection.found();
	}

	/**
	 * Discards an output that has not ended, and stops reporting progress.
	 */
	@Override
	public void close() {
		this.progress.close();
		this.spilled.close();
	}

	/**
	 * An output that has ended.
	 *
	 * @param text the part for the result
	 * @param name the name of the whole output, null if the text is all of it
	 * @param dropped the number of bytes that could not be kept
	 * @param late the number of bytes that arrived too late
	 */
	record Ended(HeadAndTail text, @Nullable String name, long dropped, long late) {

	}

}
