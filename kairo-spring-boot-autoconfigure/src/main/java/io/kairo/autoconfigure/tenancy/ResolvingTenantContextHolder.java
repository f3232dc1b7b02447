package io.kairo.autoconfigure.tenancy;

import java.security.Principal;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.boot.RequestTenantContextHolder;
import io.kairo.boot.TenantRequiredException;
import org.jspecify.annotations.Nullable;

/**
 * {@link TenantContextHolder} that returns the bound tenant, or else the tenant of the
 * authenticated principal, or else the default tenant if there is one.
 */
final class ResolvingTenantContextHolder implements RequestTenantContextHolder {

	private final BoundTenants bound;

	private final PrincipalSource principals;

	private final TenantResolver resolver;

	private final @Nullable TenantContext fallback;

	private final Supplier<TenantRequiredException> refusal;

	/**
	 * Creates a holder.
	 * @param bound the bound tenants
	 * @param principals supplies the authenticated principal
	 * @param resolver resolves the tenant of a principal
	 * @param fallback the default tenant, null to reject callers without a tenant
	 * @param refusal creates the exception for such callers
	 */
	ResolvingTenantContextHolder(BoundTenants bound, PrincipalSource principals, TenantResolver resolver,
			@Nullable TenantContext fallback, Supplier<TenantRequiredException> refusal) {
		this.bound = bound;
		this.principals = principals;
		this.resolver = resolver;
		this.fallback = fallback;
		this.refusal = refusal;
	}

	@Override
	public TenantContext current() {
		return current(null);
	}

	@Override
	public TenantContext current(@Nullable Principal requester) {
		TenantContext explicit = this.bound.current();
		if (explicit != null) {
			return explicit;
		}
		Principal principal = this.principals.current();
		if (principal != null) {
			return this.resolver.resolve(principal);
		}
		if (requester != null && !this.principals.isAnonymous(requester)) {
			return this.resolver.resolve(requester);
		}
		if (this.fallback == null) {
			throw this.refusal.get();
		}
		return this.fallback;
	}

	@Override
	public Scope bind(TenantContext context) {
		return this.bound.bind(context);
	}

}
