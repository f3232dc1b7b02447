package io.kairo.workspace.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import org.jspecify.annotations.Nullable;

/**
 * The leases on one id. Guarded by its {@link LeaseTable}.
 */
final class LeaseEntry {

	private static final int MAX_HINTS = 10;

	private final WorkspaceProviderRegistration registration;

	private final LeaseUse use;

	/** The hints by which the workspace was acquired. */
	private final List<@Nullable String> hints = new ArrayList<>();

	private WorkspaceLease lease;

	/** Number of holders without an idle timeout. */
	private int kept;

	/** Number of acquires from the provider since the last release. */
	private int acquired;

	LeaseEntry(WorkspaceLease lease, WorkspaceProviderRegistration registration, LeaseUse use) {
		this.lease = lease;
		this.registration = registration;
		this.use = use;
	}

	WorkspaceLease lease() {
		return this.lease;
	}

	WorkspaceProviderRegistration registration() {
		return this.registration;
	}

	LeaseUse use() {
		return this.use;
	}

	int acquired() {
		return this.acquired;
	}

	boolean isKept() {
		return this.kept > 0;
	}

	void add(WorkspaceRequest request, LeaseMode mode) {
		this.acquired++;
		this.kept += (mode == LeaseMode.UNTIL_RELEASED) ? 1 : 0;
		this.lease = this.lease.withHolders(this.lease.holders() + 1);
		if (this.hints.size() < MAX_HINTS && !this.hints.contains(request.hint())) {
			this.hints.add(request.hint());
		}
		this.use.touch();
	}

	/**
	 * Counts an acquire from the provider without a holder.
	 */
	void addUnheld() {
		this.acquired++;
	}

	/**
	 * Returns the reason for which a request cannot have this workspace though the ids
	 * are equal, null if it can.
	 */
	@Nullable WorkspaceException clash(WorkspaceProviderRegistration registration, WorkspaceRequest request) {
		if (!this.registration.equals(registration)) {
			return new WorkspaceException(WorkspaceErrorCode.READ_FAILED,
					"The providers '" + this.registration.scheme() + "' and '" + registration.scheme()
							+ "' made workspaces of one id, " + WorkspacePath.quote(this.lease.workspace().id())
							+ ": let ids start with the scheme",
					null);
		}
		if (!isOf(request.tenant().tenantId())) {
			return new WorkspaceException(WorkspaceErrorCode.READ_FAILED, "The provider '" + registration.scheme()
					+ "' made workspaces of one id for two tenants: let ids tell tenants apart", null);
		}
		return null;
	}

	/**
	 * Removes a holder of the given mode, if there is one.
	 */
	boolean remove(LeaseMode mode) {
		int ofKind = (mode == LeaseMode.UNTIL_RELEASED) ? this.kept : this.lease.holders() - this.kept;
		if (ofKind == 0) {
			return false;
		}
		this.kept -= (mode == LeaseMode.UNTIL_RELEASED) ? 1 : 0;
		this.lease = this.lease.withHolders(this.lease.holders() - 1);
		return true;
	}

	boolean isOf(String tenantId) {
		return this.lease.tenant().tenantId().equals(tenantId);
	}

	/**
	 * Returns whether the request may denote this workspace.
	 */
	boolean mayBe(WorkspaceProviderRegistration registration, WorkspaceRequest request) {
		return this.registration.equals(registration) && isOf(request.tenant().tenantId())
				&& this.hints.stream().anyMatch((hint) -> Objects.equals(hint, request.hint()));
	}

}
