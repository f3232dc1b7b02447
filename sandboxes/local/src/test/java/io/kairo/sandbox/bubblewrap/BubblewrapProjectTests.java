package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.sandbox.process.LocalProjectContract;

/**
 * Builds small projects by commands in a {@link BubblewrapSandbox}.
 */
@RequiresBubblewrap
class BubblewrapProjectTests extends LocalProjectContract {

	@Override
	protected ExecutionSandbox createSandbox(List<Path> readable) {
		return JvmUser.granting(new BubblewrapSandbox(JvmUser.bubblewrapOptions()
			.with((options) -> options.commands((commands) -> commands.readOnlyPaths(readable)))));
	}

	@Override
	protected boolean canEnter(Path directory) throws IOException {
		return !JvmUser.isRoot() || JvmUser.NOBODY.barrier(directory) == null;
	}

}
