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
 * What is known of an id. Guarded by its {@link LeaseTable}.
 */
final class LeaseEntry {

	private static final int MAX_HINTS = 10;

	private final WorkspaceProviderRegistration registration;

	private final LeaseUse use;

	/** By what it was asked for. */
	private final List<@Nullable String> hints = new ArrayList<>();

	private WorkspaceLease lease;

	/** How many hold it until they release it. */
	private int kept;

	/** How often the provider was asked for it since it was last given back. */
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

	void add(WorkspaceRequest request, LeaseMode hold) {
		this.acquired++;
		this.kept += (hold == LeaseMode.UNTIL_RELEASED) ? 1 : 0;
		this.lease = this.lease.withHolders(this.lease.holders() + 1);
		if (this.hints.size() < MAX_HINTS && !this.hints.contains(request.hint())) {
			this.hints.add(request.hint());
		}
		this.use.touch();
	}

	/**
	 * Counts a call of the provider that nobody has the workspace for.
	 */
	void addNobody() {
		this.acquired++;
	}

	/**
	 * Returns why the workspace of a request cannot be this one, though it has the same
	 * id; null if it can.
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
	 * Takes one away from those who have it, if there is one of the kind.
	 */
	boolean remove(LeaseMode hold) {
		int ofKind = (hold == LeaseMode.UNTIL_RELEASED) ? this.kept : this.lease.holders() - this.kept;
		if (ofKind == 0) {
			return false;
		}
		this.kept -= (hold == LeaseMode.UNTIL_RELEASED) ? 1 : 0;
		this.lease = this.lease.withHolders(this.lease.holders() - 1);
		return true;
	}

	boolean isOf(String tenantId) {
		return this.lease.tenant().tenantId().equals(tenantId);
	}

	/**
	 * Returns whether the request may mean this workspace again.
	 */
	boolean mayBe(WorkspaceProviderRegistration registration, WorkspaceRequest request) {
		return this.registration.equals(registration) && isOf(request.tenant().tenantId())
				&& this.hints.stream().anyMatch((hint) -> Objects.equals(hint, request.hint()));
	}

}
