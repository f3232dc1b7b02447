package io.kairo.autoconfigure.tenancy;

/**
 * Nobody is known to work for, and there is no default tenant
 * ({@code kairo.tenancy.required}) or none for this caller.
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

	/**
	 * Creates an exception.
	 * @param message what is wrong with the caller, and what to do
	 */
	TenantRequiredException(String message) {
		super(message);
	}

}
