package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs the contract of every sandbox with {@link MicroVmSandbox}, without some
 * {@linkplain ContractParts parts} unless the tests have their long form.
 */
@RequiresMicroVm
@ExtendWith(ContractParts.class)
class MicroVmSandboxContractTests extends ExecutionSandboxContract {

	/** All its machines are started ahead, so that the contract holds for such. */
	@RegisterExtension
	private static final SharedSandbox shared = new SharedSandbox(
			MicroVmFixture.options().withPool(MachinePool.DEFAULT.withStartedAhead(1)));

	@Override
	protected int countProcesses(String argument) {
		return super.countProcesses(argument) + shared.countProcesses(argument);
	}

	/**
	 * Starts the machine.
	 */
	@Override
	protected void prepare(ExecutionSandbox sandbox, Path workspace) {
		MicroVmFixture.run(sandbox, new SandboxRequest.Builder("true", workspace).build());
	}

	@Override
	protected ExecutionSandbox createSandbox() {
		return shared.sandbox();
	}

	@Override
	protected Path workspace(Path temporary) throws IOException {
		return shared.workspace();
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		return EnumSet
			.complementOf(EnumSet.of(SandboxCapability.NETWORK_ALLOW_LIST, SandboxCapability.FILE_SIZE_LIMIT));
	}

}
