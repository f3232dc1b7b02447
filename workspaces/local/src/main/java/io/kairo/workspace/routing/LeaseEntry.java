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
 * The state of a leased workspace. Guarded by its {@link LeaseTable}.
 */
final class LeaseEntry {

	private static final int MAX_HINTS = 10;

	private final WorkspaceProviderRegistration registration;

	private final LeaseUse use;

	/** The hints that it was requested by. */
	private final List<@Nullable String> hints = new ArrayList<>();

	private WorkspaceLease lease;

	/** Number of leases without an idle timeout. */
	private int kept;

	/** Number of times the provider was called since the last release there. */
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
	 * Counts a call of the provider that did not lead to a lease.
	 */
	void addWithoutHolder() {
		this.acquired++;
	}

	/**
	 * Returns the reason that the workspace of a request cannot be this one although it
	 * has the same id, or null if it can.
	 */
	@Nullable WorkspaceException clash(WorkspaceProviderRegistration registration, WorkspaceRequest request) {
		if (!this.registration.equals(registration)) {
			return new WorkspaceException(WorkspaceErrorCode.READ_FAILED,
					"The providers '" + this.registration.scheme() + "' and '" + registration.scheme()
							+ "' returned workspaces with the same id, "
							+ WorkspacePath.quote(this.lease.workspace().id()) + ": begin ids with the scheme",
					null);
		}
		if (!isOf(request.tenant().tenantId())) {
			return new WorkspaceException(WorkspaceErrorCode.READ_FAILED,
					"The provider '" + registration.scheme()
							+ "' returned workspaces with the same id for two tenants: include the tenant in ids",
					null);
		}
		return null;
	}

	/**
	 * Ends a lease of the given mode, if there is one.
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
	 * Returns whether a request can lead to this workspace again.
	 */
	boolean mayBe(WorkspaceProviderRegistration registration, WorkspaceRequest request) {
		return this.registration.equals(registration) && isOf(request.tenant().tenantId())
				&& this.hints.stream().anyMatch((hint) -> Objects.equals(hint, request.hint()));
	}

}
