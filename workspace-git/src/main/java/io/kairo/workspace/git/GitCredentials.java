package io.kairo.workspace.git;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a remote is shown. Asked before each fetch and push, by several threads at
 * once, so that a token may change; must be quick. A credential is sent to the remote
 * that it was asked for and nowhere else, and only over HTTP.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface GitCredentials {

	/**
	 * No credentials for anybody.
	 */
	GitCredentials NONE = (remoteUrl, tenant) -> null;

	/**
	 * Finds a credential.
	 * @param remoteUrl the remote as the hint named it, normalised; without user or
	 * secret
	 * @param tenant on whose behalf it is
	 * @return the credential, null to go without one
	 */
	@Nullable GitCredential find(String remoteUrl, TenantContext tenant);

}
