package io.kairo.tools;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.background.BackgroundCommands;
import io.kairo.tools.background.BackgroundOptions;
import io.kairo.tools.background.SessionCommands;
import io.kairo.tools.output.OutputOptions;
import io.kairo.tools.output.OutputStore;
import io.kairo.tools.output.SessionOutputs;
import io.kairo.tools.session.CommandFiles;
import io.kairo.tools.session.ProcessorTurn;
import io.kairo.workspace.checkpoint.CheckpointStore;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of an application, identified by tenant, principal, agent, workspace and
 * the session id of the client. A session ends at its idle timeout, when it is evicted
 * because of the maximum number of sessions, or when its workspace is revoked; its
 * commands in the background end with it, and its workspace is released after the last
 * call in it has returned. A session is not idle while a command runs in its background.
 * Safe for use by several threads.
 */
public final class AgentSessions implements AutoCloseable {

	private final WorkspaceProvider provider;

	private final WorkspaceFilesFactory files;

	private final ExecutionSandbox sandbox;

	private final OutputStore outputs;

	private final BackgroundCommands background;

	private final @Nullable CheckpointStore checkpoints;

	private final SessionDefaults defaults;

	private final SharedResources shared = SharedResources.create();

	private final SessionTable sessions;

	/**
	 * Creates an application's sessions, with the default bounds.
	 * @param provider the provider of the workspaces
	 * @param files the factory for the files of workspaces
	 * @param sandbox the sandbox that runs commands
	 */
	public AgentSessions(WorkspaceProvider provider, WorkspaceFilesFactory files, ExecutionSandbox sandbox) {
		this(provider, files, sandbox, SessionBounds.DEFAULTS, SessionDefaults.NONE,
				new OutputStore(OutputOptions.defaults()));
	}

	/**
	 * Creates an application's sessions.
	 * @param provider the provider of the workspaces
	 * @param files the factory for the files of workspaces
	 * @param sandbox the sandbox that runs commands
	 * @param bounds the bounds on the sessions
	 * @param defaults the defaults of all sessions
	 * @param outputs the store of outputs that are too long for a result; closed with the
	 * sessions
	 */
	public AgentSessions(WorkspaceProvider provider, WorkspaceFilesFactory files, ExecutionSandbox sandbox,
			SessionBounds bounds, SessionDefaults defaults, OutputStore outputs) {
		this(provider, files, sandbox, bounds, defaults, outputs, new BackgroundCommands(BackgroundOptions.defaults()));
	}

	/**
	 * Creates an application's sessions.
	 * @param provider the provider of the workspaces
	 * @param files the factory for the files of workspaces
	 * @param sandbox the sandbox that runs commands
	 * @param bounds the bounds on the sessions
	 * @param defaults the defaults of all sessions
	 * @param outputs the store of outputs that are too long for a result; closed with the
	 * sessions
	 * @param background the commands in the background; closed with the sessions
	 */
	public AgentSessions(WorkspaceProvider provider, WorkspaceFilesFactory files, ExecutionSandbox sandbox,
			SessionBounds bounds, SessionDefaults defaults, OutputStore outputs, BackgroundCommands background) {
		this(provider, files, sandbox, bounds, defaults, outputs, background, null);
	}

	/**
	 * Creates an application's sessions, whose changes of files can be undone.
	 * @param provider the provider of the workspaces
	 * @param files the factory for the files of workspaces
	 * @param sandbox the sandbox that runs commands
	 * @param bounds the bounds on the sessions
	 * @param defaults the defaults of all sessions
	 * @param outputs the store of outputs that are too long for a result; closed with the
	 * sessions
	 * @param background the commands in the background; closed with the sessions
	 * @param checkpoints the checkpoints of all workspaces, null to record nothing; to be
	 * closed after the sessions
	 */
	public AgentSessions(WorkspaceProvider provider, WorkspaceFilesFactory files, ExecutionSandbox sandbox,
			SessionBounds bounds, SessionDefaults defaults, OutputStore outputs, BackgroundCommands background,
			@Nullable CheckpointStore checkpoints) {
		this.checkpoints = checkpoints;
		this.background = Objects.requireNonNull(background, "background");
		this.defaults = Objects.requireNonNull(defaults, "defaults");
		this.outputs = Objects.requireNonNull(outputs, "outputs");
		this.provider = Objects.requireNonNull(provider, "provider");
		this.files = Objects.requireNonNull(files, "files");
		this.sandbox = Objects.requireNonNull(sandbox, "sandbox");
		this.sessions = new SessionTable(bounds, this::release);
	}

	/**
	 * Waits until a request of a tenant may use a processor, for 5 seconds at most. While
	 * several tenants are active, their requests take turns, and a tenant leaves one
	 * processor to the others; while only one is, there is no wait. To be called by
	 * adapters before they parse a message and before they answer it. A turn ends after
	 * 10 milliseconds by itself, so that a request may wait for anything meanwhile. Safe
	 * for use by several threads.
	 * @param tenant the id of the tenant
	 * @return the turn, to be closed when that part of the request has been handled
	 */
	public ProcessorTurn takeTurn(String tenant) {
		return this.shared.processorTurns().begin(tenant);
	}

