package io.kairo.architecture.cycle.below;

import io.kairo.architecture.cycle.Above;

/**
 * Depends on the package above it.
 */
public class Below {

	private final Above above = new Above();

	@Override
	public String toString() {
		return this.above.toString();
	}

}
