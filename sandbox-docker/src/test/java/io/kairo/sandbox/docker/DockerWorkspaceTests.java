package io.kairo.sandbox.docker;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the paths of workspaces in containers.
 */
@RequiresDocker
class DockerWorkspaceTests {

	private final ExecutionSandbox sandbox = TestContainers.sandbox(TestContainers.options());

	@TempDir
	Path workspace;

	@AfterEach
	void closeSandbox() throws Exception {
		((AutoCloseable) this.sandbox).close();
	}

	private SandboxHandle start(String command, String target) throws Exception {
		return this.sandbox.start(new SandboxRequest.Builder(command, this.workspace.toRealPath())
			.attributes(SandboxAttributes.builder().workspaceTarget(target).build())
			.build());
	}

	@ParameterizedTest
	@ValueSource(strings = { "/tmp", "/home/agent", "/workspace" })
	void workspaceTakesThePlaceOfAPrivateDirectory(String target) throws Exception {
		try (SandboxHandle handle = start("pwd; echo > written", target)) {
			SandboxExit exit = Objects.requireNonNull(handle.exit().block(Duration.ofMinutes(1)));
			assertThat(exit.exitCode()).isZero();
			assertThat(new String(Objects.requireNonNull(handle.output().blockFirst()).data(), StandardCharsets.UTF_8))
				.isEqualTo(target + "\n");
		}
		assertThat(this.workspace.resolve("written")).exists();
	}

}
