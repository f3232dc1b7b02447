package io.kairo.autoconfigure.tenancy;

import java.security.Principal;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import org.jspecify.annotations.Nullable;

/**
 * Answers with the tenant that is bound, else with that of whoever is authenticated, else
 * with the default one, if there is one.
 */
final class ResolvingTenantContextHolder implements TenantContextHolder {

	private final BoundTenants bound;

	private final PrincipalSource principals;

	private final TenantResolver resolver;

	private final @Nullable TenantContext fallback;

	/**
	 * Creates a holder.
	 * @param bound the tenants that are bound
	 * @param principals who is authenticated
	 * @param resolver which tenant a principal belongs to
	 * @param fallback the tenant of everybody else, null if nobody else is served
	 */
	ResolvingTenantContextHolder(BoundTenants bound, PrincipalSource principals, TenantResolver resolver,
			@Nullable TenantContext fallback) {
		this.bound = bound;
		this.principals = principals;
		this.resolver = resolver;
		this.fallback = fallback;
	}

	@Override
	public TenantContext current() {
		TenantContext explicit = this.bound.current();
		if (explicit != null) {
			return explicit;
		}
		Principal principal = this.principals.current();
		if (principal != null) {
			return this.resolver.resolve(principal);
		}
		if (this.fallback == null) {
			throw new TenantRequiredException();
		}
		return this.fallback;
	}

	@Override
	public Scope bind(TenantContext context) {
		return this.bound.bind(context);
	}

}
