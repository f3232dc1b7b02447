package io.kairo.tools;

import java.util.function.Consumer;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.LocalWorkspaceFilesFactory;
import org.jspecify.annotations.Nullable;

/**
 * Where a call happens. Immutable; what it leads to is safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class ToolContext {

	private final AgentSession session;

	private final WorkspaceFiles files;

	private final ExecutionSandbox sandbox;

	private final Consumer<ToolProgress> progress;

	private final Cancellation cancellation;

	private ToolContext(Builder builder) {
		this.session = builder.session();
		this.files = builder.files();
		this.sandbox = (builder.sandbox != null) ? builder.sandbox : HostSandbox.INSTANCE;
		this.progress = builder.progress;
		this.cancellation = builder.cancellation;
	}

	/**
	 * Starts a context. Unless something else is bound, its files are those of the
	 * workspace under the default path policy, its sandbox is the host process, its
	 * tenant is the single one and its session is new.
	 * @param workspace where the files are; null for the current directory of the JVM
	 * @return a builder
	 */
	public static Builder builder(@Nullable Workspace workspace) {
		return new Builder((workspace != null) ? workspace : Workspace.cwd());
	}

	/**
	 * Returns the workspace.
	 * @return the workspace of the session
	 */
	public Workspace currentWorkspace() {
		return this.session.workspace();
	}

	/**
	 * Returns the files of the workspace.
	 * @return the files
	 */
	public WorkspaceFiles files() {
		return this.files;
	}

	/**
	 * Returns where commands run.
	 * @return the sandbox
	 */
	public ExecutionSandbox sandbox() {
		return this.sandbox;
	}

	/**
	 * Returns who the call is made for.
	 * @return the tenant of the session
	 */
	public TenantContext tenant() {
		return this.session.tenant();
	}

	/**
	 * Returns the session that the call belongs to.
	 * @return the session
	 */
	public AgentSession session() {
		return this.session;
	}

	/**
	 * Returns who is told that a long call is alive.
	 * @return a consumer that is quick and does not throw
	 */
	public Consumer<ToolProgress> progress() {
		return this.progress;
	}

	/**
	 * Returns what tells the tool that nobody waits for it any more.
	 * @return the cancellation
	 */
	public Cancellation cancellation() {
		return this.cancellation;
	}

	/**
	 * Collects what a context leads to. For use by one thread.
	 */
	public static final class Builder {

		private final Workspace workspace;

		private @Nullable WorkspaceFiles files;

		private @Nullable ExecutionSandbox sandbox;

		private @Nullable TenantContext tenant;

		private @Nullable AgentSession session;

		private Consumer<ToolProgress> progress = (progress) -> {
		};

		private Cancellation cancellation = new Cancellation();

		private Builder(Workspace workspace) {
			this.workspace = workspace;
		}

		/**
		 * Binds the files of the workspace.
		 * @param files the files
		 * @return this builder
		 */
		public Builder files(WorkspaceFiles files) {
			this.files = files;
			return this;
		}

		/**
		 * Binds where commands run.
		 * @param sandbox the sandbox
		 * @return this builder
		 */
		public Builder sandbox(ExecutionSandbox sandbox) {
			this.sandbox = sandbox;
			return this;
		}

		/**
		 * Binds who the call is made for, when no session is bound.
		 * @param tenant the tenant
		 * @return this builder
		 */
		public Builder tenant(TenantContext tenant) {
			this.tenant = tenant;
			return this;
		}

		/**
		 * Binds the session, and with it the tenant.
		 * @param session a session of the workspace
		 * @return this builder
		 */
		public Builder session(AgentSession session) {
			this.session = session;
			return this;
		}

		/**
		 * Binds who is told that a long call is alive.
		 * @param progress must be quick and must not throw
		 * @return this builder
		 */
		public Builder progress(Consumer<ToolProgress> progress) {
			this.progress = progress;
			return this;
		}

		/**
		 * Binds what tells the tool that nobody waits for it any more.
		 * @param cancellation the cancellation
		 * @return this builder
		 */
		public Builder cancellation(Cancellation cancellation) {
			this.cancellation = cancellation;
			return this;
		}

		/**
		 * Creates the context.
		 * @return the context
		 * @throws IllegalArgumentException if the session is of another workspace or of
		 * another tenant than those bound
		 */
		public ToolContext build() {
			return new ToolContext(this);
		}

		private AgentSession session() {
			if (this.session == null) {
				return new AgentSession(null, (this.tenant != null) ? this.tenant : TenantContext.SINGLE,
						this.workspace);
			}
			if (!this.session.workspace().id().equals(this.workspace.id())) {
				throw new IllegalArgumentException("The session is of workspace '" + this.session.workspace().id()
						+ "', the context of '" + this.workspace.id() + "': bind a session of the same workspace");
			}
			if (this.tenant != null && !this.tenant.equals(this.session.tenant())) {
				throw new IllegalArgumentException("The session is of tenant '" + this.session.tenant().tenantId()
						+ "', the context of '" + this.tenant.tenantId() + "': bind a session of the same tenant");
			}
			return this.session;
		}

		private WorkspaceFiles files() {
			return (this.files != null) ? this.files : HostFiles.FACTORY.open(this.workspace);
		}

	}

	/**
	 * Files of callers that bind none. Opened on first use.
	 */
	private static final class HostFiles {

		static final LocalWorkspaceFilesFactory FACTORY = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS);

	}

	/**
	 * Sandbox of callers that bind none. Created on first use.
	 */
	private static final class HostSandbox {

		static final ExecutionSandbox INSTANCE = new LocalProcessSandbox();

	}

}
