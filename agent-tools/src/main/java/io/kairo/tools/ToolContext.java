package io.kairo.tools;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.output.OutputFiles;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.jspecify.annotations.Nullable;

/**
 * The context of a call: its session, files, sandbox, tenant, progress and cancellation.
 * Immutable; everything in it is safe for use by several threads.
 * <p>
 * In a call made by {@link AgentSessions}, the session is opened on first use, by the
 * tool or by an interceptor. {@link #session()}, {@link #currentWorkspace()} and
 * {@link #files()} then throw {@link io.kairo.api.workspace.WorkspacePathException} or
 * {@link io.kairo.api.workspace.WorkspaceException} if the tenant is refused a workspace.
 * The catalog turns this into a result.
 */
public final class ToolContext {

	private final TenantContext tenant;

	private final Supplier<AgentSession> session;

	private final @Nullable String sessionId;

	private final Supplier<WorkspaceFiles> files;

	private final ExecutionSandbox sandbox;

	private final Consumer<ToolProgress> progress;

	private final Cancellation cancellation;

	private final String adapter;

	private final Consumer<ToolDecision> decisions;

	/** Null if the caller cannot pass attachments to the model. */
	private final @Nullable Consumer<Runnable> sent;

	private final int maxWholeFile;

	private ToolContext(Builder builder) {
		this.session = builder.choice.session();
		this.sessionId = builder.choice.sessionId();
		this.tenant = builder.choice.tenant();
		this.files = builder.files;
		this.sandbox = (builder.sandbox != null) ? builder.sandbox : HostSandbox.INSTANCE;
		this.progress = builder.progress;
		this.cancellation = builder.cancellation;
		this.adapter = builder.adapter;
		this.decisions = builder.decisions;
		this.sent = builder.sent;
		this.maxWholeFile = builder.maxWholeFile;
	}

	/**
	 * Creates a builder of a context. Unless something else is bound, its files are those
	 * of the workspace under the default path policy, its sandbox runs host processes,
	 * its tenant is the single one and its session is new.
	 * @param workspace the workspace; null for the current directory of the JVM
	 * @return a builder
	 */
	public static Builder builder(@Nullable Workspace workspace) {
		return new Builder((workspace != null) ? workspace : Workspace.cwd());
	}

	/**
	 * Creates a builder of a context whose session is opened on first use.
	 */
	static Builder builder(TenantContext tenant, @Nullable String sessionId, Supplier<AgentSession> session,
			Supplier<WorkspaceFiles> files) {
		return new Builder(tenant, sessionId, session, files);
	}

	/**
	 * Creates a builder with the bindings of this context. They can be replaced. Does not
	 * open the session.
	 * @return a builder
	 */
	public Builder toBuilder() {
		Builder builder = new Builder(this.tenant, this.sessionId, this.session, this.files);
		builder.sent = this.sent;
		builder.maxWholeFile = this.maxWholeFile;
		return builder.tenant(this.tenant)
			.sandbox(this.sandbox)
			.progress(this.progress)
			.cancellation(this.cancellation)
			.adapter(this.adapter)
			.decisions(this.decisions);
	}

	/**
	 * Returns the workspace.
	 * @return the workspace of the session
	 */
	public Workspace currentWorkspace() {
		return session().workspace();
	}

	/**
	 * Returns the files of the workspace.
	 * @return the files
	 */
	public WorkspaceFiles files() {
		return this.files.get();
	}

	/**
	 * Returns whether the call is made in a trial, so that it changes a copy of the
	 * files.
	 * @return whether the files are elsewhere than in the workspace
	 */
	public boolean inTrial() {
		Path root = currentWorkspace().root();
		return !files().location(root).equals(root);
	}

	/**
	 * Resolves a path that a call gives against the current directory of the session; in
	 * the workspace of a task, against the primary root, wherever commands have gone.
	 * @param argument the path as it was given, null for the current directory
	 * @return the path
	 * @throws io.kairo.api.workspace.WorkspacePathException if it is not a path into the
	 * workspace
	 */
	public WorkspacePath resolve(@Nullable String argument) {
		WorkspacePath current = base();
		return (argument != null) ? files().resolve(argument, current) : current;
	}

