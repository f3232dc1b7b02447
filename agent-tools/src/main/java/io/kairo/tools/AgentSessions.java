package io.kairo.tools;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.tools.output.OutputOptions;
import io.kairo.tools.output.OutputStore;
import io.kairo.tools.output.SessionOutputs;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of an application, by tenant and by the id that the client gave. Keeps the
 * latest {@value #MAX_SESSIONS}; the workspace of a session that goes is released. Safe
 * for use by several threads.
 *
 * @since 0.1.0
 */
public final class AgentSessions implements AutoCloseable {

	private static final int MAX_SESSIONS = 10_000;

	private final WorkspaceProvider provider;

	private final WorkspaceFilesFactory files;

	private final ExecutionSandbox sandbox;

	private final OutputStore outputs;

	private final Map<Key, AgentSession> sessions = new LinkedHashMap<>(16, 0.75f, true);

	/**
	 * Creates an application's sessions.
	 * @param provider makes the workspaces
	 * @param files opens their files
	 * @param sandbox where commands run
	 */
	public AgentSessions(WorkspaceProvider provider, WorkspaceFilesFactory files, ExecutionSandbox sandbox) {
		this(provider, files, sandbox, new OutputStore(OutputOptions.defaults()));
	}

	/**
	 * Creates an application's sessions.
	 * @param provider makes the workspaces
	 * @param files opens their files
	 * @param sandbox where commands run
	 * @param outputs keeps outputs that are too long for a result; closed with the
	 * sessions
	 */
	public AgentSessions(WorkspaceProvider provider, WorkspaceFilesFactory files, ExecutionSandbox sandbox,
			OutputStore outputs) {
		this.outputs = Objects.requireNonNull(outputs, "outputs");
		this.provider = Objects.requireNonNull(provider, "provider");
		this.files = Objects.requireNonNull(files, "files");
		this.sandbox = Objects.requireNonNull(sandbox, "sandbox");
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
	 */
	public <T> T inSession(TenantContext tenant, @Nullable String sessionId, Function<ToolContext.Builder, T> work) {
		AgentSession session = (sessionId != null) ? open(tenant, sessionId) : newSession(tenant, null);
		try {
			return work.apply(ToolContext.builder(session.workspace())
				.session(session)
				.files(this.files.open(session.workspace()))
				.sandbox(this.sandbox));
		}
		finally {
			if (sessionId == null) {
				release(session);
			}
		}
	}

	private AgentSession open(TenantContext tenant, String sessionId) {
		Key key = new Key(tenant.tenantId(), tenant.principalId(), sessionId);
		AgentSession known = find(key);
		if (known != null) {
			return known;
		}
		// acquired outside the lock: a slow provider delays nobody else
		AgentSession created = newSession(tenant, sessionId);
		AgentSession opened = created;
		AgentSession unused = null;
		synchronized (this.sessions) {
			AgentSession raced = this.sessions.putIfAbsent(key, created);
			if (raced != null) {
				opened = raced;
				unused = created;
			}
			else if (this.sessions.size() > MAX_SESSIONS) {
				unused = this.sessions.remove(this.sessions.keySet().iterator().next());
			}
		}
		if (unused != null) {
			release(unused);
		}
		return opened;
	}

	/**
	 * Ends every session, releases the workspaces and removes the outputs.
	 */
	@Override
	public void close() {
		List<AgentSession> ended;
		synchronized (this.sessions) {
			ended = List.copyOf(this.sessions.values());
			this.sessions.clear();
		}
		ended.forEach(this::release);
		this.outputs.close();
	}

	private void release(AgentSession session) {
		SessionOutputs outputs = session.outputs();
		if (outputs != null) {
			outputs.close();
		}
		this.provider.release(session.workspace().id());
	}

	private @Nullable AgentSession find(Key key) {
		synchronized (this.sessions) {
			return this.sessions.get(key);
		}
	}

	private AgentSession newSession(TenantContext tenant, @Nullable String sessionId) {
		Workspace workspace = this.provider.acquire(new WorkspaceRequest(null, tenant, true));
		return new AgentSession(sessionId, tenant, workspace, this.outputs.open(tenant.tenantId()));
	}

	private record Key(String tenantId, String principalId, String sessionId) {

	}

}
