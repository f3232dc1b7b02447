package io.kairo.sandbox.docker;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import com.github.dockerjava.api.model.VolumeOptions;
import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.tck.AccessGrantingSandbox;
import io.kairo.sandbox.support.CommandLimits;
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
			.sandbox(TestContainers.options().with((changes) -> changes.idleTimeout(Duration.ofSeconds(2))));
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
		assertThat(new ContainerSweep(this.engine).remove(label, this.engine.now())).isZero();
		await().atMost(Duration.ofSeconds(10))
			.until(() -> new ContainerSweep(this.engine).remove(label, this.engine.now().plusSeconds(59)) == 1);
		assertThat(this.engine.containers(label, List.of())).isEmpty();
		this.engine.remove(left, true);
		String running = this.engine.create(TestContainers.IMAGE, (creation) -> labelled(creation, label));
		try {
			this.engine.start(running);
			await().during(Duration.ofMillis(2500))
				.atMost(Duration.ofSeconds(30))
				.until(() -> new ContainerSweep(this.engine).remove(label, this.engine.now().plusSeconds(59)) == 0);
		}
		finally {
			this.engine.remove(running, true);
		}
	}

	@Test
	void sweepContinuesAfterOneThatCannotBeRemoved() {
		String label = "io.kairo.test." + UUID.randomUUID();
		this.engine.create(TestContainers.IMAGE, (creation) -> labelled(creation, label));
		String malformed = this.engine.create(TestContainers.IMAGE, (creation) -> creation.withCmd("true")
			.withLabels(Map.of(label, "", ContainerFactory.START_WITHIN, "soon")));
		try {
			await().atMost(Duration.ofSeconds(10))
				.until(() -> new ContainerSweep(this.engine).remove(label, this.engine.now().plusSeconds(59)) == 1);
			assertThat(this.engine.containers(label, List.of())).singleElement()
				.satisfies((container) -> assertThat(container.getId()).isEqualTo(malformed));
		}
		finally {
			this.engine.remove(malformed, true);
		}
	}

	@Test
	void sweepIsRunWithTheSelfTest() {
		String label = "io.kairo.test." + UUID.randomUUID();
		this.engine.create(TestContainers.IMAGE, (creation) -> creation.withCmd("true")
			.withLabels(Map.of(label, "", ContainerFactory.LABEL, "gone", ContainerFactory.START_WITHIN, "0")));
		try (DockerSandbox sandbox = new DockerSandbox(TestContainers.options())) {
			assertThat(sandbox.problem()).isNull();
			await().atMost(Duration.ofSeconds(20))
				.untilAsserted(() -> assertThat(this.engine.containers(label, List.of())).isEmpty());
		}
	}

	@Test
	void sweepRemovesOldVolumesThatNoContainerHas() {
		String label = "io.kairo.test." + UUID.randomUUID();
		Mount mount = new Mount().withType(MountType.VOLUME)
			.withSource("kairo-test-" + UUID.randomUUID())
			.withTarget("/shared")
			.withVolumeOptions(new VolumeOptions().withLabels(Map.of(label, "")));
		String container = this.engine.create(TestContainers.IMAGE, (creation) -> creation.withCmd("true")
			.withHostConfig(HostConfig.newHostConfig().withMounts(List.of(mount))));
		ContainerSweep sweep = new ContainerSweep(this.engine);
		Instant later = this.engine.now().plus(ContainerFactory.START).plusSeconds(2);
		sweep.removeVolumes(label, later);
		this.engine.remove(container, true);
		sweep.removeVolumes(label, this.engine.now());
		assertThat(this.engine.unusedVolumes(label)).singleElement()
			.satisfies((volume) -> assertThat(volume.getName()).isEqualTo(mount.getSource()));
		sweep.removeVolumes(label, later);
		assertThat(this.engine.unusedVolumes(label)).isEmpty();
	}

	@Test
	void sweepIsTriedAsLongAsThereAreContainers() {
		AtomicInteger tries = new AtomicInteger();
		ContainerSpec spec = new ContainerSpec("", null, TestContainers.NOBODY, List.of(), List.of(), false,
				CommandLimits.NONE);
		try (Containers containers = new Containers(
				TestContainers.options().with((changes) -> changes.lease(Duration.ofSeconds(3))),
				tries::incrementAndGet)) {
			containers.add(new Container(UUID.randomUUID().toString(), spec, this.engine, MountProof.TABLE,
					Duration.ofSeconds(3)));
			await().atMost(Duration.ofSeconds(20)).until(() -> tries.get() >= 2);
		}
	}

	private static CreateContainerCmd labelled(CreateContainerCmd creation, String label) {
		return creation.withLabels(Map.of(label, "")).withCmd("sleep", "60");
	}

}
