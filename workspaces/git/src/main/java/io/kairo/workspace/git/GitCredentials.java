package io.kairo.workspace.git;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * Provides the credentials for remotes. Called before each fetch and push, so that tokens
 * can be rotated; implementations must return quickly and be safe for use by several
 * threads. A credential is sent only to the remote it was requested for, and only over
 * HTTP or HTTPS.
 */
@FunctionalInterface
public interface GitCredentials {

	/**
	 * No credentials for any remote.
	 */
	GitCredentials NONE = (remoteUrl, tenant) -> null;

	/**
	 * Finds a credential.
	 * @param remoteUrl the normalised address of the remote, without user and secret
	 * @param tenant the tenant that acquires or pushes
	 * @return the credential, or null for anonymous access
	 */
	@Nullable GitCredential find(String remoteUrl, TenantContext tenant);

}
