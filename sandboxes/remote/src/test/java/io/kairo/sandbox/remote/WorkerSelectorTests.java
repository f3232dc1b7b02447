package io.kairo.sandbox.remote;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.remote.WorkerState.Status;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WorkerSelector}.
 */
class WorkerSelectorTests {

	private static WorkerState worker(int number, int commands, int maxCommands) {
		return new WorkerState(URI.create("https://worker-" + number), Status.UP, commands, maxCommands, null);
	}

	private static SandboxRequest request(int workspace) {
		return new SandboxRequest.Builder("true", Path.of("/workspaces/" + workspace)).build();
	}

	@Test
	void leastLoadedComparesPartsOfTheMaximum() {
		List<WorkerState> workers = List.of(worker(1, 50, 100), worker(2, 60, 1000), worker(3, 10, 20));
		assertThat(WorkerSelector.leastLoaded().select(request(1), workers)).isEqualTo(workers.get(1));
	}

	@Test
	void leastLoadedTakesEachOfEqualWorkers() {
		List<WorkerState> workers = List.of(worker(1, 5, 100), worker(2, 5, 100));
		assertThat(IntStream.range(0, 100)
			.mapToObj((i) -> WorkerSelector.leastLoaded().select(request(1), workers))
			.distinct()).hasSize(2);
	}

	@Test
	void stickyDependsOnTheWorkspaceAlone() {
		List<WorkerState> workers = IntStream.range(0, 8).mapToObj((i) -> worker(i, i, 100)).toList();
		List<WorkerState> others = new ArrayList<>(IntStream.range(0, 8).mapToObj((i) -> worker(i, 9, 200)).toList());
		Collections.reverse(others);
		for (int i = 0; i < 100; i++) {
			assertThat(WorkerSelector.sticky().select(request(i), workers).address())
				.isEqualTo(WorkerSelector.sticky().select(request(i), others).address());
		}
	}

	@Test
	void stickyMovesOnlyTheWorkspacesOfAWorkerThatIsGone() {
		List<WorkerState> workers = IntStream.range(0, 8).mapToObj((i) -> worker(i, 0, 100)).toList();
		List<WorkerState> fewer = workers.subList(1, 8);
		int moved = 0;
		for (int i = 0; i < 400; i++) {
			WorkerState before = WorkerSelector.sticky().select(request(i), workers);
			WorkerState after = WorkerSelector.sticky().select(request(i), fewer);
			if (!before.equals(after)) {
				assertThat(before).isEqualTo(workers.get(0));
				moved++;
			}
		}
		assertThat(moved).isBetween(20, 100);
	}

}
