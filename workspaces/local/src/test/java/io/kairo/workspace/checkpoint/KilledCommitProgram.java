package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceTrial;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;

/**
 * Commits one of two states of a directory, and then the other one, again and again until
 * it is killed.
 */
final class KilledCommitProgram {

	/** Maximum size of a file whose former content is kept. */
	private static final int MAX_FILE = 100_000;

	private static final int DIRECTORIES = 40;

	private KilledCommitProgram() {
	}

	static WorkspaceFiles files(Path root, Path temp) {
		return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withStateDirectory(temp.resolve("journal")))
			.open(workspace(root));
	}

	private static Workspace workspace(Path root) {
		return new LocalDirectoryWorkspaceProvider(root).acquire(WorkspaceRequest.writable(null));
	}

	static CheckpointStore store(Path temp) {
		return new CheckpointStore(temp.resolve("state/checkpoints"),
				new CheckpointOptions(20_000_000, 40_000_000, MAX_FILE, 10_000, Duration.ofDays(1),
						Duration.ofSeconds(10), true),
				TrialOptions.defaults(temp.resolve("trials")), (tenant, bytes, most) -> {
				}, Clock.systemUTC());
	}

	static WorkspaceCheckpoints session(CheckpointStore store, Path root) {
		return store.open(TenantContext.SINGLE, "one", workspace(root));
	}

	/**
	 * Brings a directory to a state, from nothing or from the other state.
	 */
	static void fill(Path directory, boolean first) {
		try {
			Path closed = Files.createDirectories(directory.resolve("closed"));
			permit(closed, "rwxr-xr-x");
			for (int i = 0; i < DIRECTORIES; i++) {
				Path each = directory.resolve("d" + i);
				boolean present = i % 3 != (first ? 0 : 1);
				if (present) {
					Files.writeString(Files.createDirectories(each).resolve("f"), i + (first ? " first" : " second"));
				}
				else if (Files.exists(each)) {
					Files.delete(each.resolve("f"));
					Files.delete(each);
				}
			}
			byte[] large = new byte[MAX_FILE + (first ? 50_000 : 60_000)];
			Arrays.fill(large, (byte) (first ? '1' : '2'));
			Files.write(directory.resolve("large"), large);
			Files.deleteIfExists(directory.resolve("link"));
			Files.createSymbolicLink(directory.resolve("link"), Path.of(first ? "d1" : "d2"));
			Files.write(directory.resolve("moded"), "same".getBytes(StandardCharsets.UTF_8));
			permit(directory.resolve("moded"), first ? "rw-r-----" : "rwxrwxr-x");
			Files.writeString(closed.resolve("f"), first ? "first" : "second");
			permit(closed, first ? "r-xr-xr-x" : "rwx------");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void permit(Path path, String mode) throws IOException {
		Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
	}

	public static void main(String[] args) {
		Path root = Path.of(args[0]);
		Path temp = Path.of(args[1]);
		WorkspaceFiles files = files(root, temp);
		WorkspaceCheckpoints session = session(store(temp), root);
		System.out.println();
		boolean first = Files.exists(root.resolve("d1"));
		while (true) {
			first = !first;
			WorkspaceTrial trial = session.trial(files).value();
			WorkspaceFiles tried = trial.files(files);
			fill(tried.location(root), first);
			if (!trial.commit(tried, Set.of()).value().done()) {
				throw new IllegalStateException("The trial was not committed");
			}
		}
	}

}
