package io.kairo.sandbox.support.cache;

import io.kairo.api.tenant.TenantContext;

/**
 * Is told the sizes of caches. Safe for use by several threads.
 */
@FunctionalInterface
public interface CacheListener {

	/**
	 * Is called after the caches of a tenant were measured, and after they were removed.
	 * Must not block or throw.
	 * @param tenant the tenant
	 * @param bytes their size in bytes; of larger ones, the maximum
	 * @param maxBytes the maximum size in bytes
	 */
	void measured(TenantContext tenant, long bytes, long maxBytes);

}
