package io.kairo.sandbox.bubblewrap;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.process.LimitScenarios;
import io.kairo.sandbox.support.CommandLimits;

/**
 * Tests the limits of a {@link BubblewrapSandbox}.
 */
@RequiresBubblewrap
class BubblewrapLimitsTests extends LimitScenarios {

	@Override
	protected ExecutionSandbox createSandbox(CommandLimits limits) {
		return new BubblewrapSandbox(
				JvmUser.bubblewrapOptions().with((changes) -> changes.commands((commands) -> commands.limits(limits))));
	}

	@Override
	protected SandboxRequest prepare(SandboxRequest request) {
		return JvmUser.grantAccess(request);
	}

}
