package io.kairo.sandbox.remote;

import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;
import io.kairo.api.sandbox.tck.SharedSandbox;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs the contract of every sandbox with {@link RemoteSandbox}.
 */
@EnabledOnOs(OS.LINUX)
class RemoteSandboxContractTests extends ExecutionSandboxContract {

	@RegisterExtension
	private static final SharedSandbox<RemotePair> shared = new SharedSandbox<>(RemotePair::new);

	@Override
	protected ExecutionSandbox createSandbox() {
		return shared.get();
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		return Set.of(SandboxCapability.STDIN);
	}

}
