package io.kairo.sandbox.remote.autoconfigure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.boot.SandboxWorkers;
import io.kairo.sandbox.remote.RemoteSandbox;
import io.kairo.sandbox.remote.WorkerState;

/**
 * The workers of the auto-configured remote sandbox, for health and meters. Safe for use
 * by several threads.
 */
final class RemoteWorkers implements SandboxWorkers {

	private final Set<RemoteSandbox> sandboxes = new CopyOnWriteArraySet<>();

	void add(RemoteSandbox sandbox) {
		this.sandboxes.add(sandbox);
	}

	@Override
	public void requireOfUnknown(SandboxCapability capability) {
		this.sandboxes.forEach((sandbox) -> sandbox.requireOfUnknown(capability));
	}

	/**
	 * Returns the last known states of the workers. Asks none of them.
	 * @return the workers in the order of the configuration, the common ones before the
	 * workers of each sandbox of a tenant; empty if there is no remote sandbox
	 */
	List<WorkerState> states() {
		List<WorkerState> states = new ArrayList<>();
		this.sandboxes.forEach((sandbox) -> states.addAll(sandbox.workers()));
		return states;
	}

	@Override
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
