package io.kairo.sandbox.microvm;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.attack.AttackColumn;
import io.kairo.api.attack.Declared;
import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.tck.SandboxAttackKit;
import io.kairo.sandbox.support.CommandLimits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Tests which attacks a {@link MicroVmSandbox} withstands, in the long form of the tests
 * only: emulated machines take half an hour.
 */
@RequiresMicroVm
@EnabledIfSystemProperty(named = "kairo.microvm", matches = "all", disabledReason = "requires -Dkairo.microvm=all")
class MicroVmAttackTests extends SandboxAttackKit {

	private @Nullable Path staying;

	private final MicroVmFixture.Opened opened = new MicroVmFixture.Opened();

	@Override
	protected int countProcesses(String argument) {
		Path staying = this.staying;
		return super.countProcesses(argument) + this.opened.countProcesses(argument)
				+ ((staying != null) ? StayingProgram.countProcesses(staying) : 0);
	}

	@Override
	protected ExecutionSandbox createSandbox() {
		return this.opened.granting(MicroVmFixture.sandbox(MicroVmFixture.options()
			.withLimits(new CommandLimits(256L << 20, null, 100, 16L << 20))
			.withTmpfsBytes(16L << 20)));
	}

	@Override
	protected List<String> programThatStays(String command, Path workspace) {
		MicroVmFixture.grantAccess(workspace);
		this.staying = workspace;
		return StayingProgram.commandLine(workspace, command);
	}

	@Override
	protected AttackColumn column() {
		return new AttackColumn(Path.of("..", "docs", "attacks.md"), "By commands", "microvm");
	}

	@Override
	protected Map<String, Declared> declared() {
		return Map.of("many-files", Declared.notRun(
				"the number of files in the workspace is not limited; where machines are emulated it takes too long"),
				"nested-repository",
				Declared.notHeld("paths are protected below the roots of a command, not at any depth"), "rebase-todo",
				Declared.notHeld("Git has to write the commands of a rebase, which run in it"));
	}

}
