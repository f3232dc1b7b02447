package io.kairo.autoconfigure.health;

import java.io.File;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.autoconfigure.workspace.WorkspaceProperties;
import io.kairo.workspace.routing.TooManyWorkspacesException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

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

	/**
	 * Creates the indicator.
	 * @param provider makes the workspaces
	 * @param tenant the default one
	 * @param properties say where the directories of tenants are, null if the provider
	 * does not go by them
	 * @param checkouts where those of Git are
	 */
	WorkspaceHealthIndicator(WorkspaceProvider provider, TenantContext tenant, @Nullable WorkspaceProperties properties,
			Path checkouts) {
		super("The default workspace cannot be acquired");
		this.provider = provider;
		this.tenant = tenant;
		this.properties = properties;
		this.checkouts = checkouts;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Path above = (this.properties != null) ? this.properties.directoryOfTenants() : null;
		if (above != null) {
			// acquiring would make a directory for a tenant that may not be one
			describe("directoryOfTenants", above, builder);
			return;
		}
		Path tasks = (this.properties != null) ? this.properties.directoryOfTasks() : null;
		if (tasks != null) {
			// there is no workspace without an agent
			describe("dataDir", tasks, builder);
			return;
		}
		if (this.properties != null && this.properties.defaultProvider().equals(GIT)) {
			// a checkout costs the remote something, which has a health of its own
			describe("directory", this.checkouts, builder);
			describeChoice(this.properties, builder.withDetail("remote", "not asked"));
			return;
		}
		acquire(builder);
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

	private static void describe(String detail, Path above, Health.Builder builder) {
		File directory = above.toFile();
		builder.status(directory.isDirectory() ? "UP" : "DOWN")
			.withDetail(detail, above.toString())
			.withDetail("writable", directory.canWrite())
			.withDetail("freeBytes", directory.getUsableSpace());
	}

	private static void describeRoots(Workspace workspace, Health.Builder builder) {
		File root = workspace.root().toFile();
		List<Path> missing = workspace.roots().stream().filter((path) -> !path.toFile().isDirectory()).toList();
		builder.withDetail("root", workspace.root().toString())
			.withDetail("writable", workspace.writable() && root.canWrite())
			.withDetail("freeBytes", root.getUsableSpace());
		if (!missing.isEmpty()) {
			builder.down().withDetail("missing", missing.toString());
		}
	}

}
