package io.kairo.tools;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import org.jspecify.annotations.Nullable;

/**
 * Says how a command went and where it left the session. For use by one thread.
 */
final class CommandReport {

	private static final int SIGPIPE_EXIT = 141;

	private final ToolContext context;

	private final List<String> notes = new ArrayList<>();

	CommandReport(ToolContext context) {
		this.context = context;
	}

	void note(String note) {
		this.notes.add(note);
	}

	/**
	 * Returns the directory that the command starts in: the session's current one, or the
	 * primary root where that is gone.
	 */
	WorkspacePath startDirectory() {
		AgentSession session = this.context.session();
		WorkspacePath current = session.currentDirectory();
		if (!current.isRoot() && !isDirectory(current)) {
			String gone = this.context.files().display(current);
			session.currentDirectory(this.context.files().root());
			note("the current directory '" + gone + "' is gone, so the command ran in the workspace root");
		}
		return session.currentDirectory();
	}

	ToolResult result(SandboxExit exit, SandboxHandle handle, HeadAndTail output, Duration timeout, Duration duration) {
		followDirectory(handle.workingDirectory());
		if (handle.discardedBytes() > 0) {
			note("%,d bytes of output were not kept".formatted(handle.discardedBytes()));
		}
		if (handle.leftoverProcesses() > 0) {
			note("processes that it left running were ended: %d".formatted(handle.leftoverProcesses()));
		}
		describeEnd(exit, timeout);
		StringBuilder text = new StringBuilder(
				output.text("\n… (%,d characters left out) …\n".formatted(output.leftOut())));
		if (output.isEmpty()) {
			text.append("(no output)\n");
		}
		else if (!output.endsWithNewline()) {
			text.append('\n');
		}
		if (!this.notes.isEmpty()) {
			text.append('(').append(String.join("; ", this.notes)).append(')');
		}
		return new ToolResult(text.toString().stripTrailing(), data(exit, handle, duration), error(exit),
				complete(handle, output));
	}

	private void describeEnd(SandboxExit exit, Duration timeout) {
		if (exit.timedOut()) {
			note("timed out after %,d ms and was ended; give a larger timeout or a shorter command"
				.formatted(timeout.toMillis()));
		}
		else if (SandboxExit.CANCELLED.equals(exit.signal())) {
			note("cancelled");
		}
		else if (exit.exitCode() == SIGPIPE_EXIT) {
			note("exit code 141: a reader closed the pipe early (SIGPIPE)");
		}
		else if (exit.signal() != null) {
			note("ended by %s, exit code %d".formatted(exit.signal(), exit.exitCode()));
		}
		else if (exit.exitCode() != 0) {
			note("exit code " + exit.exitCode());
		}
	}

	private void followDirectory(@Nullable Path directory) {
		if (directory == null) {
			return;
		}
		AgentSession session = this.context.session();
		WorkspaceFiles files = this.context.files();
		WorkspacePath current = files.locate(directory);
		if (current == null) {
			session.currentDirectory(files.root());
			note("the command ended outside the workspace, so the current directory is the workspace root");
		}
		else if (!current.equals(session.currentDirectory())) {
			session.currentDirectory(current);
			note("current directory: " + files.display(current));
		}
	}

	private Map<String, Object> data(SandboxExit exit, SandboxHandle handle, Duration duration) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("exitCode", exit.exitCode());
		if (exit.signal() != null) {
			data.put("signal", exit.signal());
		}
		data.put("timedOut", exit.timedOut());
		data.put("truncated", exit.truncated());
		data.put("discardedBytes", handle.discardedBytes());
		data.put("durationMs", duration.toMillis());
		data.put("currentDirectory", this.context.files().display(this.context.session().currentDirectory()));
		return data;
	}

	private static @Nullable ToolError error(SandboxExit exit) {
		return SandboxExit.CANCELLED.equals(exit.signal())
				? new ToolError(ToolError.CANCELLED, "The command was cancelled.", null) : null;
	}

	private static Completeness complete(SandboxHandle handle, HeadAndTail output) {
		if (output.leftOut() == 0 && handle.discardedBytes() == 0) {
			return Completeness.COMPLETE;
		}
		return Completeness.partial("%,d characters of the middle of the output were left out, and %,d bytes were "
			.formatted(output.leftOut(), handle.discardedBytes())
				+ "not kept; run it again with its output in a file or through a filter", null);
	}

	private boolean isDirectory(WorkspacePath path) {
		return this.context.files().info(path) instanceof WorkspaceResult.Ok<FileInfo> ok
				&& ok.value().type() == FileType.DIRECTORY;
	}

}
