package io.kairo.autoconfigure.tenancy;

/**
 * Nobody is known to work for, and {@code kairo.tenancy.required} is set.
 *
 * @since 0.1.0
 */
public class TenantRequiredException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 */
	public TenantRequiredException() {
		super("No tenant is bound and nobody is authenticated: authenticate the caller, bind a tenant with "
				+ "TenantContextHolder, or set kairo.tenancy.required=false");
	}

}
