package io.kairo.workspace.task;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.tck.FullDiskSubject;
import io.kairo.api.workspace.tck.FullDiskTrial;
import io.kairo.api.workspace.tck.WorkspaceProviderContract;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.disk.MemoryDirectory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract tests for {@link TaskWorkspaceProvider}.
 */
class TaskProviderContractTests extends WorkspaceProviderContract {

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	@Override
	protected WorkspaceProvider createProvider() {
		AgentTree tree = new AgentTree(new FileAgentRegistry(this.temp.resolve("state")));
		Stream.of("default", "acme", "ro", "#ro", "acme#ro", "../acme").forEach((name) -> {
			TenantContext tenant = new TenantContext(name, "ann");
			tree.register(tenant, "one", "root");
			tree.register(tenant, "two", "root");
			tree.register(tenant, "lost", "user");
		});
		return new TaskWorkspaceProvider(tree, this.temp.resolve("data"));
	}

	@Override
	protected List<@Nullable String> hints() {
		return List.of("task:one", "two");
	}

	@Override
	protected List<String> badHints() {
		return List.of("missing", "task:missing", "lost", "root", "user", "task:root", "../one", "one/../two", "/etc",
				"a\0b", "x".repeat(300), "task:");
	}

	@Override
	protected Map<String, WorkspaceErrorCode> refusals() {
		return Map.of("task:root", WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED, "user",
				WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED, "lost", WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED,
				"task:con", WorkspaceErrorCode.INVALID_PATH, "../one", WorkspaceErrorCode.INVALID_PATH);
	}

	@Override
	protected boolean rootsExist() {
		return false;
	}

	@Override
	protected List<Path> places() {
		return List.of(this.temp);
	}

	@Override
	protected Class<? extends FullDiskTrial> fullDiskTrial() {
		return AnAgentThatHasNotWrittenYet.class;
	}

	/**
	 * A workspace that is created with its first file, and a registry beside it.
	 */
	static final class AnAgentThatHasNotWrittenYet implements FullDiskTrial {

		@Override
		public FullDiskSubject prepare(Path directory, List<String> arguments) throws IOException {
			AgentTree tree = new AgentTree(new FileAgentRegistry(directory.resolve("agents")));
			tree.register("one", "root");
			TaskWorkspaceProvider provider = new TaskWorkspaceProvider(tree,
					Files.createDirectory(directory.resolve("data")));
			return new FullDiskSubject(
					new WorkspaceProviderRegistration("task", provider,
							provider.files(new LocalWorkspaceFilesFactory(
									LocalFilesOptions.DEFAULTS.withStateDirectory(directory.resolve("state"))))),
					WorkspaceRequest.writable("one"), Map.of("a new agent", () -> tree.register("two", "root")));
		}

	}

}
