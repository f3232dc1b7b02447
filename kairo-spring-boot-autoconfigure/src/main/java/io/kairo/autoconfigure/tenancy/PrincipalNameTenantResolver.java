package io.kairo.autoconfigure.tenancy;

import java.security.Principal;

import io.kairo.api.tenant.TenantContext;

/**
 * {@link TenantResolver} that uses the name of a principal as the tenant. The name of the
 * default tenant is rejected, so that a principal cannot become the default tenant by its
 * name.
 *
 * @param defaultTenant the rejected name
 */
record PrincipalNameTenantResolver(String defaultTenant) implements TenantResolver {

	@Override
	public TenantContext resolve(Principal principal) {
		String name = principal.getName();
		if (name.equals(this.defaultTenant)) {
			throw new TenantRequiredException("The principal '" + name + "' has the name of the default tenant: "
					+ "set kairo.tenancy.default to a name that no principal has, or map principals with a "
					+ "TenantResolver");
		}
		return new TenantContext(name, name);
	}

}
