package io.kairo.api.sandbox;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * Finds the secrets of tenants, such as in a vault. A secret is added to requests that
 * commands send through the proxy of a sandbox, and is never handed to a command.
 * <p>
 * Called for each request that needs the secret, so that secrets can be rotated; an
 * implementation that is slow should cache them. Called on a thread of its own, and never
 * by two threads at a time for the same name and tenant. Implementations must be safe for
 * use by several threads. If an implementation throws an exception, or does not return in
 * time, the request is refused. The message of an exception is neither logged nor shown.
 */
@FunctionalInterface
public interface SecretSource {

	/**
	 * Finds a secret.
	 * @param name the name of the secret
	 * @param tenant the tenant whose command sends the request
	 * @return the secret, or null if the tenant has no secret of this name
	 */
	@Nullable Secret find(String name, TenantContext tenant);

	/**
	 * Returns whether any tenant can have a secret of a name. Called at the start for
	 * each name that the configuration uses. The start fails if the name is unknown.
	 * @param name the name of the secret
	 * @return whether the name is known; by default, every name is
	 */
	default boolean defines(String name) {
		return true;
	}

}
