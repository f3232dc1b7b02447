package io.kairo.sandbox.remote;

import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.sandbox.remote.server.CopyOptions;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Runs the contract of every sandbox with a {@link RemoteSandbox} that copies directories
 * to a worker with bubblewrap.
 */
@RequiresBubblewrap
@EnabledIfSystemProperty(named = "kairo.stress", matches = "long", disabledReason = "requires -Dkairo.stress=long")
class BubblewrapCopyContractTests extends ExecutionSandboxContract {

	@Override
	protected ExecutionSandbox createSandbox() {
		return RemotePair.copying(new BubblewrapSandbox(JvmUser.bubblewrapOptions()), (port) -> port,
				(options) -> options.withCopies(new CopyOptions(null, 1 << 30, JvmUser.ofCommands())),
				(options) -> options);
	}

	@Override
	protected Set<String> sharedDirectories() {
		return Set.of("/tmp", "/dev/shm", "/home/sandbox");
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		return Set.of(SandboxCapability.FILE_CONFINEMENT, SandboxCapability.MOUNTS, SandboxCapability.PROTECTED_PATHS,
				SandboxCapability.READ_ONLY, SandboxCapability.NETWORK_OFF, SandboxCapability.NETWORK_OFF_ON_REQUEST,
				SandboxCapability.TREE_KILL, SandboxCapability.ENV_ISOLATION, SandboxCapability.STDIN);
	}

}
