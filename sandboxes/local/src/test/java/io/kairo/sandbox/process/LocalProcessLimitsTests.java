package io.kairo.sandbox.process;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.support.CommandLimits;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Tests the limits of a {@link LocalProcessSandbox}.
 */
@EnabledOnOs(OS.LINUX)
class LocalProcessLimitsTests extends LimitScenarios {

	@Override
	protected ExecutionSandbox createSandbox(CommandLimits limits) {
		return new LocalProcessSandbox(CommandSettings.DEFAULTS.with((commands) -> commands.limits(limits)));
	}

}
