package io.kairo.sandbox.docker;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.tck.AccessGrantingSandbox;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.docker.DockerOptions.Pull;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests that an image is pulled if that is wanted, and never by a command.
 */
@RequiresDocker
@Timeout(180)
class DockerPullTests {

	@TempDir
	static Path saved;

	private static ImageRegistry registry;

	@TempDir
	Path temp;

	private Path workspace;

	@BeforeAll
	static void createRegistry() throws Exception {
		assumeThat(new DockerEngine(TestContainers.options()).address())
			.as("SKIPPED: the engine is not on this machine")
			.startsWith("unix://");
		registry = ImageRegistry.of(saved, TestContainers.IMAGE);
	}

	@AfterAll
	static void closeRegistry() {
		if (registry != null) {
			registry.close();
		}
	}

	@BeforeEach
	void createWorkspace() throws Exception {
		this.workspace = Files.createDirectory(this.temp.toRealPath().resolve("workspace"));
		if (TestContainers.isRoot()) {
			AccessGrantingSandbox.grantAccess(this.workspace, TestContainers.NOBODY.uid());
		}
		registry.requests().clear();
	}

	@AfterEach
	void removeImage() throws Exception {
		for (String suffix : List.of("", "@" + registry.digest())) {
			new ProcessBuilder("docker", "image", "rm", registry.image(suffix)).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start()
				.waitFor();
		}
	}

	private DockerSandbox sandbox(String suffix, Pull pull) {
		return sandboxOf(registry.image(suffix), pull);
	}

	private static DockerSandbox sandboxOf(String image, Pull pull) {
		DockerOptions options = DockerOptions.of(image).with((changes) -> changes.pull(pull));
		return new DockerSandbox(TestContainers.isRoot()
				? options.with((changes) -> changes.commands((commands) -> commands.runAs(TestContainers.NOBODY)))
				: options);
	}

	private SandboxHandle start(DockerSandbox sandbox) {
		return sandbox.start(new SandboxRequest.Builder("echo > proof", this.workspace).build());
	}

	private void assertIsMissingForCommands(DockerSandbox sandbox) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(sandbox)).satisfies((ex) -> {
			assertThat(ex.code()).isEqualTo(SandboxErrorCode.BACKEND_UNAVAILABLE);
			assertThat(ex).hasMessageContainingAll("image_missing", registry.image(""));
		});
		assertThat(sandbox.capabilities().enforced()).isEmpty();
	}

	private void assertRuns(DockerSandbox sandbox) {
		try (SandboxHandle handle = start(sandbox)) {
			assertThat(Objects.requireNonNull(handle.exit().block(Duration.ofSeconds(30))).exitCode()).isZero();
			assertThat(this.workspace.resolve("proof")).exists();
		}
	}

	@Test
	void missingImageIsPulledBySelfTestAndNeverByCommand() {
		try (DockerSandbox sandbox = sandbox("", Pull.IF_MISSING)) {
			assertIsMissingForCommands(sandbox);
			assertThat(registry.requests()).isEmpty();
			assertThat(sandbox.problem()).isNull();
			assertThat(registry.requests()).anyMatch((path) -> path.endsWith("/manifests/latest"));
			assertRuns(sandbox);
		}
		registry.requests().clear();
		try (DockerSandbox sandbox = sandbox(":latest", Pull.IF_MISSING)) {
			assertThat(sandbox.problem()).isNull();
		}
		assertThat(registry.requests()).as("requests for an image that exists").isEmpty();
	}

	@Test
	void imageIsPulledByDigest() {
		try (DockerSandbox sandbox = sandbox("@" + registry.digest(), Pull.IF_MISSING)) {
			assertThat(sandbox.problem()).isNull();
			assertRuns(sandbox);
		}
	}

	@Test
	void missingImageIsNotPulledByDefault() {
		try (DockerSandbox sandbox = sandbox("", Pull.NEVER)) {
			assertThat(sandbox.problem()).isNotNull()
				.extracting(BackendProblem::code)
				.isEqualTo(Reason.IMAGE_MISSING.code());
			assertIsMissingForCommands(sandbox);
		}
		assertThat(registry.requests()).isEmpty();
	}

	@Test
	void imageThatTheRegistryDoesNotHaveIsReportedInTheWordsOfTheEngine() {
		try (DockerSandbox sandbox = sandbox(":other", Pull.IF_MISSING)) {
			assertThat(sandbox.problem()).isNotNull().satisfies((problem) -> {
				assertThat(problem.code()).isEqualTo(Reason.IMAGE_NOT_PULLED.code());
				assertThat(problem.finding()).contains(registry.image(":other"), "manifest");
			});
		}
		assertThat(registry.requests()).anyMatch((path) -> path.endsWith("/manifests/other"));
	}

	@Test
	void registryThatIsNotReachableIsReportedInTheWordsOfTheEngine() {
		try (DockerSandbox sandbox = sandboxOf("127.0.0.1:1/kairo/pulled", Pull.IF_MISSING)) {
			assertThat(sandbox.problem()).isNotNull().satisfies((problem) -> {
				assertThat(problem.code()).isEqualTo(Reason.IMAGE_NOT_PULLED.code());
				assertThat(problem.finding()).contains("connection refused");
				assertThat(problem.toException().remedy()).contains("see the answer of the engine");
			});
		}
	}

}
