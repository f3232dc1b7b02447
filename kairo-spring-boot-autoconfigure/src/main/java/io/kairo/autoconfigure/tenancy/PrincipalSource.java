package io.kairo.autoconfigure.tenancy;

import java.security.Principal;

import org.jspecify.annotations.Nullable;

/**
 * Supplies the principal that is authenticated on the current thread.
 */
@FunctionalInterface
interface PrincipalSource {

	/**
	 * Returns the authenticated principal.
	 * @return the principal; null if there is none, or if it is anonymous
	 */
	@Nullable Principal current();

}
