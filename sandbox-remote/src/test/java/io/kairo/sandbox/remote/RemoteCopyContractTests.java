package io.kairo.sandbox.remote;

import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;
import io.kairo.api.sandbox.tck.SharedSandbox;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Runs the contract of every sandbox with a {@link RemoteSandbox} that copies
 * directories.
 */
@EnabledOnOs(OS.LINUX)
class RemoteCopyContractTests extends ExecutionSandboxContract {

	@RegisterExtension
	private static final SharedSandbox<RemotePair> shared = new SharedSandbox<>(
			() -> RemotePair.copying((port) -> port, (options) -> options, (options) -> options));

	@Override
	protected ExecutionSandbox createSandbox() {
		return shared.get();
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		return Set.of(SandboxCapability.STDIN);
	}

}
