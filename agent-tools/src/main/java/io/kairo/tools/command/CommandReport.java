package io.kairo.tools.command;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceUsage;
import io.kairo.tools.Completeness;
import io.kairo.tools.CurrentDirectory;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The report on a command: its result, and the current directory of the session after it.
 * For use by one thread.
 */
final class CommandReport {

	private static final Logger logger = System.getLogger(CommandReport.class.getName());

	private static final ToolError NOT_RUN = new ToolError(ToolError.SETUP_FAILED,
			"The command was not run, since its sandbox could not be set up.",
			"Use the file tools meanwhile: the command is not the cause, and the operator of the application has to look at the log.");

	private static final int SIGPIPE_EXIT = 141;

	private static final int MAX_REMOVED = 1000;

	/** The separators of commands; only the last command counts. */
	private static final String SEPARATORS = "|;&";

	/** Commands that exit with 1 if they found nothing. */
	private static final Pattern SEARCH = Pattern
		.compile("(?:^|[\\n(])[ \\t]*+(?:git[ \\t]++|[ef]|z|rip)?(?:grep|rg|ag)\\s");

	private final PreparedCommand command;

	private final ToolContext context;

	private final List<String> notes;

	CommandReport(PreparedCommand command, ToolContext context) {
		this.command = command;
		this.context = context;
		this.notes = command.notes();
	}

	private void note(String note) {
		this.notes.add(note);
	}

	/**
	 * Returns the note on the files removed by the check of repositories, if any.
	 */
	static List<String> removed(List<String> names) {
		String all = Phrase.visible(String.join(", ", names));
		return names.isEmpty() ? List.of()
				: List.of("removed from .git, since Git would run it or read other configuration: "
						+ all.substring(0, Math.min(all.length(), MAX_REMOVED)));
	}

	ToolResult result(SandboxExit exit, SandboxHandle handle, CommandOutput.Ended ended, Duration timeout,
			Duration duration) {
		HeadAndTail output = ended.text();
		if (SandboxExit.NOT_RUN.equals(exit.signal())) {
			return notRun(output.text("").strip());
		}
		followDirectory(handle.workingDirectory(), handle.endedOutside());
		if (handle.discardedBytes() > 0) {
			note(Phrase.count(handle.discardedBytes(), "byte of output was", "bytes of output were") + " not kept"
					+ (handle.outputStorageFailed() ? ", since the disk of the sandbox is full or cannot be written"
							: ""));
		}
		if (ended.late() > 0) {
			note(Phrase.count(ended.late(), "byte") + " of output came too late to be read");
		}
		if (handle.leftoverProcesses() > 0) {
			note(Phrase.of("processes that it left running were ended: %d; nothing outlives its command, so %s",
					handle.leftoverProcesses(),
					(this.context.session().commands() != null)
							? "start what must keep running with run_in_background, without & or nohup"
							: "keep what must run meanwhile within one command"));
		}
		describeEnd(exit, timeout, output);
		describeUsage();
		if (ended.dropped() > 0) {
			note((ended.name() != null) ? Phrase.of("there was no room for %s of the end in %s",
					Phrase.count(ended.dropped(), "byte"), ended.name())
					: "there was no room to keep the whole output");
		}
		StringBuilder text = new StringBuilder(
				output.text(Phrase.of("\n… (%s left out%s) …\n", Phrase.count(output.leftOut(), "character"),
						(ended.name() != null) ? ", read them in " + ended.name() : "")));
		if (output.isEmpty()) {
			text.append("(no output)\n");
		}
		else if (!output.endsWithNewline()) {
			text.append('\n');
		}
		if (!this.notes.isEmpty()) {
			text.append('(').append(String.join("; ", this.notes)).append(')');
		}
		return new ToolResult(text.toString().stripTrailing(), data(exit, handle, ended, duration), error(exit),
				complete(handle, ended));
	}

	/**
	 * Returns the result of a command that runs in the background.
	 */
	ToolResult started(String id, Duration lifetime, ToolNaming naming) {
		note(Phrase.of(
				"%s reads its output and waits for it, %s writes to its standard input, %s ends it; it is "
						+ "ended after %,d ms, or with the session",
				naming.tool("BashOutput"), naming.tool("BashInput"), naming.tool("KillBash"), lifetime.toMillis()));
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("id", id);
		putCurrentDirectory(data);
		return ToolResult.ok("Started in the background as " + id + ".\n(" + String.join("; ", this.notes) + ")", data);
	}

	/**
	 * Returns the result of a command whose sandbox could not be set up. The reason is
	 * for operators, and is logged.
	 */
	static ToolResult notRun(String reason) {
		logger.log(Level.WARNING, "A command was not run, since its sandbox could not be set up: {0}", reason);
		return ToolResult.failure(NOT_RUN);
	}

	private void describeEnd(SandboxExit exit, Duration timeout, HeadAndTail output) {
		if (exit.timedOut()) {
			note(Phrase.of("timed out after %,d ms and was ended; give a larger timeout or a shorter command",
					timeout.toMillis()));
		}
		else if (SandboxExit.CANCELLED.equals(exit.signal())) {
			note("cancelled");
		}
		else {
			String note = noteOf(exit, this.command.command());
			if (note != null) {
				note(note);
			}
			if (exit.signal() == null) {
				this.notes.addAll(new CommandAdvice(this.command, this.context).of(exit.exitCode(), output));
			}
		}
	}

