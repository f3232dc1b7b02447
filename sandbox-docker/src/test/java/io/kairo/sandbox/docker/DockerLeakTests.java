package io.kairo.sandbox.docker;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.github.dockerjava.api.command.CreateContainerCmd;
import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.tck.AccessGrantingSandbox;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that {@link DockerSandbox} leaves no container behind.
 */
@RequiresDocker
class DockerLeakTests {

	private final DockerEngine engine = new DockerEngine(TestContainers.options());

	@TempDir
	Path workspace;

	private List<String> containers() {
		return new WorkspaceContainers(this.engine, this.workspace).ids();
	}

	private void awaitNone() {
		new WorkspaceContainers(this.engine, this.workspace).awaitNone();
	}

	@Test
	void containersEndWithTheSandbox() throws Exception {
		ExecutionSandbox sandbox = TestContainers.sandbox(TestContainers.options());
		List<SandboxHandle> running = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			running.add(sandbox.start(
					new SandboxRequest.Builder("(setsid sleep 60 &); sleep 60", this.workspace.toRealPath()).build()));
		}
		assertThat(containers()).hasSize(3);
		((AutoCloseable) sandbox).close();
		awaitNone();
		running.forEach((handle) -> assertThat(handle.exit().block(Duration.ofSeconds(10))).isNotNull());
	}

	@Test
	void idleContainerEndsAfterItsTime() throws Exception {
		ExecutionSandbox sandbox = TestContainers
			.sandbox(TestContainers.options().withIdleTimeout(Duration.ofSeconds(2)));
		try (AutoCloseable closing = (AutoCloseable) sandbox;
				SandboxHandle handle = sandbox
					.start(new SandboxRequest.Builder("true", this.workspace.toRealPath()).build())) {
			handle.exit().block();
			assertThat(containers()).hasSize(1);
			awaitNone();
		}
	}

	@Test
	void containersEndWithTheJvm() throws Exception {
		if (TestContainers.isRoot()) {
			AccessGrantingSandbox.grantAccess(this.workspace, TestContainers.NOBODY.uid());
		}
		Process jvm = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), "-cp",
				System.getProperty("java.class.path"), StayingProgram.class.getName(),
				this.workspace.toRealPath().toString(), "(setsid sleep 60 &); sleep 60")
			.redirectErrorStream(true)
			.start();
		try (BufferedReader output = jvm.inputReader()) {
			assertThat(output.readLine()).isEqualTo("started");
			assertThat(containers()).hasSize(1);
		}
		finally {
			jvm.destroyForcibly().waitFor();
		}
		awaitNone();
	}

	@Test
	void sweepRemovesWhatWasNeverStartedAndKeepsWhatIsNew() throws Exception {
		String label = "io.kairo.test." + UUID.randomUUID();
		String left = this.engine.create(TestContainers.IMAGE, (creation) -> labelled(creation, label));
		assertThat(this.engine.sweep(label, this.engine.now())).isZero();
		await().atMost(Duration.ofSeconds(10))
			.until(() -> this.engine.sweep(label, this.engine.now().plusSeconds(59)) == 1);
		assertThat(this.engine.containers(label, List.of())).isEmpty();
		this.engine.remove(left, true);
		String running = this.engine.create(TestContainers.IMAGE, (creation) -> labelled(creation, label));
		try {
			this.engine.start(running);
			await().during(Duration.ofMillis(2500))
				.atMost(Duration.ofSeconds(30))
				.until(() -> this.engine.sweep(label, this.engine.now().plusSeconds(59)) == 0);
		}
		finally {
			this.engine.remove(running, true);
		}
	}

	private static CreateContainerCmd labelled(CreateContainerCmd creation, String label) {
		return creation.withLabels(Map.of(label, "")).withCmd("sleep", "60");
	}

}
