package io.kairo.workspace.routing;

import java.util.Objects;

/**
 * Thrown when two providers are registered for one scheme.
 */
public class DuplicateSchemeException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	/** The scheme. */
	private final String scheme;

	/**
	 * Creates an exception.
	 * @param scheme the scheme
	 * @param first a description of one of the providers
	 * @param second a description of the other provider
	 */
	public DuplicateSchemeException(String scheme, String first, String second) {
		super("Two workspace providers are registered for the hint scheme '" + scheme + ":': " + first + " and "
				+ second);
		this.scheme = Objects.requireNonNull(scheme, "scheme");
	}

	/**
	 * Returns the scheme.
	 * @return the scheme, without the colon
	 */
	public String scheme() {
		return this.scheme;
	}

}
