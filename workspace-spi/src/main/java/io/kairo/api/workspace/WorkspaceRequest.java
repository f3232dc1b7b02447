package io.kairo.api.workspace;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * Asks a {@link WorkspaceProvider} for a workspace. Immutable.
 *
 * @param hint names the workspace in the provider's own terms, such as a path; null or
 * blank asks for the provider's default
 * @param tenant who the workspace is for; null becomes {@link TenantContext#SINGLE}
 * @param writable whether files may be changed
 * @since 0.1.0
 */
public record WorkspaceRequest(@Nullable String hint, TenantContext tenant, boolean writable) {

	/**
	 * Creates a request.
	 * @param hint names the workspace in the provider's own terms, may be null
	 * @param tenant who the workspace is for; null becomes {@link TenantContext#SINGLE}
	 * @param writable whether files may be changed
	 */
	@SuppressWarnings("NullAway") // a null tenant is accepted and replaced
	public WorkspaceRequest(@Nullable String hint, @Nullable TenantContext tenant, boolean writable) {
		this.hint = hint;
		this.tenant = TenantContext.orSingle(tenant);
		this.writable = writable;
	}

	/**
	 * Asks for a workspace whose files may be changed, for the single tenant.
	 * @param hint names the workspace, may be null
	 * @return the request
	 */
	public static WorkspaceRequest writable(@Nullable String hint) {
		return new WorkspaceRequest(hint, TenantContext.SINGLE, true);
	}

	/**
	 * Asks for a workspace whose files may only be read, for the single tenant.
	 * @param hint names the workspace, may be null
	 * @return the request
	 */
	public static WorkspaceRequest readOnly(@Nullable String hint) {
		return new WorkspaceRequest(hint, TenantContext.SINGLE, false);
	}

}
