package io.kairo.api.tenant;

/**
 * Holder of applications that have one tenant.
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
