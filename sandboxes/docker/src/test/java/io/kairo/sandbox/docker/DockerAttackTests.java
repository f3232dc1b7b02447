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

/**
 * Tests which attacks a {@link DockerSandbox} withstands.
 */
@RequiresDocker
class DockerAttackTests extends SandboxAttackKit {

	@Override
	protected ExecutionSandbox createSandbox() {
		return TestContainers.sandbox(TestContainers.options()
			.with((changes) -> changes
				.commands((commands) -> commands.limits(new CommandLimits(256L << 20, null, 100, 16L << 20))
					.tmpfsBytes(16L << 20))));
	}

	@Override
	protected List<String> programThatStays(String command, Path workspace) {
		AccessGrantingSandbox.grantAccess(workspace, TestContainers.NOBODY.uid());
		return List.of(ProcessHandle.current().info().command().orElseThrow(), "-cp",
				System.getProperty("java.class.path"), StayingProgram.class.getName(), workspace.toString(), command);
	}

	@Override
	protected AttackColumn column() {
		return new AttackColumn(Path.of("..", "..", "docs", "generated", "attacks.md"), "By commands", "docker/runc");
	}

	@Override
	protected Map<String, Declared> declared() {
		Declared filter = Declared
			.notHeld("the engine's filter of system calls lets it pass; it stays in the container");
		Declared sockets = Declared.notHeld("the engine's filter of system calls lets Unix domain sockets pass");
		Declared socketMemory = Declared
			.dependsOnMachine("control groups of version 1 require the permission to limit the memory of sockets");
		return Map.ofEntries(
				Map.entry("many-files", Declared.notHeld("the number of files in the workspace is not limited")),
				Map.entry("nested-repository",
						Declared.notHeld("paths are protected below the roots of a command, not at any depth")),
				Map.entry("rebase-todo",
						Declared.notHeld("Git has to write the commands of a rebase, which run in it")),
				Map.entry("inotify-instances", Declared.notHeld("commands of all tenants have one user")),
				Map.entry("memory", socketMemory), Map.entry("socket-memory", socketMemory),
				Map.entry("waiting-connections",
						Declared.notHeld("the kernel charges the buffers of a connection when it is accepted")),
				Map.entry("io-uring", Declared.dependsOnMachine("depends on the engine's filter of system calls")),
				Map.entry("ptrace", filter), Map.entry("terminal-input", filter), Map.entry("rare-sockets", filter),
				Map.entry("workspace-socket", sockets), Map.entry("datagram-pair", sockets));
	}

}
