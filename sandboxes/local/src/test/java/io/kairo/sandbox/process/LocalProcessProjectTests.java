package io.kairo.sandbox.process;

import java.nio.file.Path;
import java.util.List;

import io.kairo.api.sandbox.ExecutionSandbox;

/**
 * Builds small projects by commands in a {@link LocalProcessSandbox}.
 */
class LocalProcessProjectTests extends LocalProjectContract {

	@Override
	protected ExecutionSandbox createSandbox(List<Path> readable) {
		return new LocalProcessSandbox();
	}

}
