package io.kairo.sandbox.docker;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

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

	@ParameterizedTest
	@ValueSource(strings = { "/usr/local/bin", "/usr/local/lib/site_perl", "/etc/perl", "/lib/x", "/bin/x" })
	void workspaceAmongTheProgramsOfTheImageIsRefused(String target) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start("true", target))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST))
			.withMessageContainingAll(target, "programs");
	}

}
