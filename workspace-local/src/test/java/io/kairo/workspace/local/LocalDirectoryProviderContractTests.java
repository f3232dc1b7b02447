package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.tck.WorkspaceProviderContract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds {@link LocalDirectoryWorkspaceProvider} to the contract of providers.
 */
class LocalDirectoryProviderContractTests extends WorkspaceProviderContract {

	@TempDir
	Path temp;

	@Override
	protected WorkspaceProvider createProvider() throws IOException {
		TestWorkspaces.directory(this.temp.resolve("one"));
		TestWorkspaces.file(this.temp.resolve("file"), "x");
		return new LocalDirectoryWorkspaceProvider(this.temp);
	}

	@Override
	protected List<@Nullable String> hints() {
		return Arrays.asList(null, "one");
	}

	@Override
	protected List<String> badHints() {
		return List.of("missing", "file", "a\0b");
	}

}
