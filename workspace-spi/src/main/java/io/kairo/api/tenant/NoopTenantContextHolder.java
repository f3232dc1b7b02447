package io.kairo.api.tenant;

/**
 * The holder for applications with one tenant.
 */
final class NoopTenantContextHolder implements TenantContextHolder {

	private static final Scope SCOPE = () -> {
	};

	@Override
	public TenantContext current() {
		return TenantContext.SINGLE;
	}

	@Override
	public Scope bind(TenantContext context) {
		return SCOPE;
	}

}
