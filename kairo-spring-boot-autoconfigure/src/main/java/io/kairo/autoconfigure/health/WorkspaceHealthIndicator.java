package io.kairo.autoconfigure.health;

import java.io.File;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Looks whether the default workspace is there, may be written to and has space left.
 */
final class WorkspaceHealthIndicator extends AbstractHealthIndicator {

	private final WorkspaceProvider provider;

	WorkspaceHealthIndicator(WorkspaceProvider provider) {
		super("The default workspace cannot be acquired");
		this.provider = provider;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Workspace workspace = this.provider.acquire(WorkspaceRequest.writable(null));
		try {
			builder.up().withDetail("kind", workspace.kind());
			if (workspace.onDisk()) {
				describeRoots(workspace, builder);
			}
		}
		finally {
			this.provider.release(workspace.id());
		}
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
