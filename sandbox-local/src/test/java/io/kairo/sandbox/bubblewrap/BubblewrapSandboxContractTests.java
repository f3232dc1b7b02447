package io.kairo.sandbox.bubblewrap;

import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;

/**
 * Tests for {@link BubblewrapSandbox}: the contract of every sandbox.
 */
@RequiresBubblewrap
class BubblewrapSandboxContractTests extends ExecutionSandboxContract {

	@Override
	protected ExecutionSandbox createSandbox() {
		return new HandedOver(new BubblewrapSandbox(Machine.options()));
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		return Set.of(SandboxCapability.FILE_CONFINEMENT, SandboxCapability.MOUNTS, SandboxCapability.PROTECTED_PATHS,
				SandboxCapability.READ_ONLY, SandboxCapability.NETWORK_OFF, SandboxCapability.TREE_KILL,
				SandboxCapability.SURVIVES_NO_JVM, SandboxCapability.ENV_ISOLATION, SandboxCapability.STDIN);
	}

}
