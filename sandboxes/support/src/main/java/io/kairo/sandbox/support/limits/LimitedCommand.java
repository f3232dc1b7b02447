package io.kairo.sandbox.support.limits;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.WatchedCommand;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.process.Cgroup;
import org.jspecify.annotations.Nullable;

/**
 * The resource limits of one command. For use by one thread at a time.
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
	 * Returns the command line of a process that applies the limits to itself and then
	 * executes another program.
	 * @param arguments the other program and its arguments
	 * @return the program and its arguments, unchanged if there are no limits
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
	 * Returns the group that also has to be the group of the process tree: in version 2
	 * of control groups a process that joined another group would leave this one and its
	 * limits.
	 * @return the group, or null if the process tree can have its own group
	 */
	public @Nullable Cgroup treeGroup() {
		return this.groups.keySet().stream().filter(Cgroup::isUnified).findFirst().orElse(null);
	}

	/**
	 * Returns a command that reports the limits it has hit in its error output and
	 * releases the limits at its end.
	 * @param command the command that was started with the limits
	 * @param log the log for the output of the command
	 * @return the reporting command; the same command if there are no limits
	 */
	public RunningCommand reportingHits(RunningCommand command, OutputLog log) {
		return this.prelude.isEmpty() ? command
				: new WatchedCommand(command, log, this::hits, this::close, this::cpuTime);
	}

	private Optional<Duration> cpuTime() {
		return this.groups.keySet().stream().flatMap((group) -> group.cpuTime().stream()).findFirst();
	}

	@Override
	public void close() {
		this.groups.keySet().forEach(Cgroup::close);
	}

	/**
	 * Returns the limits that the command has hit, one line each.
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
