package io.kairo.sandbox.docker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.tck.AccessGrantingSandbox;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that nothing is left behind where the engine ends while commands run, and that
 * commands can be run once it is back.
 */
@RequiresDocker
class EngineRestartTests {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	@TempDir
	Path temp;

	private Path workspace;

	@ParameterizedTest
	@ValueSource(strings = { "TERM", "KILL" })
	@Timeout(180)
	void nothingIsLeftOfCommandsWhoseEngineEnds(String signal) throws Exception {
		assumeThat(TestContainers.isRoot()).as("SKIPPED: only root can start an engine").isTrue();
		this.workspace = this.temp.toRealPath();
		AccessGrantingSandbox.grantAccess(this.workspace, TestContainers.NOBODY.uid());
		try (OwnEngine engine = OwnEngine.start()) {
			engine.copyImage(TestContainers.IMAGE);
			List<String> networks = engine.lines("network", "ls", "-q");
			DockerOptions options = TestContainers.options()
				.with((changes) -> changes.host(engine.address()).lease(Duration.ofSeconds(3)));
			try (DockerSandbox sandbox = new DockerSandbox(options)) {
				assertThat(sandbox.problem()).isNull();
				List<SandboxHandle> running = IntStream.range(0, 4)
					.mapToObj((i) -> start(sandbox, "(setsid sleep 8000 &); yes & sleep 8000"))
					.toList();
				await().atMost(PATIENCE)
					.untilAsserted(() -> assertThat(engine.processes()).filteredOn("sleep"::equals).hasSize(8));
				engine.end(signal);
				assertThat(running).allSatisfy((handle) -> {
					assertThat(exit(handle).signal()).isEqualTo(SandboxExit.LOST);
					handle.close();
				});
				assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(sandbox, "true"));
				engine.restart();
				try (SandboxHandle handle = start(sandbox, "echo > proof")) {
					assertThat(exit(handle).exitCode()).isZero();
					assertThat(this.workspace.resolve("proof")).exists();
				}
			}
			await().atMost(PATIENCE).untilAsserted(() -> {
				// the engine may miss the end of a container that ends while it starts
				DockerEngine client = new DockerEngine(options);
				new ContainerSweep(client).remove(ContainerFactory.LABEL, client.now().plusSeconds(59));
				assertThat(engine.containers()).as(() -> "containers; " + engine.complaints()).isEmpty();
				assertThat(engine.processes()).as("processes").containsOnly("containerd", "dockerd");
				assertThat(engine.lines("volume", "ls", "-q")).as("volumes").isEmpty();
				assertThat(engine.lines("network", "ls", "-q")).as("networks").isEqualTo(networks);
			});
		}
	}

	private SandboxHandle start(DockerSandbox sandbox, String command) {
		return sandbox
			.start(new SandboxRequest.Builder(command, this.workspace).timeout(Duration.ofMinutes(5)).build());
	}

	private static SandboxExit exit(SandboxHandle handle) {
		return Objects.requireNonNull(handle.exit().block(PATIENCE));
	}

}
