package io.kairo.sandbox.bubblewrap;

import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;
import io.kairo.api.sandbox.tck.SessionSandbox;
import io.kairo.api.sandbox.tck.SharedSandbox;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs the contract of every sandbox with the commands of a session in a
 * {@link BubblewrapSandbox}.
 */
@RequiresBubblewrap
class BubblewrapSandboxContractTests extends ExecutionSandboxContract {

	@RegisterExtension
	private static final SharedSandbox<BubblewrapSandbox> shared = new SharedSandbox<>(
			() -> new BubblewrapSandbox(JvmUser.bubblewrapOptions()),
			(sandbox) -> new SessionSandbox(JvmUser.granting(sandbox)));

	@Override
	protected ExecutionSandbox createSandbox() {
		return shared.get();
	}

	@Override
	protected Set<String> sharedDirectories() {
		return Set.of("/tmp", "/dev/shm", "/home/sandbox");
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		return Set.of(SandboxCapability.FILE_CONFINEMENT, SandboxCapability.MOUNTS, SandboxCapability.PROTECTED_PATHS,
				SandboxCapability.READ_ONLY, SandboxCapability.NETWORK_OFF, SandboxCapability.NETWORK_OFF_ON_REQUEST,
				SandboxCapability.TREE_KILL, SandboxCapability.SURVIVES_NO_JVM, SandboxCapability.ENV_ISOLATION,
				SandboxCapability.STDIN);
	}

	@Override
	protected boolean showsTemporaryFiles() {
		return true;
	}

}
