package io.kairo.sandbox.bubblewrap;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.tck.SessionSandbox;
import io.kairo.sandbox.support.proxy.AllowList;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Runs the contract of every sandbox with an allow-list, in the long form of the tests
 * only.
 */
@EnabledIfSystemProperty(named = "kairo.stress", matches = "long", disabledReason = "requires -Dkairo.stress=long")
class BubblewrapAllowListContractTests extends BubblewrapSandboxContractTests {

	@Override
	protected ExecutionSandbox createSandbox() {
		return new SessionSandbox(JvmUser.granting(new BubblewrapSandbox(JvmUser.bubblewrapOptions()
			.with((changes) -> changes
				.commands((commands) -> commands.allowList(AllowList.of(List.of("example.org"))))))));
	}

	@Override
	protected Set<SandboxCapability> requiredCapabilities() {
		Set<SandboxCapability> required = new HashSet<>(super.requiredCapabilities());
		required.remove(SandboxCapability.NETWORK_OFF);
		required.add(SandboxCapability.NETWORK_ALLOW_LIST);
		return required;
	}

}
