package io.kairo.tools.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.CurrentDirectory;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the names under which commands see the workspace, and for hiding host paths
 * as the path policy demands.
 */
class HostPathMaskTests {

	@TempDir
	Path temp;

	private Path root;

	private final List<SandboxRequest> requests = new ArrayList<>();

	private final LocalProcessSandbox host = new LocalProcessSandbox();

	@BeforeEach
	void makeRoot() throws IOException {
		this.root = Files.createDirectories(this.temp.toRealPath().resolve("host/ws"));
	}

	@AfterEach
	void closeHost() {
		this.host.close();
	}

	@ParameterizedTest
	@EnumSource(names = { "RELATIVE_ONLY", "LOGICAL" })
	void commandsSeeWorkspaceUnderNameUsedByFiles(PathPolicy policy) throws IOException {
		Files.createDirectories(this.root.resolve("src"));
		Files.createDirectories(this.root.resolve("out"));
		ToolContext context = context(policy, List.of("src"), List.of(), new Recording(SandboxCapability.MOUNTS));
		context.session()
			.changeDirectory(context.session().current(),
					new CurrentDirectory(context.files().resolve("src", context.files().root())));
		assertThat(call(context, "true").error()).isNull();
		SandboxRequest request = this.requests.get(0);
		assertThat(request.workspaceRoot()).isEqualTo(this.root);
		assertThat(request.attributes().workspaceTarget()).isEqualTo("/workspace");
		assertThat(request.attributes().workingDirectory()).isEqualTo(this.root.resolve("src"));
		assertThat(request.attributes().mounts())
			.containsExactly(new Mount(this.root.resolve("src"), "/workspace/src", true));
	}

	@ParameterizedTest
	@EnumSource(names = { "RELATIVE_ONLY", "LOGICAL" })
	void additionalRootsAreNotMountedWhenHostPathsAreHidden(PathPolicy policy, @TempDir Path added) {
		call(context(policy, List.of(), List.of(added), new Recording(SandboxCapability.MOUNTS)), "true");
		assertThat(this.requests.get(0).attributes().mounts()).isEmpty();
	}

	@ParameterizedTest
	@EnumSource(names = { "ROOTS", "HOST" })
	void hostPathsAreKeptWhenPolicyShowsThem(PathPolicy policy, @TempDir Path added) {
		call(context(policy, List.of(), List.of(added), new Recording(SandboxCapability.MOUNTS)), "true");
		assertThat(this.requests.get(0).attributes().workspaceTarget()).isNull();
		assertThat(this.requests.get(0).attributes().mounts()).hasSize(1);
	}

	@Test
	void sandboxWithoutMountsIsNotAskedToHideHostPaths() {
		call(context(PathPolicy.LOGICAL, List.of(), List.of(), new Recording()), "true");
		assertThat(this.requests.get(0).attributes().workspaceTarget()).isNull();
	}

	@ParameterizedTest
	@EnumSource(names = { "RELATIVE_ONLY", "LOGICAL" })
	void refusalHidesHostPathsOfWorkspace(PathPolicy policy) {
		ToolResult refused = call(context(policy, List.of(), List.of(), refusing()), "true");
		assertThat(refused.error().code()).isEqualTo("unsupported_request");
		assertThat(refused.text()).contains("The protected path /workspace/.git/hooks, below '/workspace'")
			.doesNotContain(this.root + "/", this.root + "'");
		assertThat(refused.text()).as("a path outside the workspace").contains(this.root + "2/x");
	}

	@Test
	void refusalShowsHostPathsWhenPolicyShowsThem() {
		ToolResult refused = call(context(PathPolicy.ROOTS, List.of(), List.of(), refusing()), "true");
		assertThat(refused.error().code()).isEqualTo("unsupported_request");
		assertThat(refused.text()).contains("The protected path " + this.root + "/.git/hooks");
	}

	private ExecutionSandbox refusing() {
		return (request) -> {
			throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST, "The protected path " + this.root
					+ "/.git/hooks, below '" + this.root + "' and not " + this.root + "2/x, is a link", "replace it");
		};
	}

	private ToolContext context(PathPolicy policy, List<String> allowed, List<Path> added, ExecutionSandbox sandbox) {
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.root, added)
			.acquire(WorkspaceRequest.writable(null));
		LocalFilesOptions defaults = LocalFilesOptions.DEFAULTS;
		LocalFilesOptions options = new LocalFilesOptions(policy, new WritePolicy(false, List.of(), allowed),
				defaults.stateDirectory(), defaults.nameMatching());
		return ToolContext.builder(workspace)
			.files(new LocalWorkspaceFilesFactory(options).open(workspace))
			.sandbox(sandbox)
			.build();
	}

	private static ToolResult call(ToolContext context, String command) {
		return ToolCatalog.of(List.of(new BashTool()), List.of())
			.call(new ToolCall("1", "Bash", Map.of("command", command)), context);
	}

	/**
	 * A sandbox that records requests and runs commands on the host.
	 */
	private final class Recording implements ExecutionSandbox {

		private final Set<SandboxCapability> claims;

		Recording(SandboxCapability... claims) {
			this.claims = Set.of(claims);
		}

		@Override
		public SandboxHandle start(SandboxRequest request) {
			HostPathMaskTests.this.requests.add(request);
			return HostPathMaskTests.this.host
				.start(new SandboxRequest.Builder(request.command(), request.workspaceRoot()).build());
		}

		@Override
		public SandboxCapabilities capabilities() {
			return SandboxCapabilities.of("recording", this.claims, Map.of());
		}

	}

}