	/**
	 * Resolves a path that a call may omit. A blank one is the primary root, as for the
	 * String methods of {@link WorkspaceFiles}.
	 * @param argument the path as it was given, null for the current directory
	 * @return the path
	 * @throws io.kairo.api.workspace.WorkspacePathException if it is not a path into the
	 * workspace
	 */
	public WorkspacePath resolveOptional(@Nullable String argument) {
		return (argument != null && WorkspacePath.isBlank(argument)) ? files().root() : resolve(argument);
	}

	private WorkspacePath base() {
		return (currentWorkspace().kind() == WorkspaceKind.TASK) ? files().root() : session().currentDirectory();
	}

	/**
	 * Spells a path for a result, so that it is valid, as it is, as an argument of the
	 * next call.
	 * @param path a path of the workspace
	 * @return the path relative to the current directory of the session below it, else
	 * absolute
	 */
	public String display(WorkspacePath path) {
		String spelled = files().display(path, base());
		return spelled.startsWith(OutputFiles.PREFIX) ? "./" + spelled : spelled;
	}

	/**
	 * Returns the sandbox that runs commands.
	 * @return the sandbox
	 */
	public ExecutionSandbox sandbox() {
		return this.sandbox;
	}

	/**
	 * Returns the tenant of the call.
	 * @return the tenant of the session, possibly with attributes that have changed since
	 * it began
	 */
	public TenantContext tenant() {
		return this.tenant;
	}

	/**
	 * Returns the session that the call belongs to.
	 * @return the session
	 */
	public AgentSession session() {
		AgentSession current = this.session.get();
		current.settle(this.files);
		return current;
	}

	/**
	 * Returns the client's id of the session, without opening the session.
	 * @return the id; null for a session without one
	 */
	public @Nullable String sessionId() {
		return this.sessionId;
	}

	/**
	 * Returns the listener for the progress of a long call.
	 * @return a consumer that is quick and does not throw
	 */
	public Consumer<ToolProgress> progress() {
		return this.progress;
	}

	/**
	 * Returns the cancellation of the call.
	 * @return the cancellation
	 */
	public Cancellation cancellation() {
		return this.cancellation;
	}

	/**
	 * Returns the name of the adapter that the call came through.
	 * @return such as {@code mcp}; {@code java} if the application made the call itself
	 */
	public String adapter() {
		return this.adapter;
	}

	/**
	 * Returns the receiver of decisions on the call, for an interceptor that allows or
	 * denies it to tell those around it.
	 * @return a consumer that is quick and does not throw
	 */
	public Consumer<ToolDecision> decisions() {
		return this.decisions;
	}

	/**
	 * Creates the deadline of a call that begins now on this thread and needs a
	 * processor. Calls of all sessions that work for longer than a moment take turns, and
	 * leave one processor to short calls.
	 * @param timeout the timeout, including the time that the call waits
	 * @return the deadline, to be consulted often
	 */
	public CallDeadline deadline(Duration timeout) {
		return new CallDeadline(timeout, this.cancellation, session().processorTurns(), this.tenant.tenantId());
	}

	/**
	 * Returns whether the caller can pass more than text to the model.
	 * @return true if a result may have a {@link ToolResult#attachment()}
	 */
	public boolean carriesAttachments() {
		return this.sent != null;
	}

	/**
	 * Returns the maximum size of a file of any kind that is attached whole.
	 * @return the size in bytes, 0 if the caller wants files as the model sees them
	 */
	public int maxWholeFile() {
		return (this.sent != null) ? this.maxWholeFile : 0;
	}

	/**
	 * Runs an action when the result with its attachment has been sent to the client, or
	 * at once if the caller does not know when that is.
	 * @param action an action that is quick and does not throw
	 */
	public void whenSent(Runnable action) {
		if (this.sent != null) {
			this.sent.accept(action);
		}
		else {
			action.run();
		}
	}

	/**
	 * A builder of a context. For use by one thread.
	 */
	public static final class Builder {

		private final SessionChoice choice;

		private Supplier<WorkspaceFiles> files;

		private @Nullable ExecutionSandbox sandbox;

		private Consumer<ToolProgress> progress = (progress) -> {
		};

		private Cancellation cancellation = new Cancellation();

		private String adapter = "java";

		private Consumer<ToolDecision> decisions = (decision) -> {
		};

		private @Nullable Consumer<Runnable> sent;

		private int maxWholeFile;

