package io.kairo.sandbox.docker;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Objects;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.tck.AccessGrantingSandbox;
import io.kairo.sandbox.backend.BackendProblem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests images that ask for more than a command gets, and one that disappears.
 */
@RequiresDocker
@Timeout(120)
class DockerImageTests {

	@TempDir
	Path temp;

	private Path workspace;

	@BeforeEach
	void createWorkspace() throws Exception {
		this.workspace = Files.createDirectory(this.temp.toRealPath().resolve("workspace"));
		if (TestContainers.isRoot()) {
			AccessGrantingSandbox.grantAccess(this.workspace, TestContainers.NOBODY.uid());
		}
	}

	private String run(DockerSandbox sandbox, String command) {
		try (SandboxHandle handle = sandbox.start(new SandboxRequest.Builder(command, this.workspace).build())) {
			SandboxExit exit = Objects.requireNonNull(handle.exit().block(Duration.ofMinutes(1)));
			StringBuilder output = new StringBuilder();
			handle.output()
				.toIterable()
				.forEach((chunk) -> output.append(new String(chunk.data(), StandardCharsets.UTF_8)));
			return exit.exitCode() + " " + output.toString().strip();
		}
	}

	@Test
	void imageWithVolumesIsRefused() throws Exception {
		try (TestImage image = TestImage.of("kairo-image-test:volume", "VOLUME /data");
				DockerSandbox sandbox = image.sandbox()) {
			assertThat(sandbox.problem()).isNotNull().satisfies((problem) -> {
				assertThat(problem.code()).isEqualTo(Reason.IMAGE_UNSUITABLE.code());
				assertThat(problem.finding()).contains("/data");
			});
		}
	}

	@Test
	void launcherRunsNoProgramOfTheWorkspace() throws Exception {
		Path program = Files.writeString(this.workspace.resolve("perl"), "#!/bin/sh\nexit 1\n");
		Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
		String path = this.workspace + ":/usr/bin:/bin";
		try (TestImage image = TestImage.of("kairo-image-test:path", "ENV PATH=" + path + " PERL5OPT=-Mmissing");
				DockerSandbox sandbox = image.sandbox()) {
			assertThat(run(sandbox, "echo $PATH $PERL5OPT")).isEqualTo("0 " + path + " -Mmissing");
		}
	}

	@Test
	void healthCheckOfTheImageIsNotRun() throws Exception {
		try (TestImage image = TestImage.of("kairo-image-test:health",
				"HEALTHCHECK --interval=1s CMD echo x >> /tmp/checked"); DockerSandbox sandbox = image.sandbox()) {
			assertThat(run(sandbox, "sleep 3; test -e /tmp/checked")).isEqualTo("1 ");
		}
	}

	@Test
	void imageThatIsRemovedIsMissingFromThenOn() throws Exception {
		try (TestImage image = TestImage.of("kairo-image-test:removed", "ENV REMOVED=later");
				DockerSandbox sandbox = image.sandbox()) {
			assertThat(sandbox.problem()).isNull();
			image.close();
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> run(sandbox, "true"))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BACKEND_UNAVAILABLE))
				.withMessageContaining("image_missing");
			assertThat(sandbox.capabilities().enforced()).isEmpty();
		}
	}

}
