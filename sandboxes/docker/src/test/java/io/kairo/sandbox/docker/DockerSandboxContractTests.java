package io.kairo.sandbox.docker;

import java.time.Duration;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;

/**
 * Runs the contract of every sandbox with {@link DockerSandbox}.
 */
@RequiresDocker
class DockerSandboxContractTests extends ExecutionSandboxContract {

	@Override
	protected ExecutionSandbox createSandbox() {
		// idle containers hold connections
		return TestContainers
			.sandbox(TestContainers.options().with((changes) -> changes.idleTimeout(Duration.ofSeconds(5))));
	}

	@Override
	protected Set<String> sharedDirectories() {
		return Set.of("/tmp", "/home/agent");
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		return Set.of(SandboxCapability.FILE_CONFINEMENT, SandboxCapability.MOUNTS, SandboxCapability.PROTECTED_PATHS,
				SandboxCapability.READ_ONLY, SandboxCapability.NETWORK_OFF, SandboxCapability.NETWORK_OFF_ON_REQUEST,
				SandboxCapability.TREE_KILL, SandboxCapability.SURVIVES_NO_JVM, SandboxCapability.ENV_ISOLATION,
				SandboxCapability.STDIN, SandboxCapability.SIGNAL_DISTINCT, SandboxCapability.CPU_TIME);
	}

}
