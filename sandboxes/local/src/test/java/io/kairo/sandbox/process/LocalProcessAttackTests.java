package io.kairo.sandbox.process;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.api.attack.AttackColumn;
import io.kairo.api.attack.Declared;
import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.tck.SandboxAttackKit;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.support.CommandLimits;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Tests which attacks a {@link LocalProcessSandbox} withstands.
 */
@Tag("alone")
@EnabledOnOs(OS.LINUX)
class LocalProcessAttackTests extends SandboxAttackKit {

	@Override
	protected ExecutionSandbox createSandbox() {
		boolean groups = HostFeatures.canCreateControlGroups();
		CommandLimits limits = new CommandLimits(groups ? 256L << 20 : null, null, groups ? 100 : null, 16L << 20);
		return new LocalProcessSandbox(CommandSettings.DEFAULTS.with((commands) -> commands.limits(limits)));
	}

	@Override
	protected List<String> programThatStays(String command, Path workspace) {
		return JavaCommand.of(List.of(), SingleCommandProgram.class, command);
	}

	@Override
	protected AttackColumn column() {
		return new AttackColumn(Path.of("..", "..", "docs", "generated", "attacks.md"), "By commands", "process");
	}

	@Override
	protected Map<String, Declared> declared() {
		Map<String, Declared> declared = new LinkedHashMap<>();
		notHeld(declared, "paths of a writable workspace cannot be protected; a request for it is refused",
				"write-hook", "rename-above", "revoke-access", "git-config", "git-redirect", "nested-repository",
				"rebase-todo", "make-missing", "protected-hard-link", "protected-is-link");
		declared.put("swap-while-launching", Declared.absent("there are no protected paths"));
		declared.put("swap-from-above", Declared.absent("there are no protected paths"));
		dependsOnMachine(declared, "commands of an application that runs as root can leave files of root, and devices",
				"setuid-copy");
		notHeld(declared, "a command can access the files of the user of the JVM", "read-host-file",
				"read-host-file-by-proc", "hard-link", "write-host-file", "change-attributes", "shared-tmp",
				"remove-own-directory", "launcher-environment");
		dependsOnMachine(declared, "a command has the permissions of the user of the JVM", "read-host-file-as-root",
				"mount", "ptrace", "namespaces", "keyring", "io-uring", "bpf", "mount-calls", "file-handles",
				"terminal-input", "rare-sockets", "write-proc-sys", "write-cgroup", "devices");
		dependsOnMachine(declared, "requires the permission to create control groups", "leave-orphan", "fork-bomb",
				"memory", "socket-memory");
		notHeld(declared, "the kernel charges the buffers of a connection when it is accepted", "waiting-connections");
		notHeld(declared, "commands keep running until the next sandbox sweeps them, if control groups are available",
				"outlive-jvm");
		notHeld(declared, "a command sees the processes of the host, and can signal those of the user of the JVM",
				"kill-host-process", "throttle-host-process", "see-host-processes", "host-memory", "jvm-environment",
				"command-lines", "other-process");
		for (String id : List.of("kill-all", "kill-parent")) {
			declared.put(id, Declared.notRun("would kill the JVM of the tests and all other processes of its user"));
		}
		declared.put("starve-launcher", Declared.notRun("process 1 is that of the host"));
		declared.put("fill-tmpfs", Declared.notRun("the directories are those of the host"));
		declared.put("inotify-instances", Declared.notRun("would take the instances of the user of the JVM"));
		notHeld(declared, "the number of files is not limited", "many-files");
		notHeld(declared, "commands of all tenants have one user and one `/usr`", "watch-programs", "lock-program");
		notHeld(declared, "a command has the network of the host", "host-tcp", "disguised-address", "allow-list",
				"host-udp", "workspace-socket", "host-socket", "datagram-pair", "abstract-socket", "serve");
		dependsOnMachine(declared, "a command has the interfaces of the host", "interfaces");
		dependsOnMachine(declared, "a command can access the home of the user of the JVM", "home");
		notHeld(declared, "a command can access the files of the user of the JVM", "other-workspace", "other-tmp",
				"refusals");
		dependsOnMachine(declared, "a command may raise the limit, and the kernel decides where core files are written",
				"core-dump");
		return declared;
	}

	private static void notHeld(Map<String, Declared> declared, String reason, String... ids) {
		List.of(ids).forEach((id) -> declared.put(id, Declared.notHeld(reason)));
	}

	private static void dependsOnMachine(Map<String, Declared> declared, String reason, String... ids) {
		List.of(ids).forEach((id) -> declared.put(id, Declared.dependsOnMachine(reason)));
	}

}
