package io.kairo.tools.command;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Recorded;
import io.kairo.api.workspace.WorkspaceCheckpoints.Recording;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.tools.CurrentDirectory;
import io.kairo.tools.ToolContext;
import io.kairo.tools.background.BackgroundCommand;
import io.kairo.tools.background.SessionCommands;
import io.kairo.tools.checkpoint.TrialTool;
import io.kairo.tools.text.Phrase;
import io.kairo.workspace.local.repository.RepositoryGuard;
import io.kairo.workspace.local.repository.RepositoryGuard.Watch;
import org.jspecify.annotations.Nullable;

/**
 * A command, until it has ended or runs in the background: its request, the directory
 * that it starts in, the watch over the repositories that it may change, and the notes of
 * its report. For use by one thread.
 */
final class PreparedCommand implements AutoCloseable {

	private static final Map<String, String> ENVIRONMENT = Map.of("NO_COLOR", "1", "TERM", "dumb", "CI", "1", "PAGER",
			"cat", "GIT_PAGER", "cat", "GIT_TERMINAL_PROMPT", "0", "LC_ALL", "C.UTF-8");

	private final BashTool.Input input;

	private final ToolContext context;

	private final BashOptions options;

	private final @Nullable Recording recording;

	private final Watch watch;

	private final List<String> notes = new ArrayList<>();

	private CurrentDirectory start;

	/** Whether processes of the command may be running. */
	private boolean running;

	/** Whether a command in the background ends the watch. */
	private boolean watchedElsewhere;

	/**
	 * Begins to watch the repositories.
	 * @throws IOException if no command can run there at present
	 */
	PreparedCommand(BashTool.Input input, ToolContext context, BashOptions options, @Nullable RepositoryGuard guard)
			throws IOException {
		this.input = input;
		this.context = context;
		this.options = options;
		this.start = context.session().current();
		Watch repositories = watch(context, guard);
		try {
			this.recording = record();
		}
		catch (RuntimeException | Error ex) {
			repositories.end(true);
			throw ex;
		}
		this.watch = (this.recording != null) ? repositories.andThen(this.recording::end) : repositories;
	}

	/**
	 * Begins to watch the repositories of a command whose sandbox protects paths.
	 * @throws IOException if no command can run there at present
	 */
	static Watch watch(ToolContext context, @Nullable RepositoryGuard guard) throws IOException {
		Workspace workspace = context.currentWorkspace();
		WritePolicy policy = context.files().writePolicy();
		SandboxCapabilities capabilities = context.sandbox().capabilities(context.tenant());
		if (!workspace.writable() || policy.readOnly() || !capabilities.has(SandboxCapability.PROTECTED_PATHS)) {
			return Watch.none(List.of());
		}
		List<String> paths = policy.protectedAtRoots();
		return (guard == null || !paths.contains(".git/config")) ? Watch.none(paths)
				: guard.begin(workspace.roots().stream().map(context.files()::location).toList(), paths,
						policy.allowedPrefixes().isEmpty() && capabilities.has(SandboxCapability.TREE_KILL)
								&& RepositoryGuard.applies(paths, policy.protectedAtAnyDepth()));
	}

	/**
	 * Begins to record what the command changes, if it may change anything.
	 */
	private @Nullable Recording record() {
		WorkspaceCheckpoints checkpoints = this.context.session().checkpoints();
		WorkspaceFiles files = this.context.files();
		return (checkpoints != null && this.context.currentWorkspace().writable() && !files.writePolicy().readOnly())
				? checkpoints.begin(files, this.input.title()) : null;
	}

	String command() {
		return this.input.command();
	}

	BashOptions options() {
		return this.options;
	}

	/**
	 * Returns the paths that the command could not change.
	 */
	List<String> protectedPaths() {
		return this.watch.protectedPaths();
	}

	/**
	 * Returns the current directory of the session when the command was started.
	 */
	CurrentDirectory start() {
		return this.start;
	}

	/**
	 * Returns the notes for the result.
	 */
	List<String> notes() {
		return this.notes;
	}

	/**
	 * Returns the time that the command may take.
	 * @param usual the time unless the call asks for another
	 * @param most the maximum
	 */
	Duration timeout(Duration usual, Duration most) {
		if (this.input.timeout() == null) {
			return usual;
		}
		Duration asked = Duration.ofMillis(this.input.timeout());
		if (asked.compareTo(most) > 0) {
			this.notes.add(Phrase.of("timeout reduced to the maximum of %,d ms", most.toMillis()));
			return most;
		}
		return asked;
	}

	/**
	 * Starts the command.
	 */
	SandboxHandle start(Duration timeout, Function<SandboxRequest, SandboxHandle> sandbox) {
		SandboxHandle handle = startOrComeBack(timeout, sandbox);
		this.running = true;
		return handle;
	}

	/**
	 * Starts the command in the background.
	 */
	BackgroundCommand startInBackground(Duration lifetime, SessionCommands commands,
			Function<SandboxRequest, SandboxHandle> sandbox) {
		try {
			BackgroundCommand started = startOrComeBack(lifetime,
					(request) -> commands.start(request, this.input.title(), sandbox, this.watch));
			this.watchedElsewhere = true;
			return started;
		}
		catch (SandboxException ex) {
			// the session may have ended while the command was being started
			this.watchedElsewhere = ex.code() == SandboxErrorCode.CLOSED;
			throw ex;
		}
	}

