package io.kairo.tools.command;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.sandbox.support.output.OutputChannel;
import io.kairo.sandbox.support.transcript.TranscriptPage;
import io.kairo.tools.Completeness;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.background.BackgroundCommand;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * One reading of the output of a command in the background. For use by one thread.
 */
final class OutputReading {

	private static final int PAGE_BYTES = 64 * 1024;

	/** Maximum time until a cancellation is seen. */
	private static final Duration STEP = Duration.ofMillis(200);

	/** Time for the available output. A slow pattern may exceed it. */
	private static final Duration READING = Duration.ofSeconds(20);

	/** Time between the end of the output and the exit. */
	private static final Duration EXIT = Duration.ofSeconds(10);

	private final BackgroundCommand command;

	private final LineSelection.Lines lines;

	private final Duration timeout;

	private final Duration heartbeat;

	private final ToolContext context;

	private final ToolNaming naming;

	private final long start;

	private long position;

	private long discarded;

	private boolean unread;

	/**
	 * Creates a reading.
	 * @param command the command
	 * @param lines the lines to return and to wait for
	 * @param timeout the maximum time to wait
	 * @param whole whether to start from the beginning
	 * @param heartbeat the interval at which a silent command reports progress
	 * @param context the context of the call
	 * @param naming the names of the tools
	 */
	OutputReading(BackgroundCommand command, LineSelection.Lines lines, Duration timeout, boolean whole,
			Duration heartbeat, ToolContext context, ToolNaming naming) {
		this.naming = naming;
		this.heartbeat = heartbeat;
		this.command = command;
		this.lines = lines;
		this.timeout = timeout;
		this.context = context;
		this.start = whole ? 0 : command.cursor();
		this.position = this.start;
	}

	ToolResult result() {
		try (CommandOutput output = new CommandOutput(this.context.progress(), this.context.session().outputs(),
				this.timeout.plus(READING), this.lines)) {
			boolean complete = read(output);
			if (this.context.cancellation().isCancelled()) {
				return cancelled();
			}
			SandboxExit exit = complete ? this.command.awaitExit(EXIT).orElse(null) : null;
			boolean found = output.found();
			CommandOutput.Ended ended = output.end();
			this.command.returned(this.position);
			if (exit != null && SandboxExit.NOT_RUN.equals(exit.signal())) {
				return CommandReport.notRun(ended.text().text("").strip());
			}
			return result(ended, exit, found || output.found());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return cancelled();
		}
	}

	private static ToolResult cancelled() {
		return ToolResult.cancelled("The call was cancelled; the command runs on, and its output can still be read.");
	}

	/**
	 * Reads until there is no more output and nothing left to wait for.
	 * @return whether the output has ended
	 */
	private boolean read(CommandOutput output) throws InterruptedException {
		long began = System.nanoTime();
		while (!this.context.cancellation().isCancelled()) {
			TranscriptPage page = this.command.read(this.position, PAGE_BYTES);
			page.parts().forEach((part) -> output.write(chunk(part)));
			boolean caughtUp = page.nextCursor() - this.position < PAGE_BYTES;
			this.position = page.nextCursor();
			this.discarded = Math.max(this.discarded, page.discardedBytes());
			if (page.complete()) {
				return true;
			}
			Duration gone = Duration.ofNanos(System.nanoTime() - began);
			boolean over = gone.compareTo(this.timeout) >= 0 || output.found();
			if (caughtUp ? over : gone.compareTo(this.timeout.plus(READING)) >= 0) {
				this.unread = !caughtUp;
				return false;
			}
			if (caughtUp) {
				Duration left = this.timeout.minus(gone);
				this.command.awaitOutput(this.position, (left.compareTo(STEP) < 0) ? left : STEP);
				output.beat(this.heartbeat);
			}
		}
		return false;
	}

	private static SandboxOutputChunk chunk(TranscriptPage.Part part) {
		byte[] data = part.text().getBytes(StandardCharsets.UTF_8);
		return (part.channel() == OutputChannel.STDERR) ? new SandboxOutputChunk.Stderr(data)
				: new SandboxOutputChunk.Stdout(data);
	}

