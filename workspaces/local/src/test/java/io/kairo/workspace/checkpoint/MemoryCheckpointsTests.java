package io.kairo.workspace.checkpoint;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Set;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Range;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.api.workspace.tck.WorkspaceCheckpointsContract;
import io.kairo.workspace.memory.InMemoryWorkspaceFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of checkpoints over the store in memory.
 */
class MemoryCheckpointsTests extends WorkspaceCheckpointsContract {

	@TempDir
	Path temp;

	private InMemoryWorkspaceFiles files;

	private CheckpointStore store;

	@Override
	protected WorkspaceFiles createFiles(WritePolicy policy, Map<String, String> content) {
		this.files = new InMemoryWorkspaceFiles(policy);
		content.forEach(this.files::seed);
		this.store = new CheckpointStore(this.temp.resolve("state/checkpoints"), CheckpointOptions.defaults(),
				TrialOptions.defaults(this.temp.resolve("trials")), (tenant, bytes, most) -> {
				}, Clock.systemUTC());
		return this.files;
	}

	@AfterEach
	void close() {
		this.store.close();
	}

	@Override
	protected WorkspaceCheckpoints checkpoints(String session) {
		return this.store.open(TenantContext.SINGLE, session, new InMemory(this.files.root().root()));
	}

	@Override
	protected boolean onDisk() {
		return false;
	}

	@Test
	void anotherSpellingIsTheSameFile() {
		WorkspaceCheckpoints checkpoints = checkpoints("one");
		WorkspaceFiles recorded = checkpoints.recorded(this.files);
		recorded
			.apply(new WorkspaceChange.Write(new WorkspacePath(this.files.root().root(), "KB/FOO.md"),
					"x".getBytes(StandardCharsets.UTF_8)))
			.value();
		recorded
			.apply(new WorkspaceChange.Write(new WorkspacePath(this.files.root().root(), "KB/new"),
					"x".getBytes(StandardCharsets.UTF_8)))
			.value();
		checkpoints.restore(this.files, Range.all(), Set.of()).value();
		assertThat(this.files.snapshot()).contains(entry("kb/foo.md", "foo")).doesNotContainKey("kb/new");
	}

	/**
	 * A workspace in memory.
	 *
	 * @param root the name of its root
	 */
	private record InMemory(Path root) implements Workspace {

		@Override
		public String id() {
			return "memory";
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.LOCAL;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

		@Override
		public boolean onDisk() {
			return false;
		}

	}

}
