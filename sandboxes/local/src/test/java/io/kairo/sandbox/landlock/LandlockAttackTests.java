package io.kairo.sandbox.landlock;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.api.attack.AttackColumn;
import io.kairo.api.attack.Declared;
import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.tck.SandboxAttackKit;
import io.kairo.api.sandbox.tck.SessionSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.process.JavaCommand;
import io.kairo.sandbox.support.CommandLimits;
import org.jspecify.annotations.Nullable;

/**
 * Tests which attacks a {@link LandlockSandbox} withstands.
 */
@RequiresLandlock
class LandlockAttackTests extends SandboxAttackKit {

	@Override
	protected ExecutionSandbox createSandbox() {
		return new SessionSandbox(new LandlockSandbox(CommandSettings.DEFAULTS
			.with((commands) -> commands.limits(new CommandLimits(null, null, null, 16L << 20)))));
	}

	@Override
	protected List<String> programThatStays(String command, Path workspace) {
		return JavaCommand.of(List.of(), StayingProgram.class, command, workspace.toString());
	}

	@Override
	protected @Nullable AttackColumn column() {
		Path page = Path.of("..", "..", "docs", "generated", "attacks.md");
		// another user may not be able to read it
		return Files.isReadable(page) ? new AttackColumn(page, "By commands", "landlock") : null;
	}

	@Override
	protected Map<String, Declared> declared() {
		Map<String, Declared> declared = new LinkedHashMap<>();
		notHeld(declared,
				"a rule of Landlock holds for everything below a directory, so paths of a writable workspace "
						+ "cannot be protected; a request for it is refused",
				"write-hook", "rename-above", "revoke-access", "git-config", "git-redirect", "nested-repository",
				"rebase-todo", "make-missing", "protected-hard-link", "protected-is-link");
		declared.put("swap-while-launching", Declared.absent("there are no protected paths"));
		declared.put("swap-from-above", Declared.absent("there are no protected paths"));
		notHeld(declared,
				"Landlock of the kernel does not restrict chmod(2), chown(2), utimensat(2) and setxattr(2) by path; "
						+ "commands of all tenants have one user",
				"change-attributes");
		declared.put("starve-launcher", Declared.notRun("process 1 is that of the host"));
		notHeld(declared, "requires control groups, which a command in a domain cannot join", "fork-bomb", "memory",
				"socket-memory", "waiting-connections");
		notHeld(declared, "temporary files are on the disk of the application and have no quota", "fill-tmpfs");
		notHeld(declared, "the number of files is not limited", "many-files");
		declared.put("inotify-instances", Declared.absent("commands have no inotify"));
		notHeld(declared, "commands of all tenants have one user and one `/usr`", "lock-program");
		for (String id : List.of("leave-orphan", "outlive-jvm")) {
			declared.put(id, Declared.dependsOnMachine("requires system calls of the JVM, and Linux 6.12"));
		}
		return declared;
	}

	private static void notHeld(Map<String, Declared> declared, String reason, String... ids) {
		List.of(ids).forEach((id) -> declared.put(id, Declared.notHeld(reason)));
	}

}
