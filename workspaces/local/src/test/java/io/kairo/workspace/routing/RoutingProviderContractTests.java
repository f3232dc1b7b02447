package io.kairo.workspace.routing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.tck.WorkspaceProviderContract;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract tests for {@link RoutingWorkspaceProvider}.
 */
class RoutingProviderContractTests extends WorkspaceProviderContract {

	@TempDir
	Path temp;

	@Override
	protected WorkspaceProvider createProvider() throws IOException {
		Files.createDirectories(this.temp.resolve("one"));
		InMemoryWorkspaceProvider memory = new InMemoryWorkspaceProvider();
		return new RoutingWorkspaceProvider("local",
				List.of(new WorkspaceProviderRegistration("local", new LocalDirectoryWorkspaceProvider(this.temp),
						new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS)),
						new WorkspaceProviderRegistration("memory", memory, memory)),
				List.of());
	}

	@Override
	protected List<@Nullable String> hints() {
		return Arrays.asList("memory:one", null, "one");
	}

	@Override
	protected List<String> badHints() {
		return List.of("missing", "memory:a b", "local:missing", "nobody:one", "no.body:", "no+body:\0one");
	}

	@Override
	protected Map<String, WorkspaceErrorCode> refusals() {
		return Map.of("nobody:one", WorkspaceErrorCode.UNKNOWN_PROVIDER, "memory:..", WorkspaceErrorCode.INVALID_PATH,
				"missing", WorkspaceErrorCode.FILE_NOT_FOUND);
	}

	@Override
	protected boolean hintsLeadAnywhere() {
		return true; // by the provider of directories
	}

	@Override
	protected List<Path> places() {
		return List.of(this.temp);
	}

}