	/**
	 * Describes the exit of a command that was neither cancelled nor timed out.
	 * @return null for exit code 0
	 */
	static @Nullable String noteOf(SandboxExit exit, String command) {
		if (exit.exitCode() == SIGPIPE_EXIT) {
			return "exit code 141: a reader closed the pipe early (SIGPIPE)";
		}
		if (SandboxExit.LOST.equals(exit.signal())) {
			return "the sandbox lost the command: it may have done a part of its work, and its exit code is not known";
		}
		if (exit.signal() != null) {
			return Phrase.of("exit code %d, as after %s", exit.exitCode(), exit.signal());
		}
		if (exit.exitCode() == 1 && endsWithSearch(command)) {
			return "exit code 1: no match";
		}
		return (exit.exitCode() != 0) ? "exit code " + exit.exitCode() : null;
	}

	/**
	 * Returns whether the last command of a pipeline or list is a search. The time grows
	 * linearly with the length.
	 */
	static boolean endsWithSearch(String command) {
		String stripped = command.strip();
		int start = stripped.length();
		while (start > 0 && SEPARATORS.indexOf(stripped.charAt(start - 1)) < 0) {
			start--;
		}
		return SEARCH.matcher(stripped.substring(start)).find();
	}

	/**
	 * Notes that the workspace is over its quota. This does not stop commands.
	 */
	private void describeUsage() {
		WorkspaceUsage usage = this.context.files().usage();
		if (usage != null && usage.exceeded()) {
			note(Phrase.of(
					"the workspace is over its quota, with %,d of %,d bytes in %,d of %,d files: file tools refuse "
							+ "what grows until enough is deleted",
					usage.bytes(), usage.maxBytes(), usage.files(), usage.maxFiles()));
		}
	}

	private boolean filesStartHere() {
		return this.context.currentWorkspace().kind() != WorkspaceKind.TASK;
	}

	private void followDirectory(@Nullable Path directory, boolean outside) {
		if (directory == null && !outside) {
			if (CommandAdvice.changesDirectory(this.command.command())) {
				note("the last directory of the command is not known, so its cd does not last");
			}
			return;
		}
		CurrentDirectory start = this.command.start();
		WorkspaceFiles files = this.context.files();
		WorkspacePath located = (directory != null) ? files.locate(directory) : null;
		CurrentDirectory end;
		String note;
		if (located != null) {
			end = new CurrentDirectory(located);
			note = "current directory: " + files.display(located)
					+ (filesStartHere() ? "" : ", for commands only: paths of file tools still start in the workspace");
		}
		else if (directory != null && mayLeave()) {
			end = new CurrentDirectory(start.directory(), directory);
			note = "commands now start where this one ended, outside the workspace; relative paths of file tools still "
					+ "start in '" + files.display(start.directory()) + "'";
		}
		else {
			end = new CurrentDirectory(files.root());
			note = null;
			note("the command ended outside the workspace, so the current directory is the workspace root");
		}
		if (end.equals(start)) {
			return;
		}
		if (!this.context.session().changeDirectory(start, end)) {
			note("another call has changed the current directory meanwhile, so this one did not");
		}
		else if (note != null) {
			note(note);
		}
	}

	/**
	 * Returns whether the next command may start outside of the workspace. A confined
	 * command could not see that directory.
	 */
	private boolean mayLeave() {
		return this.command.options().leaving() == WorkingDirectoryPolicy.CARRIES_COMMANDS
				&& !this.context.sandbox().capabilities(this.context.tenant()).has(SandboxCapability.FILE_CONFINEMENT);
	}

	private Map<String, Object> data(SandboxExit exit, SandboxHandle handle, CommandOutput.Ended ended,
			Duration duration) {
		HeadAndTail output = ended.text();
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("exitCode", exit.exitCode());
		if (exit.signal() != null) {
			data.put("signal", exit.signal());
		}
		data.put("timedOut", exit.timedOut());
		data.put("truncated", exit.truncated() || output.leftOut() > 0 || lost(handle, ended) > 0);
		data.put("leftOutCharacters", output.leftOut());
		data.put("discardedBytes", lost(handle, ended));
		if (handle.outputStorageFailed()) {
			data.put("outputStorageFailed", true);
		}
		data.put("endedProcesses", handle.leftoverProcesses());
		if (ended.name() != null) {
			data.put("output", ended.name());
		}
		if (ended.dropped() > 0) {
			data.put("droppedBytes", ended.dropped());
		}
		data.put("durationMs", duration.toMillis());
		putCurrentDirectory(data);
		return data;
	}

	private void putCurrentDirectory(Map<String, Object> data) {
		CurrentDirectory current = this.context.session().current();
		data.put("currentDirectory", this.context.files().display(current.directory()));
		if (current.outside() != null) {
			data.put("commandsStartOutside", true);
		}
	}

	private static @Nullable ToolError error(SandboxExit exit) {
		return SandboxExit.CANCELLED.equals(exit.signal())
				? new ToolError(ToolError.CANCELLED, "The command was cancelled.", null) : null;
	}

	private static Completeness complete(SandboxHandle handle, CommandOutput.Ended ended) {
		long leftOut = ended.text().leftOut();
		if (leftOut == 0 && lost(handle, ended) == 0) {
			return Completeness.COMPLETE;
		}
		return Completeness.partial(
				Phrase.of("%,d characters of the middle of the output were left out, and %,d bytes were not kept; %s",
						leftOut, lost(handle, ended), remedy(handle, ended)),
				null);
	}

	private static String remedy(SandboxHandle handle, CommandOutput.Ended ended) {
		if (ended.name() != null) {
			return "read " + ended.name() + " with offset and limit";
		}
		return (handle.outputStorageFailed() || ended.dropped() > 0)
				? "free space, or run it again with its output through a filter"
				: "run it again with its output in a file or through a filter";
	}

	/**
	 * Returns the number of bytes of the output that are lost.
	 */
	private static long lost(SandboxHandle handle, CommandOutput.Ended ended) {
		return handle.discardedBytes() + ended.late();
	}

}
