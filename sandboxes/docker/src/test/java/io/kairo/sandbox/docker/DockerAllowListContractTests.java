package io.kairo.sandbox.docker;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.ContractParts;
import io.kairo.sandbox.support.proxy.LoopbackProxy;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs the contract of every sandbox with an allow-list, in the long form of the tests
 * only, and without some {@linkplain ContractParts parts}.
 */
@EnabledIfSystemProperty(named = "kairo.docker", matches = "all", disabledReason = "requires -Dkairo.docker=all")
class DockerAllowListContractTests extends DockerSandboxContractTests {

	@RegisterExtension
	private static final ContractParts parts = ContractParts.withoutLauncher("kairo.docker.contract");

	@Override
	protected ExecutionSandbox createSandbox() {
		return TestContainers.sandbox(
				TestContainers.options().with((changes) -> changes.idleTimeout(Duration.ofSeconds(5))),
				LoopbackProxy.allowing(List.of("example.org")));
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		Set<SandboxCapability> required = new HashSet<>(super.requiredCapabilities());
		required.remove(SandboxCapability.NETWORK_OFF);
		required.add(SandboxCapability.NETWORK_ALLOW_LIST);
		return required;
	}

}