	/**
	 * Starts the command. Only the sandbox knows whether commands can start in a
	 * directory; if not, the command starts in the primary root.
	 */
	private <T> T startOrComeBack(Duration timeout, Function<SandboxRequest, T> starter) {
		Path outside = this.start.outside();
		Path directory = (outside != null) ? outside : directoryInWorkspace();
		try {
			return start(directory, timeout, starter);
		}
		catch (SandboxException ex) {
			if (ex.code() != SandboxErrorCode.INVALID_DIRECTORY || (outside == null && isInRoot())) {
				throw ex;
			}
			comeBack((outside != null) ? "the current directory is gone"
					: "no command can start in the current directory '"
							+ this.context.files().display(this.start.directory()) + "'");
			return start(directoryInWorkspace(), timeout, starter);
		}
	}

	private <T> T start(Path directory, Duration timeout, Function<SandboxRequest, T> starter) {
		SandboxRequest request = request(this.context, directory, timeout);
		SandboxRequest inWorkspace = inWorkspace(request);
		T started = starter.apply(request);
		this.context.session().commandStarted(request, inWorkspace);
		return started;
	}

	/**
	 * Returns the request of the same command as it would be without a trial.
	 */
	private SandboxRequest inWorkspace(SandboxRequest request) {
		WorkspaceFiles files = this.context.inTrial() ? this.context.files().relocated(Map.of()) : null;
		return (files != null)
				? request(this.context.toBuilder().files(files).build(), files.root().toPath(), request.timeout())
				: request;
	}

	private boolean isInRoot() {
		return this.start.directory().equals(this.context.files().root());
	}

	/**
	 * Returns the current directory, or the primary root if it is gone.
	 */
	private Path directoryInWorkspace() {
		WorkspacePath directory = this.start.directory();
		if (!isInRoot() && !isDirectory(directory)) {
			comeBack("the current directory '" + this.context.files().display(directory) + "' is gone");
		}
		return this.context.files().location(this.start.directory().root()).resolve(this.start.directory().relative());
	}

	private boolean isDirectory(WorkspacePath path) {
		return this.context.files().info(path) instanceof WorkspaceResult.Ok<FileInfo> ok
				&& ok.value().type() == FileType.DIRECTORY;
	}

	/**
	 * Makes the primary root the current directory of the session.
	 */
	private void comeBack(String why) {
		this.notes.add(why + ", so the command ran in the workspace root");
		CurrentDirectory root = new CurrentDirectory(this.context.files().root());
		this.context.session().changeDirectory(this.start, root);
		this.start = root;
	}

	private SandboxRequest request(ToolContext context, Path directory, Duration timeout) {
		CommandBounds bounds = CommandBounds.of(context, protectedPaths());
		SandboxAttributes attributes = SandboxAttributes.builder()
			.workspaceTarget(bounds.workspaceTarget())
			.workingDirectory(directory)
			.tailBytes(this.options.tailBytes())
			.redirectErrorStream(true)
			.stdin(this.input.runsInBackground())
			.background(this.input.runsInBackground())
			.sessionId(this.context.session().trial().sessionOf(this.context))
			.mounts(bounds.mounts())
			.protectedPaths(bounds.protectedPaths())
			.build();
		return new SandboxRequest.Builder(command(), context.files().location(context.currentWorkspace().root()))
			.env(ENVIRONMENT)
			.timeout(timeout)
			.maxOutputBytes(this.options.maxOutputBytes())
			.tenant(context.tenant())
			.readOnly(bounds.readOnly())
			.attributes(attributes)
			.build();
	}

	/**
	 * Checks and writes back what the command has changed.
	 */
	void ended(SandboxExit exit) {
		this.running = SandboxExit.LOST.equals(exit.signal());
		this.notes.addAll(CommandReport.removed(this.watch.end(!this.running)));
		if (this.recording != null) {
			noteUnkept(this.recording.end());
		}
		this.notes.addAll(SyncedFiles.writeBack(this.context));
		noteTrial();
	}

	private void noteTrial() {
		if (Boolean.TRUE.equals(this.input.trial()) && this.context.session().trial().isOpen()) {
			this.notes.add("in a trial: what it changed is not in the workspace until the trial is committed");
			this.notes.addAll(TrialTool.leftOut(this.context));
		}
	}

	private void noteUnkept(Recorded recorded) {
		if (recorded.unrecorded() != null) {
			this.notes.add("what commands change cannot be undone, since " + recorded.unrecorded());
		}
		if (!recorded.unkept().isEmpty()) {
			this.notes.add("the former content of " + recorded.unkept()
				.stream()
				.map((path) -> "'" + this.context.display(path) + "'")
				.collect(Collectors.joining(", ")) + " was not kept, so it cannot be brought back");
		}
	}

	@Override
	public void close() {
		if (!this.watchedElsewhere) {
			this.watch.end(!this.running);
		}
	}

}
