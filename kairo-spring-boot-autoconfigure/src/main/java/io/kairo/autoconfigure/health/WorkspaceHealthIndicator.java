package io.kairo.autoconfigure.health;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.autoconfigure.workspace.WorkspaceProperties;
import io.kairo.workspace.routing.TooManyWorkspacesException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.util.unit.DataSize;

/**
 * Looks whether the default workspace is there, may be written to and has space left.
 */
final class WorkspaceHealthIndicator extends AbstractHealthIndicator {

	private static final String EPHEMERAL = "ephemeral";

	private static final String GIT = "git";

	private final WorkspaceProvider provider;

	private final TenantContext tenant;

	private final @Nullable WorkspaceProperties properties;

	private final Path checkouts;

	private final DataSize minFreeSpace;

	private final Function<Path, DirectoryState> directories;

	/**
	 * Creates the indicator.
	 * @param provider makes the workspaces
	 * @param tenant the default one
	 * @param properties say where the directories of tenants are, null if the provider
	 * does not go by them
	 * @param checkouts where those of Git are
	 * @param minFreeSpace how much space there is to be where something is written
	 * @param directories tells what can be done in a directory
	 */
	WorkspaceHealthIndicator(WorkspaceProvider provider, TenantContext tenant, @Nullable WorkspaceProperties properties,
			Path checkouts, DataSize minFreeSpace, Function<Path, DirectoryState> directories) {
		super("The default workspace cannot be acquired");
		this.provider = provider;
		this.tenant = tenant;
		this.properties = properties;
		this.checkouts = checkouts;
		this.minFreeSpace = minFreeSpace;
		this.directories = directories;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Path above = (this.properties != null) ? this.properties.directoryOfTenants() : null;
		if (above != null) {
			// acquiring would make a directory for a tenant that may not be one
			describe("directoryOfTenants", above, use(), builder);
			return;
		}
		Path tasks = (this.properties != null) ? this.properties.directoryOfTasks() : null;
		if (tasks != null) {
			// there is no workspace without an agent
			describe("dataDir", tasks, use(), builder);
			return;
		}
		if (this.properties != null && this.properties.defaultProvider().equals(GIT)) {
			// a checkout costs the remote something, which has a health of its own
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
			// that a tenant has all it may have is no failure of the application
			builder.up().withDetail("limit", String.valueOf(ex.getMessage()));
			return;
		}
		try {
			builder.up().withDetail("kind", workspace.kind());
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
	 * Returns the hint of the workspace to look at, which is an empty one where sessions
	 * have the copy of a seed.
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
	 * Says what keeps a directory from being used as it is meant to be.
	 */
	private void judge(DirectoryState state, Use use, Health.Builder builder) {
		builder.withDetail("freeBytes", state.freeBytes());
		if (!state.there()) {
			builder.down().withDetail("problem", "the directory is not there: make it, or name another one");
		}
		else if (use == Use.WRITTEN && !state.writable()) {
			builder.down()
				.withDetail("problem", "the directory cannot be written to: let this application write there, or set "
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
	 * What happens in a directory.
	 */
	private enum Use {

		/** What is there is read. */
		READ,

		/** Something is made there, or changed. */
		WRITTEN

	}

}
