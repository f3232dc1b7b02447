package io.kairo.sandbox.bubblewrap;

import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;

/**
 * Runs the contract of every sandbox with {@link BubblewrapSandbox}.
 */
@RequiresBubblewrap
class BubblewrapSandboxContractTests extends ExecutionSandboxContract {

	@Override
	protected ExecutionSandbox createSandbox() {
		return JvmUser.granting(new BubblewrapSandbox(JvmUser.bubblewrapOptions()));
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		return Set.of(SandboxCapability.FILE_CONFINEMENT, SandboxCapability.MOUNTS, SandboxCapability.PROTECTED_PATHS,
				SandboxCapability.READ_ONLY, SandboxCapability.NETWORK_OFF, SandboxCapability.TREE_KILL,
				SandboxCapability.SURVIVES_NO_JVM, SandboxCapability.ENV_ISOLATION, SandboxCapability.STDIN);
	}

}
