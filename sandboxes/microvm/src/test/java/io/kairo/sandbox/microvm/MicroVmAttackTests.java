package io.kairo.sandbox.microvm;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackColumn;
import io.kairo.api.attack.Declared;
import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.tck.SandboxAttackKit;
import io.kairo.api.sandbox.tck.SandboxScene;
import io.kairo.sandbox.support.CommandLimits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests which attacks a {@link MicroVmSandbox} withstands: a selection, those that the
 * system property {@code kairo.microvm} names by their ids, or with {@code all} all of
 * them.
 */
@RequiresMicroVm
class MicroVmAttackTests extends SandboxAttackKit {

	/**
	 * The attacks that are always performed: those on the kernel, and some of each other
	 * group. All of them take a quarter of an hour where machines are emulated.
	 */
	private static final Set<String> USUAL = Set.of("ptrace", "namespaces", "keyring", "io-uring", "bpf", "mount-calls",
			"file-handles", "terminal-input", "rare-sockets", "write-proc-sys", "write-cgroup", "devices", "write-hook",
			"hard-link", "leave-processes", "host-tcp");

	private static final String CHOSEN = System.getProperty("kairo.microvm", "");

	private @Nullable Path staying;

	private final MicroVmFixture.Opened opened = new MicroVmFixture.Opened();

	@Override
	@ParameterizedTest
	@MethodSource("attacks")
	protected void endsAsDeclared(Attack<SandboxScene> attack) throws Exception {
		Assumptions.assumeTrue(isChosen(attack), "requires -Dkairo.microvm=all, or its id");
		super.endsAsDeclared(attack);
	}

	private static boolean isChosen(Attack<SandboxScene> attack) {
		if (CHOSEN.isEmpty()) {
			return USUAL.contains(attack.id());
		}
		return CHOSEN.equals("all") || List.of(CHOSEN.split(",")).contains(attack.id());
	}

	@Override
	protected int countProcesses(String argument) {
		Path staying = this.staying;
		return super.countProcesses(argument) + this.opened.countProcesses(argument)
				+ ((staying != null) ? StayingProgram.countProcesses(staying) : 0);
	}

	@Override
	protected ExecutionSandbox createSandbox() {
		return this.opened
			.granting(
					MicroVmFixture.sandbox(
							MicroVmFixture.options()
								.with((changes) -> changes.commands((commands) -> commands
									.limits(new CommandLimits(256L << 20, null, 100, 16L << 20))
									.tmpfsBytes(16L << 20)))));
	}

	@Override
	protected List<String> programThatStays(String command, Path workspace) {
		MicroVmFixture.grantAccess(workspace);
		this.staying = workspace;
		return StayingProgram.commandLine(workspace, command);
	}

	@Override
	protected AttackColumn column() {
		return new AttackColumn(Path.of("..", "..", "docs", "generated", "attacks.md"), "By commands", "microvm");
	}

	@Override
	protected Map<String, Declared> declared() {
		return Map.of("many-files", Declared.notRun(
				"the number of files in the workspace is not limited; where machines are emulated it takes too long"),
				"waiting-connections",
				Declared.notHeld("the memory of the machine bounds them, not the limit of the command"),
				"nested-repository",
				Declared.notHeld("paths are protected below the roots of a command, not at any depth"), "rebase-todo",
				Declared.notHeld("Git has to write the commands of a rebase, which run in it"));
	}

}
