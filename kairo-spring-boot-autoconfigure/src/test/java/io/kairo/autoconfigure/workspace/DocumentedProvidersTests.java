package io.kairo.autoconfigure.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.autoconfigure.DocumentedConfiguration;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the documented configuration of directories and of the memory provider.
 */
@ExtendWith(OutputCaptureExtension.class)
class DocumentedProvidersTests {

	@TempDir
	Path temp;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KairoWorkspaceAutoConfiguration.class,
				KairoSandboxAutoConfiguration.class, KairoToolsAutoConfiguration.class));

	@Test
	void documentedDirectoriesWork() throws IOException {
		Path agents = Files.createDirectories(this.temp.resolve("agents"));
		Path libraries = Files.createDirectories(this.temp.resolve("libraries"));
		this.contextRunner
			.withPropertyValues(DocumentedConfiguration.of("workspaces-local.md", "By property")
				.with("/srv/agents", agents)
				.with("/srv/libraries", libraries)
				.properties())
			.run((context) -> {
				Workspace workspace = context.getBean(WorkspaceProvider.class)
					.acquire(new WorkspaceRequest(null, new TenantContext("acme", "ann"), true));
				assertThat(workspace.roots()).containsExactly(agents.resolve("acme"), libraries.toRealPath());
			});
	}

	@Test
	void documentedMemoryProviderWorks(CapturedOutput output) {
		this.contextRunner
			.withPropertyValues(DocumentedConfiguration.of("workspaces-memory.md", "By property").properties())
			.withPropertyValues("kairo.sandbox.type=process")
			.run((context) -> {
				assertThat(context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable(null)).onDisk())
					.isFalse();
				ToolCatalog catalog = context.getBean(ToolCatalog.class);
				ToolResult result = context.getBean(AgentSessions.class)
					.call(SessionRequest.of(TenantContext.SINGLE, "one"), catalog,
							new ToolCall("1", "Bash", Map.of("command", "echo x")), UnaryOperator.identity());
				assertThat(result.error().code()).isEqualTo("unsupported_file_type");
				assertThat(result.text()).contains("not on a disk").contains("Use the file tools");
			});
		assertThat(output).contains("workspace in memory (policy logical, no commands)")
			.doesNotContain("workspace " + Path.of("").toAbsolutePath());
	}

}
