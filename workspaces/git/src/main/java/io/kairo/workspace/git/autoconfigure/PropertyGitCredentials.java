package io.kairo.workspace.git.autoconfigure;

import java.util.List;

import io.kairo.api.tenant.TenantContext;
import io.kairo.workspace.git.GitCredential;
import io.kairo.workspace.git.GitCredentials;
import io.kairo.workspace.git.RemotePrefix;
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
			.filter((credential) -> RemotePrefix.of(credential.url()).matches(remoteUrl))
			.filter((credential) -> credential.tenant() == null || credential.tenant().equals(tenant.tenantId()))
			.findFirst()
			.map((credential) -> new GitCredential(credential.username(), credential.password()))
			.orElse(null);
	}

}
