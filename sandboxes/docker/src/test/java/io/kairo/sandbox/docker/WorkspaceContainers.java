package io.kairo.sandbox.docker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import com.github.dockerjava.api.model.Container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The containers of one workspace in an engine.
 *
 * @param engine the engine
 * @param workspace the workspace, or a directory above it
 */
record WorkspaceContainers(DockerEngine engine, Path workspace) {

	private static final String LABEL = "io.kairo.workspace";

	/**
	 * Returns the IDs of all containers, whether they run or not.
	 */
	List<String> ids() {
		return all().stream().map(Container::getId).toList();
	}

	/**
	 * Waits until there is no container.
	 */
	void awaitNone() {
		await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(all()).isEmpty());
	}

	/**
	 * Waits until there is no container, and sweeps those that were never started.
	 */
	void awaitNoneButForSweep() {
		await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			new ContainerSweep(this.engine).remove(LABEL + "=" + this.workspace, this.engine.now().plusSeconds(3599));
			assertThat(all()).isEmpty();
		});
	}

	private List<Container> all() {
		return this.engine.containers(ContainerFactory.LABEL, List.of())
			.stream()
			.filter((container) -> container.getLabels().getOrDefault(LABEL, "").startsWith(this.workspace.toString()))
			.toList();
	}

}
