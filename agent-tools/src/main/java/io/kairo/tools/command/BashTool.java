package io.kairo.tools.command;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxLimitException;
import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.Cancellation;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.background.BackgroundCommand;
import io.kairo.tools.background.SessionCommands;
import io.kairo.tools.background.TooManyCommandsException;
import io.kairo.tools.text.Phrase;
import io.kairo.workspace.local.repository.RepositoryGuard;
import org.jspecify.annotations.Nullable;

/**
 * The tool that runs a shell command in the workspace and returns its output.
 */
public final class BashTool extends RecordTool<BashTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("exitCode", OutputSchema.INTEGER, "Exit code, 128 and the number of the signal for a signal")
		.optional("signal", OutputSchema.STRING, "Signal or cause of the end")
		.required("timedOut", OutputSchema.BOOLEAN, "Whether the command timed out")
		.required("truncated", OutputSchema.BOOLEAN, "Whether a part of the output is missing")
		.required("leftOutCharacters", OutputSchema.INTEGER, "Number of characters that the text leaves out")
		.required("discardedBytes", OutputSchema.INTEGER, "Number of bytes that were not kept")
		.optional("outputStorageFailed", OutputSchema.BOOLEAN, "Whether the disk of the sandbox is full")
		.required("endedProcesses", OutputSchema.INTEGER, "Number of processes that the command left running")
		.optional("output", OutputSchema.STRING, "Name to read the whole output by")
		.optional("droppedBytes", OutputSchema.INTEGER, "Number of bytes that the whole output lacks")
		.required("durationMs", OutputSchema.INTEGER, "Duration in milliseconds")
		.required("currentDirectory", OutputSchema.STRING, "Current directory of the session")
		.optional("commandsStartOutside", OutputSchema.BOOLEAN,
				"Whether the next command starts outside of the workspace")
		.optional("id", OutputSchema.STRING, "Id of the command, if it runs in the background")
		.or("id", "currentDirectory")
		.results();

	private static final Logger logger = System.getLogger(BashTool.class.getName());

	private static final String DESCRIPTION = """
			Runs a shell command in the workspace and returns its output and exit code. Use it for builds, tests and \
			programs; to read, search and change files prefer tools made for that, where you have them. The command \
			starts in the current directory; a cd inside the workspace lasts for %s. Variables and functions do not \
			last. Standard input is empty. The command is ended after %,d ms, or after timeout, %,d ms at most. Of \
			output over %,d characters the beginning and the end are returned, and @output/ with a number to read the \
			rest by. What the command leaves running is ended when it returns[: start a server, or anything else that \
			must keep running, with run_in_background, which returns an id for {BashOutput} at once].
			An exit code other than 0 is a result, not an error. backend_unavailable, start_failed and setup_failed \
			are not due to the command: do not repeat it. too_many_executions: wait[, or end one in the \
			background with {KillBash}].
			Example: {"command": "mvn -q test 2>&1 | tail -n 50", "description": "Runs the tests"}""";

	private static final ToolError UNKNOWN_REPOSITORY = new ToolError(ToolError.SETUP_FAILED,
			"The command was not run: what an earlier one left in .git could not be checked, or a running one may change .git/config and this one may not.",
			"Wait for the end of the commands in the background. If that does not help, the operator of the application has to look at the log.");

	private static final Map<String, String> ALIASES = Map.of("cmd", "command", "timeout_ms", "timeout");

	/** Interval at which a silent command reports progress. */
	static final Duration HEARTBEAT = Duration.ofSeconds(5);

	private final BashOptions options;

	private final Map<String, BashOptions> tenants;

	private final Duration heartbeat;

	private final ToolNaming naming;

	private final @Nullable RepositoryGuard guard;

	/**
	 * Creates the tool with the default bounds.
	 */
	public BashTool() {
		this(BashOptions.defaults());
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 */
	public BashTool(BashOptions options) {
		this(options, ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 * @param naming the names of the tool and its parameters
	 */
	public BashTool(BashOptions options, ToolNaming naming) {
		this(options, naming, Map.of());
	}

	/**
	 * Creates the tool.
	 * @param options its bounds, named by its description
	 * @param naming the names of the tool and its parameters
	 * @param tenants the bounds for tenants that have others, by tenant id; copied
	 */
	public BashTool(BashOptions options, ToolNaming naming, Map<String, BashOptions> tenants) {
		this(options, naming, tenants, WorkspaceKind.LOCAL);
	}

	/**
	 * Creates the tool for workspaces of one kind.
	 * @param options its bounds, named by its description
	 * @param naming the names of the tool and its parameters
	 * @param tenants the bounds for tenants that have others, by tenant id; copied
	 * @param kind the kind of the workspaces, for the description of {@code cd}: in a
	 * workspace of {@link WorkspaceKind#TASK}, it applies to commands only
	 */
	public BashTool(BashOptions options, ToolNaming naming, Map<String, BashOptions> tenants, WorkspaceKind kind) {
		this(options, naming, tenants, kind, HEARTBEAT, null);
	}

	/**
	 * Creates the tool for commands that may configure the Git repositories of roots.
	 * @param options its bounds, named by its description
	 * @param naming the names of the tool and its parameters
	 * @param tenants the bounds for tenants that have others, by tenant id; copied
	 * @param kind the kind of the workspaces
	 * @param guard the guard of the repositories, one for all tools
	 */
	public BashTool(BashOptions options, ToolNaming naming, Map<String, BashOptions> tenants, WorkspaceKind kind,
			RepositoryGuard guard) {
		this(options, naming, tenants, kind, HEARTBEAT, guard);
	}

	BashTool(BashOptions options, ToolNaming naming, Map<String, BashOptions> tenants, WorkspaceKind kind,
			Duration heartbeat, @Nullable RepositoryGuard guard) {
		super(naming.tool("Bash"),
				Phrase.of(DESCRIPTION, (kind == WorkspaceKind.TASK)
						? "the next commands, while paths of the other tools start at the workspace" : "the next calls",
						options.timeout().toMillis(), options.maxTimeout().toMillis(), CommandOutput.MAX_CHARACTERS),
				Input.class, ALIASES, naming, Map.of(), ToolAnnotations.COMMAND, OUTPUT, ToolDefinition.Answer.TEXT);
		this.options = options;
		this.tenants = Map.copyOf(tenants);
		this.heartbeat = heartbeat;
		this.naming = naming;
		this.guard = guard;
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		if (!Boolean.TRUE.equals(input.trial()) || (context.inTrial() && context.session().trial().isOpen())) {
			return perform(input, context);
		}
		WorkspaceResult<ToolContext> begun = context.session().trial().begin(context);
		if (begun instanceof WorkspaceResult.Failure<ToolContext> failure) {
			return ToolResult.failure(failure);
		}
		return perform(input, begun.value());
	}

	private ToolResult perform(Input input, ToolContext context) {
		ToolResult refusal = refusal(context);
		if (refusal != null) {
			return refusal;
		}
		BashOptions options = this.tenants.getOrDefault(context.tenant().tenantId(), this.options);
		try (PreparedCommand command = new PreparedCommand(input, context, options, this.guard)) {
			return input.runsInBackground() ? startInBackground(command, context) : run(command, options, context);
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "A command was not run, since the state of its repository is not known", ex);
			return ToolResult.failure(UNKNOWN_REPOSITORY);
		}
		catch (SandboxException ex) {
			return (ex.code() == SandboxErrorCode.SETUP_FAILED) ? CommandReport.notRun(String.valueOf(ex.getMessage()))
					: refused(ex, HostPathMask.of(context));
		}
	}

	/**
	 * Makes the workspace ready for a command.
	 * @return the reason why no command can run there, null if one can
	 */
	private static @Nullable ToolResult refusal(ToolContext context) {
		if (!context.currentWorkspace().onDisk()) {
			return ToolResult.failure(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE.code(),
					"The files of this workspace are not on a disk, so no command can run there.",
					"Use the file tools.");
		}
		ToolResult refusal = makeRoot(context);
		return (refusal != null) ? refusal : SyncedFiles.fetch(context);
	}

	/**
	 * Creates a root that does not exist yet, since a command may write to it.
	 * @return the reason why no command can run there, null if one can
	 */
	private static @Nullable ToolResult makeRoot(ToolContext context) {
		WorkspaceFiles files = context.files();
		if (files.info(files.root()) instanceof WorkspaceResult.Failure<FileInfo> missing) {
			if (missing.code() == WorkspaceErrorCode.FILE_NOT_FOUND) {
				WorkspaceResult<ChangeReport> made = files.apply(new WorkspaceChange.CreateDirectory(files.root()));
				return (made instanceof WorkspaceResult.Failure<ChangeReport> failure)
						? ToolResult.failure(failure.code().code(),
								"The workspace has no directory yet in which a command could run.", failure.message())
						: null;
			}
			if (missing.code() == WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED) {
				return ToolResult.failure(missing.code().code(), missing.message(), null);
			}
		}
		return null;
	}

	private ToolResult run(PreparedCommand command, BashOptions options, ToolContext context) {
		Duration timeout = command.timeout(options.timeout(), options.maxTimeout());
		long started = System.nanoTime();
		try (CommandOutput output = new CommandOutput(context.progress(), context.session().outputs(), timeout);
				SandboxHandle handle = command.start(timeout, context.sandbox()::start);
				Cancellation.Registration registration = context.cancellation()
					.onCancel(() -> cancel(handle, output))) {
			CompletableFuture<SandboxExit> exit = handle.output()
				.doOnNext(output::write)
				.then(handle.exit())
				.toFuture();
			SandboxExit end = await(exit, handle, output);
			Duration took = Duration.ofNanos(System.nanoTime() - started);
			command.ended(end);
			return new CommandReport(command, context).result(end, handle, output.end(), timeout, took);
		}
	}

	/**
	 * Starts a command that ends with the session. It starts in the directory of the
	 * session, and does not change it.
	 */
	private ToolResult startInBackground(PreparedCommand command, ToolContext context) {
		SessionCommands commands = context.session().commands();
		if (commands == null) {
			return ToolResult.failure(SandboxErrorCode.UNSUPPORTED_REQUEST.code(),
					"There is no session in which a command could run in the background.",
					"Leave out run_in_background, and keep what must run meanwhile within one command.");
		}
		Duration lifetime = command.timeout(commands.maxLifetime(), commands.maxLifetime());
		try {
			BackgroundCommand started = command.startInBackground(lifetime, commands, context.sandbox()::start);
			return new CommandReport(command, context).started(started.id(), lifetime, this.naming);
		}
		catch (TooManyCommandsException ex) {
			return ToolResult.failure(ToolError.TOO_MANY_EXECUTIONS, String.valueOf(ex.getMessage()),
					Phrase.of("End one with %s, or wait for its end; %s lists those of this session.",
							this.naming.tool("KillBash"), this.naming.tool("BashList")));
		}
	}

	/**
	 * Returns the failure of a start with host paths masked. If host paths may be shown,
	 * or there are none, the exception is thrown again and the catalog makes the result.
	 */
	private static ToolResult refused(SandboxException ex, HostPathMask shown) {
		if (!shown.hidden() || ex instanceof SandboxLimitException) {
			throw ex;
		}
		ToolError error = ToolError.of(ex);
		logger.log((ex.getCause() != null || error.nextStep() != null) ? Level.WARNING : Level.DEBUG,
				"Failed to start a command", ex);
		return ToolResult.failure(error.code(), shown.in(error.message()), error.nextStep());
	}

	private static void cancel(SandboxHandle handle, CommandOutput output) {
		handle.cancel();
		output.hurry();
	}

	/**
	 * Waits for the end of a command, and reports that it is running. An interrupt
	 * cancels the command and stays set.
	 */
	private SandboxExit await(CompletableFuture<SandboxExit> exit, SandboxHandle handle, CommandOutput output) {
		boolean interrupted = false;
		try {
			while (true) {
				try {
					return exit.get(this.heartbeat.toNanos(), TimeUnit.NANOSECONDS);
				}
				catch (TimeoutException ex) {
					output.beat(this.heartbeat);
				}
				catch (InterruptedException ex) {
					interrupted = true;
					cancel(handle, output);
				}
			}
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The sandbox failed to report the exit of the command", ex.getCause());
		}
		catch (CancellationException ex) {
			throw new IllegalStateException("The sandbox did not report the exit of the command", ex);
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * The arguments.
	 *
	 * @param command the command
	 * @param timeout in milliseconds
	 * @param description a description for people
	 * @param background whether to return at once
	 * @param trial whether to begin a trial first, unless one is open
	 */
	@JsonPropertyOrder({ "command", "timeout", "description", "run_in_background", "trial" })
	record Input(
			@JsonProperty(value = "command",
					required = true) @JsonPropertyDescription("The command, as for bash -c") String command,
			@JsonProperty("timeout") @JsonPropertyDescription("How long it may take, in milliseconds") @Nullable Long timeout,
			@JsonProperty("description") @JsonPropertyDescription("What the command does, in five to ten words") @Nullable String description,
			@JsonProperty(value = "run_in_background",
					defaultValue = "false") @JsonPropertyDescription("Whether to return at once with an id, and let the command run on") @Nullable Boolean background,
			@JsonProperty(value = "trial",
					defaultValue = "false") @JsonPropertyDescription("Whether to begin a trial first: the command changes a copy of the workspace") @Nullable Boolean trial) {

		Input {
			if (command.isBlank()) {
				throw new ToolArgumentException("The command is blank.", "Give a command to run.");
			}
			if (timeout != null && timeout < 1) {
				throw new ToolArgumentException("timeout is " + timeout + ", but it must be above zero.",
						"Give a number of milliseconds, or none.");
			}
		}

		boolean runsInBackground() {
			return Boolean.TRUE.equals(this.background);
		}

		/**
		 * Returns the command for a list, with its description.
		 */
		String title() {
			return (this.description != null) ? this.command + "  # " + this.description : this.command;
		}

	}

}
