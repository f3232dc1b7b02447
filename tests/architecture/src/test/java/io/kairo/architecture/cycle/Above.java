package io.kairo.architecture.cycle;

import io.kairo.architecture.cycle.below.Below;

/**
 * Depends on the package below it, which depends on this one.
 */
public class Above {

	Below below() {
		return new Below();
	}

}