	private ToolResult result(CommandOutput.Ended ended, @Nullable SandboxExit exit, boolean found) {
		HeadAndTail output = ended.text();
		boolean again = exit != null && this.command.reportEnd();
		List<String> notes = notes(ended, exit, again, found);
		StringBuilder text = new StringBuilder(
				output.text(Phrase.of("\n\u2026 (%s left out%s) \u2026\n", Phrase.count(output.leftOut(), "character"),
						(ended.name() != null) ? ", read them in " + ended.name() : "")));
		if (output.isEmpty()) {
			text.append(noOutput()).append('\n');
		}
		else if (!output.endsWithNewline()) {
			text.append('\n');
		}
		text.append('(').append(String.join("; ", notes)).append(')');
		return new ToolResult(text.toString(), data(ended, exit, found), null, complete(ended));
	}

	private String noOutput() {
		if (this.lines.filter() != null && this.position > this.start) {
			return "(no line of the new output matches the filter)";
		}
		return (this.start > 0) ? "(no new output)" : "(no output)";
	}

	/**
	 * Returns whether a running command may be waiting for its first input: it has
	 * printed nothing so far, or a line without an end, such as a prompt.
	 */
	private boolean mayWaitForInput(HeadAndTail output) {
		boolean prompt = output.isEmpty() ? this.position == 0 : !output.endsWithNewline();
		return prompt && !this.unread && !this.command.hasInput();
	}

	private List<String> notes(CommandOutput.Ended ended, @Nullable SandboxExit exit, boolean again, boolean found) {
		List<String> notes = new ArrayList<>();
		notes.add(this.command.id() + ": " + CommandStatus.text(this.command, exit)
				+ (again ? ", as reported before" : ""));
		if (this.lines.awaited() != null) {
			notes.add(found ? "a line matches wait_for" : "no line matches wait_for");
		}
		if (exit != null && this.command.handle().leftoverProcesses() > 0) {
			notes.add(Phrase.of("processes that it left running were ended: %d",
					this.command.handle().leftoverProcesses()));
		}
		notes.addAll(CommandReport.removed(this.command.removed()));
		if (this.discarded > 0) {
			notes.add(Phrase.of("%s not kept%s",
					Phrase.count(this.discarded, "byte of output was", "bytes of output were"),
					(exit == null) ? " so far; of what follows, the end can be read when the command has ended" : ""));
		}
		if (ended.dropped() > 0) {
			notes.add(Phrase.of("there was no room for %s of this output", Phrase.count(ended.dropped(), "byte")));
		}
		if (this.unread) {
			notes.add("there is more output: call again");
		}
		if (exit == null && mayWaitForInput(ended.text())) {
			notes.add("its standard input is open and empty: if it waits for input, " + this.naming.tool("BashInput")
					+ " answers it, or ends it with close");
		}
		return notes;
	}

	private Map<String, Object> data(CommandOutput.Ended ended, @Nullable SandboxExit exit, boolean found) {
		Map<String, Object> data = CommandStatus.data(this.command, exit);
		if (this.lines.awaited() != null) {
			data.put("found", found);
		}
		data.put("leftOutCharacters", ended.text().leftOut());
		data.put("discardedBytes", this.discarded + ended.late());
		if (ended.name() != null) {
			data.put("output", ended.name());
		}
		if (ended.dropped() > 0) {
			data.put("droppedBytes", ended.dropped());
		}
		return data;
	}

	private Completeness complete(CommandOutput.Ended ended) {
		long leftOut = ended.text().leftOut();
		if (leftOut == 0 && this.discarded == 0 && ended.late() == 0 && !this.unread) {
			return Completeness.COMPLETE;
		}
		return Completeness.partial(
				Phrase.of("%,d characters of the middle of this output were left out, and %,d bytes were not kept%s",
						leftOut, this.discarded + ended.late(),
						(ended.name() != null) ? "; read " + ended.name() + " with offset and limit" : ""),
				this.unread ? Map.of() : null);
	}

}
