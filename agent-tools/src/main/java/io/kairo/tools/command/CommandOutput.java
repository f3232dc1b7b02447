package io.kairo.tools.command;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.tools.ToolProgress;
import io.kairo.tools.output.OutputFiles;
import io.kairo.tools.output.SessionOutputs;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * What a command printed, as a person would have seen it, cut to what a model gets. Both
 * streams come in the order in which they were read. What comes so late that nobody can
 * be kept waiting for it is counted only. For use by one thread at a time, but for
 * {@link #hurry()}.
 */
final class CommandOutput implements AutoCloseable {

	static final int MAX_CHARACTERS = 30_000;

	private static final long PROGRESS_INTERVAL = 1_000_000_000;

	/** How long output is taken after its command should have ended. */
	private static final Duration GRACE = Duration.ofSeconds(5);

	private final HeadAndTail text = new HeadAndTail(MAX_CHARACTERS);

	private final SpilledText spilled;

	private final TerminalText stdout = new TerminalText(this::append);

	private final TerminalText stderr = new TerminalText(this::append);

	private final LatestProgress progress;

	private final AtomicLong deadline;

	private long bytes;

	private long late;

	private long reported = System.nanoTime();

	/**
	 * Creates an empty output.
	 * @param progress is told how much there is
	 * @param outputs keeps what is too long for a model, null if nothing does
	 * @param timeout how long the command may take
	 */
	CommandOutput(Consumer<ToolProgress> progress, @Nullable SessionOutputs outputs, Duration timeout) {
		this.deadline = new AtomicLong(System.nanoTime() + timeout.plus(GRACE).toNanos());
		this.spilled = new SpilledText(outputs, MAX_CHARACTERS);
		this.progress = new LatestProgress(progress);
	}

	/**
	 * Takes the next part.
	 */
	void write(SandboxOutputChunk chunk) {
		long now = System.nanoTime();
		if (now - this.deadline.get() > 0) {
			this.late += chunk.data().length;
			return;
		}
		((chunk instanceof SandboxOutputChunk.Stderr) ? this.stderr : this.stdout).write(chunk.data());
		this.bytes += chunk.data().length;
		if (now - this.reported >= PROGRESS_INTERVAL) {
			this.reported = now;
			this.progress.report(new ToolProgress(this.bytes, Phrase.of("%,d bytes of output", this.bytes)));
		}
	}

	/**
	 * Takes what comes within a few seconds, since the command is being ended. May be
	 * called by any thread.
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
	Ended end() {
		this.stdout.end();
		this.stderr.end();
		String id = this.spilled.end();
		return new Ended(this.text, (id != null) ? OutputFiles.PREFIX + id : null, this.spilled.dropped(), this.late);
	}

	/**
	 * Gives up what is kept of an output that has not ended, and reports nothing any
	 * more.
	 */
	@Override
	public void close() {
		this.progress.close();
		this.spilled.close();
	}

	/**
	 * An output that has ended.
	 *
	 * @param text the part of it that a model gets
	 * @param name what it is called by as a whole, null if it is not longer than that
	 * @param dropped how many bytes of the whole there was no room for
	 * @param late how many bytes came too late to be taken
	 */
	record Ended(HeadAndTail text, @Nullable String name, long dropped, long late) {

	}

}
