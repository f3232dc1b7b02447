package io.kairo.boot;

/**
 * Thrown when no tenant could be determined for the caller, and the caller cannot use a
 * default tenant ({@code kairo.tenancy.required}).
 */
public class TenantRequiredException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 */
	public TenantRequiredException() {
		super("No tenant is bound and no principal is authenticated: authenticate the caller, bind a tenant with "
				+ "TenantContextHolder, or set kairo.tenancy.required=false");
	}

	/**
	 * Creates an exception.
	 * @param message the problem and its remedy
	 */
	public TenantRequiredException(String message) {
		super(message);
	}

}
