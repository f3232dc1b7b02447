package io.kairo.autoconfigure.health;

import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.autoconfigure.workspace.WorkspaceProperties;
import io.kairo.workspace.routing.TooManyWorkspacesException;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.disk.StateDirectory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.util.unit.DataSize;

/**
 * Health indicator that checks whether the default workspace exists, is writable and has
 * free space.
 */
final class WorkspaceHealthIndicator extends AbstractHealthIndicator {

	private static final String EPHEMERAL = "ephemeral";

	private static final String GIT = "git";

	private final WorkspaceProvider provider;

	private final TenantContext tenant;

	private final @Nullable WorkspaceProperties properties;

	private final Path checkouts;

	private final Path state;

	private final boolean nativeCalls;

	private final DataSize minFreeSpace;

	private final Function<Path, DirectoryState> directories;

	private final Function<Workspace, Map<String, Object>> undo;

	/**
	 * Creates the indicator.
	 * @param provider the provider of workspaces
	 * @param tenant the default tenant
	 * @param properties the configuration of the directories, null if the provider does
	 * not follow it
	 * @param checkouts the directory of Git checkouts
	 * @param state the state directory
	 * @param nativeCalls whether files may be opened by direct system calls
	 * @param minFreeSpace the minimum free space of a directory that is written to
	 * @param directories determines the state of a directory
	 * @param undo describes the checkpoints and trials of a workspace
	 */
	WorkspaceHealthIndicator(WorkspaceProvider provider, TenantContext tenant, @Nullable WorkspaceProperties properties,
			Path checkouts, Path state, boolean nativeCalls, DataSize minFreeSpace,
			Function<Path, DirectoryState> directories, Function<Workspace, Map<String, Object>> undo) {
		super("The default workspace cannot be acquired");
		this.provider = provider;
		this.tenant = tenant;
		this.properties = properties;
		this.checkouts = checkouts;
		this.state = state;
		this.nativeCalls = nativeCalls;
		this.minFreeSpace = minFreeSpace;
		this.directories = directories;
		this.undo = undo;
	}

	/**
	 * Describes whether direct system calls are used.
	 * @param wanted whether they may be
	 * @param problem returns the reason why they cannot be, or null
	 * @return true, or the reason why not
	 */
	static Object directUse(boolean wanted, Supplier<@Nullable String> problem) {
		String reason = wanted ? problem.get() : "kairo.native-calls is false";
		return (reason != null) ? reason : true;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		describeWorkspace(builder);
		if (this.properties != null) {
			builder.withDetail("directOpens",
					directUse(this.nativeCalls, LocalWorkspaceFilesFactory::directOpensProblem));
		}
		if (this.properties != null && !this.properties.readOnly()) {
			try {
				new StateDirectory(this.state).requireWritable();
			}
			catch (FileSystemException ex) {
				builder.down()
					.withDetail("stateDirectory", this.state.toString())
					.withDetail("problem",
							"files cannot be changed without the state directory (kairo.state-dir): " + ex.getReason());
			}
		}
	}

	private void describeWorkspace(Health.Builder builder) {
		Path above = (this.properties != null) ? this.properties.directoryOfTenants() : null;
		if (above != null) {
			// acquiring would create a directory for a tenant that may not exist
			describe("directoryOfTenants", above, use(), builder);
			return;
		}
		Path tasks = (this.properties != null) ? this.properties.directoryOfTasks() : null;
		if (tasks != null) {
			// a workspace needs an agent
			describe("dataDir", tasks, use(), builder);
			return;
		}
		if (this.properties != null && this.properties.defaultProvider().equals(GIT)) {
			// a checkout puts load on the remote, and the remote has its own health
			describe("directory", this.checkouts, Use.WRITTEN, builder);
			describeChoice(this.properties, builder.withDetail("remote", "not asked"));
			return;
		}
		acquire(builder);
	}

	private Use use() {
		return (this.properties != null && this.properties.readOnly()) ? Use.READ : Use.WRITTEN;
	}

	private void acquire(Health.Builder builder) {
		Workspace workspace;
		try {
			workspace = this.provider.acquire(new WorkspaceRequest(hint(), this.tenant, true));
		}
		catch (TooManyWorkspacesException ex) {
			// a tenant that has reached its limit is not a failure of the application
			builder.up().withDetail("limit", String.valueOf(ex.getMessage()));
			return;
		}
		try {
			builder.up().withDetail("kind", workspace.kind());
			this.undo.apply(workspace).forEach(builder::withDetail);
			if (this.properties != null) {
				describeChoice(this.properties, builder);
			}
			if (workspace.onDisk()) {
				describeRoots(workspace, builder);
			}
			else {
				builder.withDetail("onDisk", false).withDetail("writable", workspace.writable());
			}
		}
		finally {
			this.provider.release(workspace.id());
		}
	}

	/**
	 * Returns the hint of the workspace to check, empty if sessions start with the copy
	 * of a seed.
	 */
	private @Nullable String hint() {
		return (this.properties == null) ? null
				: this.properties.defaultProvider().equals(EPHEMERAL) ? EPHEMERAL + ":" : this.properties.hint();
	}

	private static void describeChoice(WorkspaceProperties properties, Health.Builder builder) {
		builder.withDetail("provider", properties.defaultProvider());
		if (properties.hint() != null) {
			builder.withDetail("hint", properties.hint());
		}
	}

	private void describe(String detail, Path path, Use use, Health.Builder builder) {
		DirectoryState state = this.directories.apply(path);
		builder.up().withDetail(detail, path.toString()).withDetail("writable", state.writable());
		judge(state, use, builder);
	}

	private void describeRoots(Workspace workspace, Health.Builder builder) {
		DirectoryState state = this.directories.apply(workspace.root());
		List<Path> missing = workspace.roots()
			.stream()
			.filter((path) -> !this.directories.apply(path).there())
			.toList();
		builder.withDetail("root", workspace.root().toString())
			.withDetail("writable", workspace.writable() && state.writable());
		judge(state, workspace.writable() ? Use.WRITTEN : Use.READ, builder);
		if (!missing.isEmpty()) {
			builder.down().withDetail("missing", missing.toString());
		}
	}

	/**
	 * Sets the health to down if the directory does not support its use.
	 */
	private void judge(DirectoryState state, Use use, Health.Builder builder) {
		builder.withDetail("freeBytes", state.freeBytes());
		if (!state.there()) {
			builder.down().withDetail("problem", "the directory does not exist: create it, or use another one");
		}
		else if (use == Use.WRITTEN && !state.writable()) {
			builder.down()
				.withDetail("problem", "the directory is not writable: grant this application write access, or set "
						+ "kairo.workspace.read-only");
		}
		else if (use == Use.WRITTEN && state.freeBytes() < this.minFreeSpace.toBytes()) {
			builder.down()
				.withDetail("problem",
						"less than " + this.minFreeSpace.toBytes() + " bytes are free: make room, or set "
								+ "kairo.health.min-free-space")
				.withDetail("minFreeBytes", this.minFreeSpace.toBytes());
		}
	}

	/**
	 * The use of a directory.
	 */
	private enum Use {

		/** Its files are read. */
		READ,

		/** Files are created or changed there. */
		WRITTEN

	}

}
