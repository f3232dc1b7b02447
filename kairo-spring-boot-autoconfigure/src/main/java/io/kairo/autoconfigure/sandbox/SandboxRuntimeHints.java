package io.kairo.autoconfigure.sandbox;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Runtime hints for the programs that the sandboxes read from the class path.
 */
final class SandboxRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/kairo/sandbox/bubblewrap/relay.*");
		hints.resources().registerPattern("io/kairo/sandbox/landlock/enter.*");
		hints.resources().registerPattern("io/kairo/sandbox/docker/launcher.*");
	}

}
