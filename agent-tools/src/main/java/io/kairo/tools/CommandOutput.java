package io.kairo.tools;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;

import io.kairo.api.sandbox.SandboxOutputChunk;

/**
 * What a command printed, as a person would have seen it, cut to what a model gets. Both
 * streams come in the order in which they were read. For use by one thread at a time.
 */
final class CommandOutput {

	static final int MAX_CHARACTERS = 30_000;

	private static final Logger logger = System.getLogger(CommandOutput.class.getName());

	private static final long PROGRESS_INTERVAL = 1_000_000_000;

	private final HeadAndTail text = new HeadAndTail(MAX_CHARACTERS);

	private final TerminalText stdout = new TerminalText(this.text::append);

	private final TerminalText stderr = new TerminalText(this.text::append);

	private final Consumer<ToolProgress> progress;

	private long bytes;

	private long reported = System.nanoTime();

	CommandOutput(Consumer<ToolProgress> progress) {
		this.progress = progress;
	}

	void write(SandboxOutputChunk chunk) {
		((chunk instanceof SandboxOutputChunk.Stderr) ? this.stderr : this.stdout).write(chunk.data());
		this.bytes += chunk.data().length;
		long now = System.nanoTime();
		if (now - this.reported >= PROGRESS_INTERVAL) {
			this.reported = now;
			report();
		}
	}

	/**
	 * Reports progress. Who is told and fails costs nobody the output.
	 */
	private void report() {
		try {
			this.progress.accept(new ToolProgress(this.bytes, Phrase.of("%,d bytes of output", this.bytes)));
		}
		catch (RuntimeException ex) {
			logger.log(Level.DEBUG, "Progress could not be reported", ex);
		}
	}

	/**
	 * Ends the output.
	 */
	HeadAndTail end() {
		this.stdout.end();
		this.stderr.end();
		return this.text;
	}

}
