package io.kairo.autoconfigure.tenancy;

import java.security.Principal;

import org.jspecify.annotations.Nullable;

/**
 * Knows who is authenticated on the current thread.
 */
@FunctionalInterface
interface PrincipalSource {

	/**
	 * Returns who is authenticated.
	 * @return the principal; null if nobody is, or somebody anonymous
	 */
	@Nullable Principal current();

}
