package io.kairo.sandbox.remote;

import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Runs the contract of every sandbox with a {@link RemoteSandbox} that copies
 * directories, and whose connections are cut at random.
 */
@EnabledOnOs(OS.LINUX)
@EnabledIfSystemProperty(named = "kairo.stress", matches = "long", disabledReason = "requires -Dkairo.stress=long")
class RemoteCopyCutContractTests extends ExecutionSandboxContract {

	private static final double CHANCE = 0.05;

	@Override
	protected ExecutionSandbox createSandbox() {
		return RemotePair.copying((port) -> CuttingRelay.to(port, CHANCE).port(), (options) -> options,
				(options) -> options);
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		return Set.of(SandboxCapability.STDIN);
	}

}