		private Builder(Workspace workspace) {
			this.choice = new SessionChoice(workspace);
			this.files = new OnDemand<>(() -> HostFiles.FACTORY.open(workspace));
		}

		private Builder(TenantContext owner, @Nullable String sessionId, Supplier<AgentSession> session,
				Supplier<WorkspaceFiles> files) {
			this.choice = new SessionChoice(owner, sessionId, session);
			this.files = files;
		}

		/**
		 * Binds the files of the workspace.
		 * @param files the files
		 * @return this builder
		 */
		public Builder files(WorkspaceFiles files) {
			this.files = () -> files;
			return this;
		}

		/**
		 * Decorates the bound files without opening them.
		 * @param decorator the decorator, called on first use of the files
		 * @return this builder
		 */
		public Builder decorateFiles(UnaryOperator<WorkspaceFiles> decorator) {
			Supplier<WorkspaceFiles> decorated = this.files;
			this.files = new OnDemand<>(() -> decorator.apply(decorated.get()));
			return this;
		}

		/**
		 * Binds the sandbox that runs commands.
		 * @param sandbox the sandbox
		 * @return this builder
		 */
		public Builder sandbox(ExecutionSandbox sandbox) {
			this.sandbox = sandbox;
			return this;
		}

		/**
		 * Binds the tenant of the call.
		 * @param tenant the tenant; with a session that is bound, tenant and principal of
		 * the session, possibly with other attributes
		 * @return this builder
		 */
		public Builder tenant(TenantContext tenant) {
			this.choice.bind(tenant);
			return this;
		}

		/**
		 * Binds the session, and with it the tenant, unless one is bound.
		 * @param session a session of the workspace
		 * @return this builder
		 */
		public Builder session(AgentSession session) {
			this.choice.bind(session);
			return this;
		}

		/**
		 * Binds the listener for the progress of a long call.
		 * @param progress a listener that returns quickly and does not throw
		 * @return this builder
		 */
		public Builder progress(Consumer<ToolProgress> progress) {
			this.progress = progress;
			return this;
		}

		/**
		 * Binds the cancellation of the call.
		 * @param cancellation the cancellation
		 * @return this builder
		 */
		public Builder cancellation(Cancellation cancellation) {
			this.cancellation = cancellation;
			return this;
		}

		/**
		 * Names the adapter that the call came through.
		 * @param adapter the name, such as {@code mcp}
		 * @return this builder
		 */
		public Builder adapter(String adapter) {
			this.adapter = Objects.requireNonNull(adapter, "adapter");
			return this;
		}

		/**
		 * Binds the receiver of decisions on the call.
		 * @param decisions a consumer that returns quickly and does not throw
		 * @return this builder
		 */
		public Builder decisions(Consumer<ToolDecision> decisions) {
			this.decisions = Objects.requireNonNull(decisions, "decisions");
			return this;
		}

		/**
		 * Declares that the caller can pass images and documents to the model.
		 * @return this builder
		 */
		public Builder carriesAttachments() {
			return carriesAttachments(Runnable::run);
		}

		/**
		 * Declares that the caller can pass images and documents to the model.
		 * @param sent runs an action when the client has received the result
		 * @return this builder
		 */
		public Builder carriesAttachments(Consumer<Runnable> sent) {
			this.sent = sent;
			return this;
		}

		/**
		 * Asks the tool that reads files to attach a file of any kind whole, for a client
		 * that is a program. Has an effect with {@link #carriesAttachments(Consumer)}
		 * only.
		 * @param maxBytes the maximum size of the file in bytes, 0 or more
		 * @return this builder
		 */
		public Builder wholeFiles(int maxBytes) {
			this.maxWholeFile = maxBytes;
			return this;
		}

		/**
		 * Creates the context.
		 * @return the context
		 * @throws IllegalArgumentException if the session belongs to another workspace or
		 * tenant than the bound one
		 */
		public ToolContext build() {
			return new ToolContext(this);
		}

	}

	/**
	 * The default files of a context, opened on first use.
	 */
	private static final class HostFiles {

		static final LocalWorkspaceFilesFactory FACTORY = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS);

	}

	/**
	 * The default sandbox of a context, created on first use.
	 */
	private static final class HostSandbox {

		static final ExecutionSandbox INSTANCE = new LocalProcessSandbox();

	}

}
