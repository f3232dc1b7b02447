package io.kairo.autoconfigure.policy;

import java.util.Set;

import io.kairo.api.tenant.TenantContext;
import io.kairo.boot.CallerTenants;

import org.springframework.boot.actuate.endpoint.SecurityContext;

/**
 * The users who may answer requests for approval: users with a role, never a caller
 * without authentication, since that may be a command of an agent.
 *
 * @param ofTenant the roles of users who answer for their own tenant
 * @param ofAll the roles of users who answer for all tenants
 * @param tenants the tenants of callers
 */
record Approvers(Set<String> ofTenant, Set<String> ofAll, CallerTenants tenants) {

	/**
	 * Returns whether a user may see and answer the requests of a tenant.
	 */
	boolean include(SecurityContext user, String tenant) {
		if (user.getPrincipal() == null) {
			return false;
		}
		return this.ofAll.stream().anyMatch(user::isUserInRole) || (this.ofTenant.stream().anyMatch(user::isUserInRole)
				&& this.tenants.find().map(TenantContext::tenantId).filter(tenant::equals).isPresent());
	}

}
