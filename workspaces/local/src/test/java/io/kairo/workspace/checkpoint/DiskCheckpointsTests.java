package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.api.workspace.tck.WorkspaceCheckpointsContract;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of checkpoints over the disk store.
 */
class DiskCheckpointsTests extends WorkspaceCheckpointsContract {

	@TempDir
	Path temp;

	private Workspace workspace;

	private CheckpointStore store;

	@Override
	protected WorkspaceFiles createFiles(WritePolicy policy, Map<String, String> content) throws IOException {
		Path root = Files.createDirectory(this.temp.toRealPath().resolve("work"));
		for (Map.Entry<String, String> each : content.entrySet()) {
			Path file = root.resolve(each.getKey());
			Files.createDirectories(file.getParent());
			Files.writeString(file, each.getValue());
		}
		this.workspace = new LocalDirectoryWorkspaceProvider(root).acquire(WorkspaceRequest.writable(null));
		this.store = new CheckpointStore(this.temp.resolve("state/checkpoints"), CheckpointOptions.defaults(),
				TrialOptions.defaults(this.temp.resolve("trials")), (tenant, bytes, most) -> {
				}, Clock.systemUTC());
		return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withWritePolicy(policy)).open(this.workspace);
	}

	@AfterEach
	void close() {
		this.store.close();
	}

	@Override
	protected WorkspaceCheckpoints checkpoints(String session) {
		return this.store.open(TenantContext.SINGLE, session, this.workspace);
	}

	@Override
	protected boolean onDisk() {
		return true;
	}

	@Override
	protected boolean hasTrials() {
		return true;
	}

}
