package io.kairo.api.workspace;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * An immutable request to acquire a workspace from a {@link WorkspaceProvider}.
 *
 * @param hint the name of the workspace in the terms of the provider, such as a path;
 * null or blank for the default of the provider
 * @param tenant the tenant of the workspace; null becomes {@link TenantContext#SINGLE}
 * @param writable whether files may be changed
 */
public record WorkspaceRequest(@Nullable String hint, TenantContext tenant, boolean writable) {

	/**
	 * Creates a request.
	 * @param hint the name of the workspace in the terms of the provider, may be null
	 * @param tenant the tenant of the workspace; null becomes
	 * {@link TenantContext#SINGLE}
	 * @param writable whether files may be changed
	 */
	@SuppressWarnings("NullAway") // a null tenant is accepted and replaced
	public WorkspaceRequest(@Nullable String hint, @Nullable TenantContext tenant, boolean writable) {
		this.hint = hint;
		this.tenant = TenantContext.orSingle(tenant);
		this.writable = writable;
	}

	/**
	 * Creates a request for a writable workspace of the single tenant.
	 * @param hint the name of the workspace, may be null
	 * @return the request
	 */
	public static WorkspaceRequest writable(@Nullable String hint) {
		return new WorkspaceRequest(hint, TenantContext.SINGLE, true);
	}

	/**
	 * Creates a request for a read-only workspace of the single tenant.
	 * @param hint the name of the workspace, may be null
	 * @return the request
	 */
	public static WorkspaceRequest readOnly(@Nullable String hint) {
		return new WorkspaceRequest(hint, TenantContext.SINGLE, false);
	}

}
