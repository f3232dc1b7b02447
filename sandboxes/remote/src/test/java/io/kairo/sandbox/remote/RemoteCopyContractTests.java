package io.kairo.sandbox.remote;

import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.ContractParts;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;
import io.kairo.api.sandbox.tck.SharedSandbox;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs the contract of every sandbox with a {@link RemoteSandbox} that copies
 * directories, without parts that do not look at files, which
 * {@link RemoteSandboxContractTests} runs.
 */
@EnabledOnOs(OS.LINUX)
class RemoteCopyContractTests extends ExecutionSandboxContract {

	@RegisterExtension
	private static final ContractParts parts = ContractParts.without("kairo.remote.contract", "Endings", "Output",
			"SideBySide", "Subscribers", "Trees");

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
