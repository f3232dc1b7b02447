package io.kairo.tools;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of an application, by tenant, principal and the id that the client gave. A
 * session ends when it was idle for too long, when there are too many, or when its
 * workspace is taken back; its workspace is released then, but not before the last call
 * in it has returned. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class AgentSessions implements AutoCloseable {

	private final WorkspaceProvider provider;

	private final WorkspaceFilesFactory files;

	private final ExecutionSandbox sandbox;

	private final SessionTable sessions;

	/**
	 * Creates an application's sessions, with the default bounds.
	 * @param provider makes the workspaces
	 * @param files opens their files
	 * @param sandbox where commands run
	 */
	public AgentSessions(WorkspaceProvider provider, WorkspaceFilesFactory files, ExecutionSandbox sandbox) {
		this(provider, files, sandbox, SessionBounds.DEFAULTS);
	}

	/**
	 * Creates an application's sessions.
	 * @param provider makes the workspaces
	 * @param files opens their files
	 * @param sandbox where commands run
	 * @param bounds how long and how many are kept
	 */
	public AgentSessions(WorkspaceProvider provider, WorkspaceFilesFactory files, ExecutionSandbox sandbox,
			SessionBounds bounds) {
		this.provider = Objects.requireNonNull(provider, "provider");
		this.files = Objects.requireNonNull(files, "files");
		this.sandbox = Objects.requireNonNull(sandbox, "sandbox");
		this.sessions = new SessionTable(bounds, this::release);
	}

	/**
	 * Does a piece of work in a session, which is opened if it is not known. A new
	 * session gets the provider's default workspace.
	 * @param <T> the type of the outcome
	 * @param tenant who the session belongs to; no other tenant or principal gets the
	 * same one
	 * @param sessionId the client's id of the session; null for one that ends with the
	 * work
	 * @param work is given a context with the session, its files and the sandbox bound,
	 * to add progress and cancellation to
	 * @return the outcome
	 * @throws IllegalStateException if the sessions were closed
	 */
	public <T> T inSession(TenantContext tenant, @Nullable String sessionId, Function<ToolContext.Builder, T> work) {
		try (SessionTable.Use use = this.sessions.enter(tenant, sessionId, () -> newSession(tenant, sessionId))) {
			AgentSession session = use.session();
			return work.apply(ToolContext.builder(session.workspace())
				.session(session)
				.files(this.files.open(session.workspace()))
				.sandbox(this.sandbox));
		}
	}

	/**
	 * Ends the sessions that were idle for too long. To be called now and then; a new
	 * session does it too.
	 */
	public void expire() {
		this.sessions.endIdle();
	}

	/**
	 * Ends the sessions that are in a workspace.
	 * @param workspaceId the id of the workspace
	 * @return how many there were; those with a call that runs end when it has returned
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
	 * Ends every session. Those with a call that runs end when it has returned; no new
	 * one begins.
	 */
	@Override
	public void close() {
		this.sessions.close();
	}

	private void release(AgentSession session) {
		this.provider.release(session.workspace().id());
	}

	private AgentSession newSession(TenantContext tenant, @Nullable String sessionId) {
		Workspace workspace = this.provider.acquire(new WorkspaceRequest(null, tenant, true));
		return new AgentSession(sessionId, tenant, workspace);
	}

}