	/**
	 * Runs work in a session, opening it if it is not known.
	 * @param <T> the type of the outcome
	 * @param request the request for the session
	 * @param work the work; its argument is the builder of a context with the session,
	 * its files and the sandbox. The work may add progress and cancellation
	 * @return the outcome
	 * @throws io.kairo.api.workspace.WorkspacePathException if the tenant gets no such
	 * workspace
	 * @throws io.kairo.api.workspace.WorkspaceException if the workspace could not be
	 * made
	 * @throws IllegalStateException if the sessions were closed
	 */
	public <T> T inSession(SessionRequest request, Function<ToolContext.Builder, T> work) {
		try (CallSession call = new CallSession(request)) {
			call.session();
			return work.apply(call.context());
		}
	}

	/**
	 * Runs work in a session in the default workspace, opening the session if it is not
	 * known.
	 * @param <T> the type of the outcome
	 * @param tenant the owner of the session; no other tenant or principal gets the same
	 * session
	 * @param sessionId the client's id of the session; null for a session that ends with
	 * the work
	 * @param work the work; its argument is the builder of a context, as in
	 * {@link #inSession(SessionRequest, Function)}
	 * @return the outcome
	 * @throws IllegalStateException if the sessions were closed
	 */
	public <T> T inSession(TenantContext tenant, @Nullable String sessionId, Function<ToolContext.Builder, T> work) {
		return inSession(SessionRequest.of(tenant, sessionId), work);
	}

	/**
	 * Calls a function with the context of a session in the default workspace, opening
	 * the session if it is not known.
	 * @param <T> the type of the outcome
	 * @param tenant the owner of the session; no other tenant or principal gets the same
	 * session
	 * @param sessionId the client's id of the session; null for a session that ends with
	 * the work
	 * @param work the work; its argument is the context
	 * @return the outcome
	 * @throws IllegalStateException if the sessions were closed
	 */
	public <T> T callInSession(TenantContext tenant, @Nullable String sessionId, Function<ToolContext, T> work) {
		return callInSession(SessionRequest.of(tenant, sessionId), work);
	}

	/**
	 * Calls a function with the context of a session, opening the session if it is not
	 * known.
	 * @param <T> the type of the outcome
	 * @param request the request for the session
	 * @param work the work; its argument is the context
	 * @return the outcome
	 * @throws io.kairo.api.workspace.WorkspacePathException if the tenant gets no such
	 * workspace
	 * @throws io.kairo.api.workspace.WorkspaceException if the workspace could not be
	 * made
	 * @throws IllegalStateException if the sessions were closed
	 */
	public <T> T callInSession(SessionRequest request, Function<ToolContext, T> work) {
		return inSession(request, (builder) -> work.apply(builder.build()));
	}

	/**
	 * Runs work with the context of a session in the default workspace, opening the
	 * session if it is not known.
	 * @param tenant the owner of the session; no other tenant or principal gets the same
	 * session
	 * @param sessionId the client's id of the session; null for a session that ends with
	 * the work
	 * @param work the work; its argument is the context
	 * @throws IllegalStateException if the sessions were closed
	 */
	public void runInSession(TenantContext tenant, @Nullable String sessionId, Consumer<ToolContext> work) {
		callInSession(tenant, sessionId, (context) -> {
			work.accept(context);
			return true;
		});
	}

	/**
	 * Calls a tool in a session. The session is opened on first use, inside of all
	 * interceptors, so that calls of a tenant that is refused a workspace are also
	 * counted and limited, and get a result that says so.
	 * @param request the request for the session
	 * @param catalog the tools
	 * @param call the call
	 * @param context a function that adds progress and cancellation to the context
	 * @return the result
	 * @throws IllegalStateException if the sessions were closed
	 */
	public ToolResult call(SessionRequest request, ToolCatalog catalog, ToolCall call,
			UnaryOperator<ToolContext.Builder> context) {
		this.sessions.requireOpen();
		try (CallSession session = new CallSession(request)) {
			return catalog.call(call, context.apply(session.context()).build());
		}
	}

	/**
	 * Forks a session, opening it if it is not known: creates sessions that go on from
	 * it, each in a trial over the files as they are now, with its own current directory,
	 * outputs and commands. The session itself does not end before its forks.
	 * @param request the request for the session
	 * @param count the number of forks, at least 1
	 * @return the forks, to be closed; or a failure as of
	 * {@link WorkspaceCheckpoints#trial(WorkspaceFiles)}, or with {@code conflict} if the
	 * session is in a trial, after which there is none
	 * @throws IllegalArgumentException if the number is below 1, or the request has no
	 * session id
	 */
	public WorkspaceResult<List<SessionFork>> fork(SessionRequest request, int count) {
		String id = request.sessionId();
		if (count < 1 || id == null) {
			throw new IllegalArgumentException(
					"There can be no " + count + " forks of the session '" + id + "': give an id, and at least 1");
		}
		List<SessionFork> forks = new ArrayList<>();
		for (int i = 1; i <= count; i++) {
			CallSession parent = new CallSession(request);
			WorkspaceResult<SessionFork> fork = SessionFork.of(parent.context().build(), id + "#" + i, this.outputs,
					this.background, this.files, parent::close);
			if (fork instanceof WorkspaceResult.Failure<SessionFork> failure) {
				forks.forEach(SessionFork::close);
				return failure.cast();
			}
			forks.add(fork.value());
		}
		return WorkspaceResult.ok(forks);
	}

