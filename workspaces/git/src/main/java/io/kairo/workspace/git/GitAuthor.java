package io.kairo.workspace.git;

import java.util.Objects;

import io.kairo.api.tenant.TenantContext;

/**
 * The author of commits. Immutable.
 *
 * @param name the name, not blank
 * @param email the address, not blank
 */
public record GitAuthor(String name, String email) {

	/**
	 * Creates an author.
	 * @throws IllegalArgumentException if one of them is blank, or has an angle bracket
	 * or a control character
	 */
	public GitAuthor {
		requireUsable("name", name);
		requireUsable("email", email);
	}

	/**
	 * Returns the principal as an author, with an address that belongs to no host.
	 */
	static GitAuthor of(TenantContext tenant) {
		String name = tenant.principalId().replaceAll("[<>\\p{Cntrl}]", "_");
		return new GitAuthor(name, part(tenant.principalId()) + "@" + part(tenant.tenantId()) + ".invalid");
	}

	private static String part(String id) {
		return id.replaceAll("[^A-Za-z0-9._-]", "_");
	}

	private static void requireUsable(String part, String value) {
		Objects.requireNonNull(value, part);
		if (value.isBlank() || value.chars().anyMatch((c) -> c == '<' || c == '>' || Character.isISOControl(c))) {
			throw new IllegalArgumentException("The " + part
					+ " of an author is blank, or has <, > or a control character: leave such characters out");
		}
	}

}
