package io.kairo.autoconfigure.tenancy;

import java.security.Principal;

import io.kairo.api.tenant.TenantContext;

/**
 * Says which tenant an authenticated principal belongs to. Without a bean of this type
 * the name of the principal is tenant and principal. Safe for use by several threads;
 * called for every tool call, so that it has to be quick.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface TenantResolver {

	/**
	 * Returns the tenant of a principal.
	 * @param principal who is authenticated, such as an
	 * {@code org.springframework.security.core.Authentication}
	 * @return the tenant, never the default one for want of a better
	 * @throws RuntimeException if the principal belongs to no tenant; the call is refused
	 */
	TenantContext resolve(Principal principal);

}
