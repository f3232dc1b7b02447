package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.tck.WorkspaceProviderContract;
import io.kairo.workspace.local.disk.TestWorkspaces;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contract tests for {@link LocalDirectoryWorkspaceProvider} with a separate directory
 * for each tenant.
 */
class TenantDirectoriesProviderContractTests extends WorkspaceProviderContract {

	@TempDir
	Path temp;

	@Override
	protected WorkspaceProvider createProvider() throws IOException {
		for (String tenant : List.of("default", "acme", "ro", "#ro", "acme#ro", "../acme")) {
			TestWorkspaces.directory(this.temp.resolve("agents").resolve(portable(tenant)).resolve("one"));
		}
		TestWorkspaces.file(own().resolve("file"), "x");
		TestWorkspaces.link(own().resolve("link"), "../" + portable("acme"));
		return new PortableTenants(new LocalDirectoryWorkspaceProvider(
				List.of(RootTemplate.parse(this.temp.resolve("agents") + "/" + RootTemplate.TENANT)),
				TenantContext.SINGLE.tenantId()));
	}

	private static String portable(String tenant) {
		return "t" + HexFormat.of().formatHex(tenant.getBytes(StandardCharsets.UTF_8));
	}

	private Path own() {
		return this.temp.resolve("agents").resolve(portable("default"));
	}

	@Override
	protected List<@Nullable String> hints() {
		return Arrays.asList(null, "one");
	}

	@Override
	protected List<String> badHints() {
		return List.of("missing", "file", "a\0b", "../acme", "link");
	}

	@Override
	protected Map<String, WorkspaceErrorCode> refusals() {
		return Map.of("missing", WorkspaceErrorCode.FILE_NOT_FOUND, "file", WorkspaceErrorCode.NOT_A_DIRECTORY, "link",
				WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED, "../acme", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED,
				"../nobody", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
	}

	@Override
	protected void createOutside(String name) throws IOException {
		TestWorkspaces.directory(this.temp.resolve("agents").resolve(name));
		TestWorkspaces.directory(this.temp.resolve(name));
	}

	@Override
	protected List<Path> places() {
		return List.of(this.temp);
	}

	/**
	 * Replaces the names of tenants by ones that a directory can have.
	 *
	 * @param delegate the provider with such tenants
	 */
	private record PortableTenants(WorkspaceProvider delegate) implements WorkspaceProvider {

		@Override
		public Workspace acquire(WorkspaceRequest request) {
			TenantContext tenant = request.tenant();
			return this.delegate.acquire(new WorkspaceRequest(request.hint(),
					new TenantContext(portable(tenant.tenantId()), tenant.principalId()), request.writable()));
		}

		@Override
		public void release(@Nullable String workspaceId) {
			this.delegate.release(workspaceId);
		}

	}

}
