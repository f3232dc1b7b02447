package io.kairo.sandbox.landlock;

import java.util.EnumSet;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;
import io.kairo.api.sandbox.tck.SessionSandbox;
import io.kairo.api.sandbox.tck.SharedSandbox;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs the contract of every sandbox with the commands of a session in a
 * {@link LandlockSandbox}.
 */
@RequiresLandlock
class LandlockSandboxContractTests extends ExecutionSandboxContract {

	@RegisterExtension
	private static final SharedSandbox<LandlockSandbox> shared = new SharedSandbox<>(LandlockSandbox::new,
			SessionSandbox::new);

	@Override
	protected ExecutionSandbox createSandbox() {
		return shared.get();
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		Set<SandboxCapability> required = EnumSet.of(SandboxCapability.FILE_CONFINEMENT, SandboxCapability.READ_ONLY,
				SandboxCapability.NETWORK_OFF, SandboxCapability.NETWORK_OFF_ON_REQUEST,
				SandboxCapability.ENV_ISOLATION, SandboxCapability.STDIN);
		if (Runtime.version().feature() >= 22) {
			required.add(SandboxCapability.TREE_KILL);
			required.add(SandboxCapability.SURVIVES_NO_JVM);
		}
		return required;
	}

	@Override
	protected boolean showsTemporaryFiles() {
		return true;
	}

}
