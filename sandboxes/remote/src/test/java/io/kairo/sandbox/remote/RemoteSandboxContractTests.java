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
 * Runs the contract of every sandbox with {@link RemoteSandbox}, without parts that
 * {@link RemoteCopyContractTests} runs with the same messages, and without trees of
 * processes, which only the sandbox of the worker ends.
 */
@EnabledOnOs(OS.LINUX)
class RemoteSandboxContractTests extends ExecutionSandboxContract {

	@RegisterExtension
	private static final ContractParts parts = ContractParts.without("kairo.remote.contract", "Exits", "ReadOnly",
			"Surroundings", "Trees", "Usage");

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
