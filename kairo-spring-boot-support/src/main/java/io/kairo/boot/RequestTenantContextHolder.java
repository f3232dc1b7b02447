package io.kairo.boot;

import java.security.Principal;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import org.jspecify.annotations.Nullable;

/**
 * {@link TenantContextHolder} that knows the tenants of principals.
 */
public interface RequestTenantContextHolder extends TenantContextHolder {

	/**
	 * Returns the tenant of the caller of a request.
	 * @param requester the principal of the request, used unless a tenant is bound or the
	 * thread has a principal; null if there is none
	 * @return the tenant
	 * @throws TenantRequiredException if a tenant is required and there is none
	 */
	TenantContext current(@Nullable Principal requester);

}
