package io.kairo.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.file.ReadTool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the defaults of a {@link ToolContext} without explicit bindings.
 */
@Timeout(60)
class UnboundContextTests {

	private static final Path CURRENT = Path.of("").toAbsolutePath();

	private final ToolContext context = ToolContext.builder(null).build();

	@Test
	void workspaceDefaultsToCurrentDirectoryOfJvm() {
		Workspace workspace = this.context.currentWorkspace();
		assertThat(workspace.root()).isEqualTo(CURRENT);
		assertThat(workspace.roots()).containsExactly(CURRENT);
		assertThat(this.context.files().root().toPath()).isEqualTo(CURRENT);
	}

	@Test
	void filesAreConfinedToWorkspace(@TempDir Path elsewhere) throws IOException {
		Path secret = Files.writeString(elsewhere.resolve("secret.txt"), "secret");
		assertThat(call(new ReadTool(), Map.of("file_path", "pom.xml")).text()).contains("kairo-agent-tools");
		assertThat(call(new ReadTool(), Map.of("file_path", secret.toString())).error().code())
			.isEqualTo("path_traversal_blocked");
	}

	@Test
	void commandsRunAsHostProcessesInCurrentDirectory() {
		ToolResult result = call(new BashTool(), Map.of("command", "pwd; echo done"));
		assertThat(result.text()).isEqualTo(CURRENT + "\ndone");
		assertThat(this.context.sandbox().capabilities().backend()).isEqualTo("process");
		assertThat(this.context.sandbox().capabilities().has(SandboxCapability.FILE_CONFINEMENT)).isFalse();
	}

	@Test
	void tenantIsSingleTenantAndSessionIsNotShared() {
		assertThat(this.context.tenant()).isEqualTo(TenantContext.SINGLE);
		assertThat(this.context.session()).isNotSameAs(ToolContext.builder(null).build().session());
	}

	@Test
	void contextIsNotCancelledAndIgnoresProgress() {
		assertThat(this.context.cancellation().isCancelled()).isFalse();
		this.context.progress().accept(new ToolProgress(1, "ignored"));
	}

	private ToolResult call(AgentTool tool, Map<String, Object> arguments) {
		return ToolCatalog.of(List.of(tool), List.of())
			.call(new ToolCall("", tool.definition().name(), arguments), this.context);
	}

}
