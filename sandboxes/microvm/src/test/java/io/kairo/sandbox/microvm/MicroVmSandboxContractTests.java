package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.tck.ContractParts;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;
import io.kairo.api.sandbox.tck.SessionSandbox;
import io.kairo.api.sandbox.tck.SharedSandbox;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs the contract of every sandbox with the commands of a session in a
 * {@link MicroVmSandbox}, without some {@linkplain ContractParts parts} unless the tests
 * have their long form.
 */
@RequiresMicroVm
class MicroVmSandboxContractTests extends ExecutionSandboxContract {

	@RegisterExtension
	private static final ContractParts parts = ContractParts.without("kairo.microvm", "Subscribers", "Refusals",
			"Background", "ReadOnly", "SideBySide", "Trees");

	@Order(1) // deleted last
	@RegisterExtension
	private static final SharedWorkspace workspace = new SharedWorkspace();

	/** All its machines are started ahead, so that the contract holds for such. */
	@Order(2)
	@RegisterExtension
	private static final SharedSandbox<MicroVmSandbox> shared = MicroVmFixture
		.shared(MicroVmFixture.options().with((changes) -> changes.pool(MachinePool.DEFAULT.withStartedAhead(1))));

	@Override
	protected int countProcesses(String argument) {
		return super.countProcesses(argument)
				+ shared.opened().stream().mapToInt((sandbox) -> sandbox.countProcesses(argument)).sum();
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
		return new SessionSandbox(shared.get());
	}

	@Override
	protected Path workspace(Path temporary) throws IOException {
		return workspace.get();
	}

	@Override
	protected Set<String> sharedDirectories() {
		return Set.of("/tmp", "/dev/shm", "/var/tmp", "/home/sandbox");
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		return EnumSet
			.complementOf(EnumSet.of(SandboxCapability.NETWORK_ALLOW_LIST, SandboxCapability.FILE_SIZE_LIMIT));
	}

}
