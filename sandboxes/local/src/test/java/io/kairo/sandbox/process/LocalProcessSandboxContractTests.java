package io.kairo.sandbox.process;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.ExecutionSandboxContract;
import io.kairo.api.sandbox.tck.SharedSandbox;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Runs the contract of every sandbox with {@link LocalProcessSandbox}. If the environment
 * variable {@code KAIRO_REQUIRE} names {@code process-sandbox}, the capabilities that
 * depend on the machine are required too.
 */
@Tag("alone")
@EnabledOnOs({ OS.LINUX, OS.MAC })
class LocalProcessSandboxContractTests extends ExecutionSandboxContract {

	@RegisterExtension
	private static final SharedSandbox<LocalProcessSandbox> shared = new SharedSandbox<>(LocalProcessSandbox::new);

	@Override
	protected ExecutionSandbox createSandbox() {
		return shared.get();
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		Set<SandboxCapability> required = EnumSet.of(SandboxCapability.STDIN);
		boolean all = List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("process-sandbox");
		if (all || HostFeatures.canUnshareMounts()) {
			required.add(SandboxCapability.READ_ONLY);
		}
		if (all || HostFeatures.canCreateControlGroups()) {
			required.add(SandboxCapability.TREE_KILL);
		}
		return required;
	}

}
