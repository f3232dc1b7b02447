package io.kairo.autoconfigure.tenancy;

import java.security.Principal;

import io.kairo.api.tenant.TenantContext;

/**
 * Resolves the tenant of an authenticated principal. Without a bean of this type, the
 * name of the principal is the id of both tenant and principal. Safe for use by several
 * threads. Called for every tool call, so that it needs to be quick.
 */
@FunctionalInterface
public interface TenantResolver {

	/**
	 * Returns the tenant of a principal.
	 * @param principal the authenticated principal, such as an
	 * {@code org.springframework.security.core.Authentication}
	 * @return the tenant, never the default tenant as a fallback
	 * @throws RuntimeException if the principal belongs to no tenant; the call is
	 * rejected
	 */
	TenantContext resolve(Principal principal);

}
