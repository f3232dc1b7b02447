package io.kairo.sandbox.support;

import java.io.IOException;

import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.support.thread.Deadlines;

/**
 * A resource that the commands of one session share, such as their temporary files.
 */
public interface SessionResource extends AutoCloseable {

	/**
	 * Returns whether commands can use it. It is replaced otherwise.
	 * @return whether it is usable
	 */
	boolean isUsable();

	/**
	 * Releases it. Does not fail.
	 */
	@Override
	void close();

	/**
	 * Creates resources.
	 *
	 * @param <T> their type
	 */
	@FunctionalInterface
	interface Factory<T extends SessionResource> {

		/**
		 * Creates a resource.
		 * @param tenant the tenant of the session
		 * @param deadlines a timer to end what takes too long
		 * @return the resource
		 * @throws IOException if it cannot be created; nothing is left then
		 */
		T create(TenantContext tenant, Deadlines deadlines) throws IOException;

	}

}
