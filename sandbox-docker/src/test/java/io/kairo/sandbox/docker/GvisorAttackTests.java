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
 * Tests which attacks a {@link DockerSandbox} with gVisor withstands.
 */
@RequiresRunsc
class GvisorAttackTests extends SandboxAttackKit {

	private final GvisorContainers containers = new GvisorContainers();

	@Override
	protected ExecutionSandbox createSandbox() {
		return this.containers.sandbox(GvisorContainers.options()
			.withLimits(new CommandLimits(256L << 20, null, null, 16L << 20))
			.withTmpfsBytes(16L << 20));
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
		return new AttackColumn(Path.of("..", "docs", "attacks.md"), "By commands", "docker/runsc");
	}

	@Override
	protected Map<String, Declared> declared() {
		return Map.of();
	}

}
