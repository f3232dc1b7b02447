package io.kairo.sandbox.process;

import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Tests for {@link LocalProcessSandbox}: the contract of every sandbox.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
class LocalProcessSandboxContractTests extends ExecutionSandboxContract {

	@Override
	protected ExecutionSandbox createSandbox() {
		return new LocalProcessSandbox();
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		return Set.of(SandboxCapability.STDIN);
	}

}
