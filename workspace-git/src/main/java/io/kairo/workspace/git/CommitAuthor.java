package io.kairo.workspace.git;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who commits.
 */
final class CommitAuthor {

	private CommitAuthor() {
	}

	/**
	 * Returns the configured author, else the principal with an address that nobody has.
	 */
	static GitAuthor of(@Nullable GitAuthor configured, TenantContext tenant) {
		if (configured != null) {
			return configured;
		}
		String name = tenant.principalId().replaceAll("[<>\\p{Cntrl}]", "_");
		return new GitAuthor(name, part(tenant.principalId()) + "@" + part(tenant.tenantId()) + ".invalid");
	}

	private static String part(String id) {
		return id.replaceAll("[^A-Za-z0-9._-]", "_");
	}

}
