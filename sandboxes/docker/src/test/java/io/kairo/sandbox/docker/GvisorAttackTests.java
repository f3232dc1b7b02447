package io.kairo.sandbox.docker;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.attack.AttackColumn;
import io.kairo.api.attack.Declared;
import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.tck.AccessGrantingSandbox;
import io.kairo.api.sandbox.tck.SandboxAttackKit;
import io.kairo.sandbox.support.CommandLimits;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Tests which attacks a {@link DockerSandbox} with gVisor withstands, in the long form of
 * the tests only.
 */
@RequiresRunsc
@EnabledIfSystemProperty(named = "kairo.docker", matches = "all", disabledReason = "requires -Dkairo.docker=all")
class GvisorAttackTests extends SandboxAttackKit {

	private final GvisorContainers containers = new GvisorContainers();

	@Override
	protected ExecutionSandbox createSandbox() {
		return this.containers.sandbox(GvisorContainers.options()
			.with((changes) -> changes
				.commands((commands) -> commands.limits(new CommandLimits(256L << 20, null, null, 16L << 20))
					.tmpfsBytes(16L << 20))));
	}

	@Override
	protected List<String> programThatStays(String command, Path workspace) {
		this.containers.add(workspace);
		AccessGrantingSandbox.grantAccess(workspace, TestContainers.NOBODY.uid());
		return List.of(ProcessHandle.current().info().command().orElseThrow(), "-cp",
				System.getProperty("java.class.path"), StayingProgram.class.getName(), workspace.toString(), command,
				"gvisor");
	}

	@Override
	protected int countProcesses(String argument) {
		return super.countProcesses(argument) + this.containers.countProcesses(argument);
	}

	@Override
	protected AttackColumn column() {
		return new AttackColumn(Path.of("..", "..", "docs", "generated", "attacks.md"), "By commands", "docker/runsc");
	}

	@Override
	protected Map<String, Declared> declared() {
		Declared kernel = Declared
			.notHeld("the kernel of gVisor answers it, not that of the host; it stays in the container");
		Declared memory = Declared.dependsOnMachine(
				"not limited if gVisor is registered with `--ignore-cgroups`, or if root cannot limit it");
		return Map.ofEntries(
				Map.entry("many-files", Declared.notHeld("the number of files in the workspace is not limited")),
				Map.entry("nested-repository",
						Declared.notHeld("paths are protected below the roots of a command, not at any depth")),
				Map.entry("rebase-todo",
						Declared.notHeld("Git has to write the commands of a rebase, which run in it")),
				Map.entry("fork-bomb",
						Declared.notRun("control groups count the threads of gVisor, not the processes of a command")),
				Map.entry("inotify-instances", Declared.absent("each container has `inotify` instances of its own")),
				Map.entry("memory", memory), Map.entry("socket-memory", memory),
				Map.entry("waiting-connections", memory), Map.entry("ptrace", kernel), Map.entry("namespaces", kernel),
				Map.entry("io-uring", kernel), Map.entry("bpf", kernel), Map.entry("file-handles", kernel),
				Map.entry("terminal-input", kernel), Map.entry("rare-sockets", kernel),
				Map.entry("devices", Declared.notHeld("`/dev/fuse` is a device of gVisor, not of the host")));
	}

}
