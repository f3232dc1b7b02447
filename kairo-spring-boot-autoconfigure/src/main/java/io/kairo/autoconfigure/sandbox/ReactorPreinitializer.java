package io.kairo.autoconfigure.sandbox;

import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Loads the types of Reactor in the background. The contract of sandboxes brings them to
 * the class path, where Spring MVC initializes them at its start.
 */
final class ReactorPreinitializer implements BackgroundPreinitializer {

	@Override
	public void preinitialize() {
		ReactiveAdapterRegistry.getSharedInstance();
	}

}
