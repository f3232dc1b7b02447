package io.kairo.workspace.s3;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.api.workspace.tck.WorkspaceCheckpointsContract;
import io.kairo.workspace.checkpoint.CheckpointOptions;
import io.kairo.workspace.checkpoint.CheckpointStore;
import io.kairo.workspace.checkpoint.TrialOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of checkpoints over objects that are fetched when they are needed.
 */
@ExtendWith(S3Server.Extension.class)
class S3CheckpointsTests extends WorkspaceCheckpointsContract {

	@TempDir
	static Path directory;

	private static S3Files files;

	private Workspace workspace;

	private CheckpointStore store;

	@BeforeAll
	static void open(S3Server server) throws IOException {
		files = new S3Files(server, directory);
	}

	@AfterAll
	static void close() {
		files.close();
	}

	@Override
	protected WorkspaceFiles createFiles(WritePolicy policy, Map<String, String> content) {
		this.workspace = files.acquire(content);
		this.store = new CheckpointStore(directory.resolve("checkpoints"), CheckpointOptions.defaults(),
				TrialOptions.defaults(directory.resolve("trials")), (tenant, bytes, most) -> {
				}, Clock.systemUTC());
		return files.open(this.workspace, policy);
	}

	@AfterEach
	void closeStore() {
		this.store.close();
	}

	@Override
	protected WorkspaceCheckpoints checkpoints(String session) {
		return this.store.open(TenantContext.SINGLE, session, this.workspace);
	}

	@Override
	protected boolean onDisk() {
		return false; // objects are fetched before a command, which this suite does not
						// do
	}

}
