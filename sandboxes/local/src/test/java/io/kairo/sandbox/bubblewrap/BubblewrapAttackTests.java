package io.kairo.sandbox.bubblewrap;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.attack.AttackColumn;
import io.kairo.api.attack.Declared;
import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.tck.SandboxAttackKit;
import io.kairo.api.sandbox.tck.SessionSandbox;
import io.kairo.sandbox.process.JavaCommand;
import io.kairo.sandbox.support.CommandLimits;

/**
 * Tests which attacks a {@link BubblewrapSandbox} withstands.
 */
@RequiresBubblewrap
class BubblewrapAttackTests extends SandboxAttackKit {

	@Override
	protected ExecutionSandbox createSandbox() {
		boolean groups = JvmUser.isRoot();
		CommandLimits limits = new CommandLimits(groups ? 256L << 20 : null, null, groups ? 100 : null, 16L << 20);
		return new SessionSandbox(JvmUser.granting(new BubblewrapSandbox(JvmUser.bubblewrapOptions()
			.with((changes) -> changes.commands((commands) -> commands.limits(limits).tmpfsBytes(16L << 20))))));
	}

	@Override
	protected List<String> programThatStays(String command, Path workspace) {
		JvmUser.grantAccess(workspace);
		return JavaCommand.of(List.of(), ManyCommandsProgram.class, workspace.toString(), command, "1");
	}

	@Override
	protected AttackColumn column() {
		return new AttackColumn(Path.of("..", "..", "docs", "generated", "attacks.md"), "By commands", "bubblewrap");
	}

	@Override
	protected Map<String, Declared> declared() {
		Declared groups = Declared.dependsOnMachine("requires the permission to create control groups");
		Declared shared = Declared.notHeld("commands of all tenants have one user and one `/usr`");
		return Map.of("fork-bomb", groups, "memory", groups, "socket-memory", groups, "waiting-connections",
				Declared.notHeld("the kernel charges the buffers of a connection when it is accepted"), "many-files",
				Declared.notHeld("the number of files in the workspace is not limited"), "nested-repository",
				Declared.notHeld("paths are protected below the roots of a command, not at any depth"), "rebase-todo",
				Declared.notHeld("Git has to write the commands of a rebase, which run in it"), "watch-programs",
				shared, "inotify-instances", shared, "lock-program", shared);
	}

}
