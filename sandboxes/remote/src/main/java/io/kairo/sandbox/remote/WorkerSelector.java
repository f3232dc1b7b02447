package io.kairo.sandbox.remote;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.Sha256;

/**
 * Selects the worker of a command. Called by the thread that starts the command; must be
 * safe for use by several threads, and should not wait.
 */
@FunctionalInterface
public interface WorkerSelector {

	/**
	 * Selects the worker of a command. If it turns out not to accept the command, this
	 * method is called again with the others. A command is never moved once a worker may
	 * have started it.
	 * @param request the command
	 * @param workers the workers that may accept it, at least one
	 * @return one of these
	 */
	WorkerState select(SandboxRequest request, List<WorkerState> workers);

	/**
	 * Returns whether the commands of a session go to the same worker as long as it
	 * accepts them, so that each finds the files that others have left there.
	 * @return false unless overridden
	 */
	default boolean keepsSessions() {
		return false;
	}

	/**
	 * Returns a selector for the worker with the smallest part of its commands in use, by
	 * chance if there are several.
	 * @return the selector
	 */
	static WorkerSelector leastLoaded() {
		return (request, workers) -> {
			List<WorkerState> shuffled = new ArrayList<>(workers);
			Collections.shuffle(shuffled, ThreadLocalRandom.current());
			return Collections.min(shuffled, Comparator.comparingDouble(WorkerState::load));
		};
	}

	/**
	 * Returns a selector that sends the commands of a workspace to the same worker as
	 * long as it accepts them, so that the caches of the worker remain useful. All
	 * clients with the same list of workers agree, and if a worker is added or removed,
	 * few workspaces change theirs.
	 * @return the selector
	 */
	static WorkerSelector sticky() {
		return new WorkerSelector() {

			@Override
			public WorkerState select(SandboxRequest request, List<WorkerState> workers) {
				return Collections.max(workers, Comparator.comparing((worker) -> {
					String key = worker.address() + "\n" + request.tenant().tenantId() + "\n" + request.workspaceRoot();
					return Sha256.hex(key.getBytes(StandardCharsets.UTF_8));
				}));
			}

			@Override
			public boolean keepsSessions() {
				return true;
			}

		};
	}

}
