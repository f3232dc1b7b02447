package io.kairo.sandbox.docker;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.cache.CacheMounts;
import io.kairo.sandbox.support.output.OutputLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the networks of the containers of commands that start at once, with an engine
 * that takes its time.
 */
@Timeout(60)
class FirstCommandsTests {

	@TempDir
	Path temp;

	private ScriptedEngine engine;

	private PrivateDirectory directory;

	private Containers containers;

	private ContainerLaunch launch;

	@BeforeEach
	void open() throws IOException {
		this.engine = new ScriptedEngine();
		DockerOptions options = DockerOptions.of("agents")
			.with((changes) -> changes.host(this.engine.address())
				.commands((commands) -> commands.runAs(new HostUser(65534, 65534))));
		this.directory = new PrivateDirectory(this.temp);
		this.containers = new Containers(options, () -> {
		});
		ContainerFactory factory = new ContainerFactory(new DockerEngine(options), options, "sandbox", false);
		this.launch = new ContainerLaunch(options, this.directory, this.containers, factory, null,
				new CacheMounts(null, "docker", null, Path.of(ContainerFactory.HOME), Duration.ofSeconds(1)));
	}

	@AfterEach
	void close() throws IOException {
		this.containers.close();
		this.directory.close();
		this.engine.close();
	}

	private RunningCommand start(String session) {
		SandboxRequest request = new SandboxRequest.Builder("true", this.temp)
			.attributes(SandboxAttributes.builder().sessionId(session).build())
			.build();
		DockerImage image = new DockerImage("agents", Map.of(), "sh", false, MountProof.TABLE,
				new CommandLimits(null, null, null, null), Map.of());
		return this.launch.start(image, request, List.of(), List.of("true"), new OutputLog(1, 0, this.directory));
	}

	private List<CompletableFuture<RunningCommand>> startAtOnce(String... sessions) {
		List<CompletableFuture<RunningCommand>> starts = new ArrayList<>();
		for (String session : sessions) {
			starts.add(CompletableFuture.supplyAsync(() -> start(session), (task) -> new Thread(task).start())
				.orTimeout(20, TimeUnit.SECONDS));
		}
		return starts;
	}

	@Test
	void firstCommandsOfASessionShareANetworkThoughTheyStartAtOnce() {
		startAtOnce("one", "one", "one").forEach(CompletableFuture::join);
		assertThat(this.engine.networks()).containsExactly("none", "container:c1", "container:c1");
	}

	@Test
	void firstCommandsOfOtherSessionsDoNotWaitForEachOther() {
		this.engine.expect(2);
		startAtOnce("one", "two").forEach(CompletableFuture::join);
		assertThat(this.engine.missing()).as("containers that were not created at once").isZero();
		assertThat(this.engine.networks()).containsExactly("none", "none");
	}

	@Test
	void nextCommandHasANetworkIfTheFirstOneCouldNotBeStarted() {
		this.engine.refused = 1;
		assertThat(startAtOnce("one", "one", "one"))
			.map((start) -> start.handle((running, ex) -> (ex != null) ? ex.getCause() : null).join())
			.filteredOn(Objects::nonNull)
			.singleElement()
			.isInstanceOf(SandboxException.class);
		assertThat(this.engine.networks()).containsExactly("none", "none", "container:c2");
	}

}
