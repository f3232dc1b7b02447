package io.kairo.autoconfigure.sandbox;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.remote.RemoteSandbox;
import io.kairo.sandbox.remote.WorkerState;

/**
 * The workers of the auto-configured remote sandbox, for health and meters. Safe for use
 * by several threads.
 */
public final class RemoteWorkers {

	private final Set<RemoteSandbox> sandboxes = new CopyOnWriteArraySet<>();

	RemoteWorkers() {
	}

	void add(RemoteSandbox sandbox) {
		this.sandboxes.add(sandbox);
	}

	/**
	 * Requires a capability for the commands of each sandbox with workers, unless a
	 * worker that answers lacks it. An application can thus start without workers.
	 * @param capability the capability
	 */
	public void requireOfUnknown(SandboxCapability capability) {
		this.sandboxes.forEach((sandbox) -> sandbox.requireOfUnknown(capability));
	}

	/**
	 * Returns the last known states of the workers. Asks none of them.
	 * @return the workers in the order of the configuration, the common ones before the
	 * workers of each sandbox of a tenant; empty if there is no remote sandbox
	 */
	public List<WorkerState> states() {
		List<WorkerState> states = new ArrayList<>();
		this.sandboxes.forEach((sandbox) -> states.addAll(sandbox.workers()));
		return states;
	}

	/**
	 * Describes the workers.
	 * @return status, number of commands and problem by address, in the order of
	 * {@link #states()}
	 */
	public Map<String, String> describe() {
		Map<String, String> described = new LinkedHashMap<>();
		for (WorkerState state : states()) {
			String status = state.status().name().toLowerCase(Locale.ROOT);
			described.put(state.address().toString(), (state.problem() != null) ? status + ": " + state.problem()
					: status + ", " + state.commands() + " of " + state.maxCommands() + " commands");
		}
		return described;
	}

}
