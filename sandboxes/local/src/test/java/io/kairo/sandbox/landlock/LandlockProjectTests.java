package io.kairo.sandbox.landlock;

import java.nio.file.Path;
import java.util.List;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.process.LocalProjectContract;

/**
 * Builds small projects by commands in a {@link LandlockSandbox}.
 */
@RequiresLandlock
class LandlockProjectTests extends LocalProjectContract {

	@Override
	protected ExecutionSandbox createSandbox(List<Path> readable) {
		return new LandlockSandbox(CommandSettings.DEFAULTS.with((commands) -> commands.readOnlyPaths(readable)));
	}

}
