package io.kairo.sandbox.docker;

import java.time.Duration;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.ContractParts;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs the contract of every sandbox with {@link DockerSandbox} and gVisor, in the long
 * form of the tests only, and without some {@linkplain ContractParts parts}, since a test
 * takes twice as long as with runc.
 */
@RequiresRunsc
@EnabledIfSystemProperty(named = "kairo.docker", matches = "all", disabledReason = "requires -Dkairo.docker=all")
class GvisorSandboxContractTests extends ExecutionSandboxContract {

	@RegisterExtension
	private static final ContractParts parts = ContractParts.withoutLauncher("kairo.docker.contract");

	private final GvisorContainers containers = new GvisorContainers();

	@Override
	protected ExecutionSandbox createSandbox() {
		return this.containers
			.sandbox(GvisorContainers.options().with((changes) -> changes.idleTimeout(Duration.ofSeconds(5))));
	}

	@Override
	protected int countProcesses(String argument) {
		return this.containers.countProcesses(argument);
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		return Set.of(SandboxCapability.FILE_CONFINEMENT, SandboxCapability.MOUNTS, SandboxCapability.PROTECTED_PATHS,
				SandboxCapability.READ_ONLY, SandboxCapability.NETWORK_OFF, SandboxCapability.NETWORK_OFF_ON_REQUEST,
				SandboxCapability.TREE_KILL, SandboxCapability.SURVIVES_NO_JVM, SandboxCapability.ENV_ISOLATION,
				SandboxCapability.STDIN, SandboxCapability.SIGNAL_DISTINCT, SandboxCapability.CPU_TIME);
	}

}
