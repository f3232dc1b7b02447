package io.kairo.sandbox.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxCapability;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one command. For use by one thread at a time.
 *
 * @since 0.1.0
 */
public final class LimitedCommand implements AutoCloseable {

	private final Map<Cgroup, List<LimitController>> groups;

	private final String prelude;

	private final Map<SandboxCapability, String> limits;

	LimitedCommand(Map<Cgroup, List<LimitController>> groups, String prelude, Map<SandboxCapability, String> limits) {
		this.groups = groups;
		this.prelude = prelude;
		this.limits = limits;
	}

	/**
	 * Returns the arguments of a process that takes on the limits and replaces itself by
	 * another one.
	 * @param arguments program and arguments of the other process
	 * @return program and arguments; as they were if there are no limits
	 */
	public List<String> arguments(List<String> arguments) {
		if (this.prelude.isEmpty()) {
			return arguments;
		}
		List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", this.prelude + "exec \"$@\"", "kairo"));
		all.addAll(arguments);
		return all;
	}

	/**
	 * Returns the group that holds the command already and has to be the one of its tree
	 * as well: in version 2 of control groups a process that joins another one leaves it,
	 * and its limits.
	 * @return null if the tree can have a group of its own
	 */
	public @Nullable Cgroup treeGroup() {
		return this.groups.keySet().stream().filter(Cgroup::isUnified).findFirst().orElse(null);
	}

	/**
	 * Returns a command that says in its error output which limits it has hit, and gives
	 * the limits back in the end.
	 * @param command the command that was started with them
	 * @param log its output
	 * @return the command with its limits
	 */
	public RunningCommand watch(RunningCommand command, OutputLog log) {
		return this.prelude.isEmpty() ? command : new WatchedCommand(command, log, this::hits, this::close);
	}

	@Override
	public void close() {
		this.groups.keySet().forEach(Cgroup::close);
	}

	/**
	 * Returns which limits the command has hit, a line each.
	 */
	private List<String> hits() {
		List<String> hits = new ArrayList<>();
		this.groups.forEach((group, controllers) -> controllers.stream()
			.filter((controller) -> controller.wasHit(group.directory()))
			.forEach((controller) -> hits
				.add("the command has hit its limit of " + this.limits.get(controller.capability()))));
		return hits;
	}

}