	/**
	 * Ends the sessions whose idle timeout has passed. To be called at intervals; opening
	 * a session also ends them.
	 */
	public void expire() {
		this.sessions.endIdle();
	}

	/**
	 * Ends a session, if it is known.
	 * @param tenant the owner of the session
	 * @param sessionId the client's id of the session
	 */
	public void end(TenantContext tenant, String sessionId) {
		this.sessions
			.end((session) -> sessionId.equals(session.id()) && tenant.tenantId().equals(session.tenant().tenantId())
					&& tenant.principalId().equals(session.tenant().principalId()));
	}

	/**
	 * Ends the sessions in a workspace.
	 * @param workspaceId the id of the workspace
	 * @return the number of sessions; a session with a running call ends after it has
	 * returned
	 */
	public int endIn(String workspaceId) {
		return this.sessions.end((session) -> session.workspace().id().equals(workspaceId));
	}

	/**
	 * Returns the sessions that are kept.
	 * @return a copy
	 */
	public List<AgentSession> list() {
		return this.sessions.list();
	}

	/**
	 * Ends all sessions and removes the outputs. A session with a running call ends after
	 * it has returned; no new session begins.
	 */
	@Override
	public void close() {
		this.sessions.close();
		this.background.close();
		this.outputs.close();
	}

	private void release(AgentSession session) {
		SessionCommands commands = session.commands();
		SessionOutputs outputs = session.outputs();
		try {
			if (commands != null) {
				commands.close();
			}
			session.trial().close();
			if (outputs != null) {
				outputs.close();
			}
		}
		finally {
			this.provider.release(session.workspace().id());
		}
	}

	private AgentSession newSession(SessionRequest request) {
		Workspace workspace = this.provider
			.acquire(new WorkspaceRequest(request.hint(), request.tenant(), request.writable()));
		try {
			String id = request.sessionId();
			TenantContext tenant = request.tenant();
			SessionOutputs outputs = (id != null) ? this.outputs.open(tenant.tenantId())
					: this.outputs.openForOneCall(tenant.tenantId(), tenant.principalId());
			WorkspaceCheckpoints recorded = (this.checkpoints != null) ? this.checkpoints.open(tenant,
					tenant.principalId() + "\n" + tenant.attributes().getOrDefault(TenantContext.ATTR_AGENT_ID, "")
							+ "\n" + Objects.requireNonNullElse(id, ""),
					workspace) : null;
			return (id != null)
					? new AgentSession(id, request.tenant(), workspace, outputs,
							this.background.open(request.tenant().tenantId()), recorded, this.shared)
					: AgentSession.ofOneCall(request.tenant(), workspace, outputs, recorded, this.shared);
		}
		catch (RuntimeException | Error ex) {
			// no session exists that would release it later
			this.provider.release(workspace.id());
			throw ex;
		}
	}

	/**
	 * The session of one call, entered on first use.
	 */
	private final class CallSession implements AutoCloseable {

		private final SessionRequest request;

		private SessionTable.@Nullable Use use;

		private @Nullable AgentSession session;

		private boolean closed;

		CallSession(SessionRequest request) {
			this.request = AgentSessions.this.defaults.apply(request);
		}

		ToolContext.Builder context() {
			return ToolContext
				.builder(this.request.tenant(), this.request.sessionId(), this::session, new OnDemand<>(this::files))
				.sandbox(AgentSessions.this.sandbox);
		}

		private WorkspaceFiles files() {
			WorkspaceFiles files = AgentSessions.this.files.open(session().workspace());
			WorkspaceFiles tried = session().trial().files(files);
			WorkspaceCheckpoints recorded = session().checkpoints();
			WorkspaceFiles own = (tried != null) ? tried : (recorded != null) ? recorded.recorded(files) : files;
			String id = session().trial().sessionId(tried != null, session().id());
			return (id != null) ? new CommandFiles(own, AgentSessions.this.sandbox, this.request.tenant(), id,
					session()::lastCommand) : own;
		}

		synchronized AgentSession session() {
			if (this.session == null) {
				if (this.closed) {
					throw new IllegalStateException("The call has ended without opening a session: make a new call");
				}
				this.use = enter();
				AgentSession entered = this.use.session();
				this.session = (this.request.child() != null) ? entered.child(this.request.child()) : entered;
			}
			return this.session;
		}

		private SessionTable.Use enter() {
			SessionTable table = AgentSessions.this.sessions;
			String id = this.request.sessionId();
			return (id != null) ? table.enter(SessionKey.of(this.request, id), () -> newSession(this.request))
					: table.enter(() -> newSession(this.request));
		}

		@Override
		public synchronized void close() {
			this.closed = true;
			if (this.use != null) {
				this.use.close();
			}
		}

	}

}
