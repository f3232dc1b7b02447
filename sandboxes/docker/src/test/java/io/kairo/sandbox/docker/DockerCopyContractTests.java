package io.kairo.sandbox.docker;

import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.tck.ContractParts;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs the contract of every sandbox with copies of the workspaces, in the long form of
 * the tests only, and without some {@linkplain ContractParts parts}.
 */
@EnabledIfSystemProperty(named = "kairo.docker", matches = "all", disabledReason = "requires -Dkairo.docker=all")
class DockerCopyContractTests extends DockerSandboxContractTests {

	@RegisterExtension
	private static final ContractParts parts = ContractParts.withoutLauncher("kairo.docker.contract", "Exits");

	@Override
	protected ExecutionSandbox createSandbox() {
		return TestContainers.sandbox(TestContainers.options()
			.with((changes) -> changes.workspaces(DockerOptions.Workspaces.COPY)
				.maxCopyBytes(DockerOptions.DEFAULT_MAX_COPY_BYTES)));
	}

	@Override
	protected Set<String> sharedDirectories() {
		return Set.of();
	}

}
