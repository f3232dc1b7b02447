package io.kairo.workspace.checkpoint;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Range;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;

/**
 * Undoes what a session did, and the undoing, again and again until it is killed.
 */
final class KilledRewindProgram {

	private KilledRewindProgram() {
	}

	static WorkspaceFiles files(Path root, Path temp) {
		return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withStateDirectory(temp.resolve("journal")))
			.open(workspace(root));
	}

	private static Workspace workspace(Path root) {
		return new LocalDirectoryWorkspaceProvider(root).acquire(WorkspaceRequest.writable(null));
	}

	public static void main(String[] args) {
		Path root = Path.of(args[0]);
		Path temp = Path.of(args[1]);
		WorkspaceFiles files = files(root, temp);
		CheckpointStore store = new CheckpointStore(temp.resolve("state/checkpoints"), new CheckpointOptions(10_000_000,
				20_000_000, 1_000_000, 10_000, Duration.ofDays(1), Duration.ofSeconds(10), true));
		WorkspaceCheckpoints session = store.open(TenantContext.SINGLE, "one", workspace(root));
		System.out.println();
		while (true) {
			session.restore(files, Range.since("start"), Set.of()).value();
			session.restore(files, Range.redo(), Set.of()).value();
		}
	}

}
