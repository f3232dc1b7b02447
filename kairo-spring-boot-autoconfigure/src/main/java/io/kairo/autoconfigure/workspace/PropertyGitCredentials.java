package io.kairo.autoconfigure.workspace;

import java.util.List;
import java.util.Locale;

import io.kairo.api.tenant.TenantContext;
import io.kairo.workspace.git.GitCredential;
import io.kairo.workspace.git.GitCredentials;
import org.jspecify.annotations.Nullable;

/**
 * Finds credentials in the configuration.
 */
final class PropertyGitCredentials implements GitCredentials {

	private final List<GitProperties.Credential> credentials;

	PropertyGitCredentials(List<GitProperties.Credential> credentials) {
		this.credentials = credentials;
	}

	@Override
	public @Nullable GitCredential find(String remoteUrl, TenantContext tenant) {
		return this.credentials.stream()
			.filter((credential) -> begins(remoteUrl, normalized(credential.url())))
			.filter((credential) -> credential.tenant() == null || credential.tenant().equals(tenant.tenantId()))
			.findFirst()
			.map((credential) -> new GitCredential(credential.username(), credential.password()))
			.orElse(null);
	}

	private static String normalized(String beginning) {
		int path = beginning.indexOf('/', beginning.indexOf("://") + 3);
		return (path < 0) ? beginning.toLowerCase(Locale.ROOT)
				: beginning.substring(0, path).toLowerCase(Locale.ROOT) + beginning.substring(path);
	}

	/**
	 * Returns whether a URL begins with a prefix that ends at one of its slashes, so that
	 * a credential for {@code https://host} is not used for {@code https://host.example}.
	 */
	private static boolean begins(String address, String beginning) {
		return address.startsWith(beginning) && (beginning.endsWith("/") || address.length() == beginning.length()
				|| address.charAt(beginning.length()) == '/');
	}

}
