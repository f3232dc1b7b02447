package io.kairo.autoconfigure.tenancy;

import java.security.Principal;

import io.kairo.api.tenant.TenantContext;

/**
 * Takes the name of a principal for the tenant. Nobody becomes the default tenant by
 * being called like it.
 *
 * @param defaultTenant the name that nobody may have
 */
record NameIsTenant(String defaultTenant) implements TenantResolver {

	@Override
	public TenantContext resolve(Principal principal) {
		String name = principal.getName();
		if (name.equals(this.defaultTenant)) {
			throw new TenantRequiredException("The principal '" + name + "' is called like the default tenant: "
					+ "set kairo.tenancy.default to a name that no principal has, or map principals with a "
					+ "TenantResolver");
		}
		return new TenantContext(name, name);
	}

}
