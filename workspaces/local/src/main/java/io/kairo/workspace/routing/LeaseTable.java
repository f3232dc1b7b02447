package io.kairo.workspace.routing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import org.jspecify.annotations.Nullable;

/**
 * Table of the leases. Calls no provider: each method is one step under one lock, and
 * {@link Leases} performs the sequence of steps.
 */
final class LeaseTable {

	private final LongSupplier nanoTime;

	private final ReentrantLock lock = new ReentrantLock();

	/** Guarded by the lock, like all fields below. */
	private final PendingReleases pendingReleases = new PendingReleases(this.lock);

	/** By id. */
	private final Map<String, LeaseEntry> entries = new HashMap<>();

	private final OpenCounts open;

	private long numbers;

	private boolean closed;

	LeaseTable(ToIntFunction<String> maxPerTenant, LongSupplier nanoTime) {
		this.open = new OpenCounts(maxPerTenant);
		this.nanoTime = nanoTime;
	}

	/**
	 * Begins a call of a provider. {@link #lease} or {@link #abandon} ends it. Rejects a
	 * call that could only exceed the maximum number of workspaces.
	 */
	PendingReleases.Call begin(WorkspaceProviderRegistration registration, WorkspaceRequest request) {
		return locked(() -> {
			if (this.closed) {
				throw closedTable();
			}
			RuntimeException refusal = this.open.refusal(request.tenant().tenantId());
			if (refusal != null
					&& this.entries.values().stream().noneMatch((entry) -> entry.mayBe(registration, request))) {
				throw refusal;
			}
			return this.pendingReleases.beginCall();
		});
	}

	void abandon(PendingReleases.Call call) {
		locked(() -> this.pendingReleases.endCall(call));
	}

	/**
	 * Adds a lease of a workspace that a provider returned.
	 * @return the workspace; none if it must be released (the release is then announced)
	 * or if the provider must be called again
	 */
	Leased lease(Workspace workspace, WorkspaceProviderRegistration registration, WorkspaceRequest request,
			LeaseMode mode, PendingReleases.Call call) {
		String id = workspace.id();
		return locked(() -> {
			this.pendingReleases.await(registration, id);
			this.pendingReleases.endCall(call);
			LeaseEntry known = this.entries.get(id);
			RuntimeException refusal = (known != null) ? known.clash(registration, request)
					: this.closed ? closedTable() : this.open.refusal(request.tenant().tenantId());
			if (known != null && refusal == null) {
				known.add(request, mode);
				return new Leased(known.lease().workspace(), null);
			}
			if (known != null && refusal != null && known.registration().equals(registration)) {
				// a release at the provider would end the existing leases
				known.addWithoutHolder();
				throw refusal;
			}
			if (refusal != null) {
				this.pendingReleases.start(registration, id);
				return new Leased(null, refusal);
			}
			if (call.hasMissed(registration, id)) {
				// it can be the workspace that was released meanwhile; releasing it would
				// make the other running calls miss that in turn
				return new Leased(null, null);
			}
			LeaseEntry entry = new LeaseEntry(
					new WorkspaceLease(++this.numbers, workspace, request.tenant(), 0, Instant.now()), registration,
					new LeaseUse(id, this.nanoTime));
			entry.add(request, mode);
			this.entries.put(id, entry);
			this.open.add(request.tenant().tenantId());
			return new Leased(workspace, null);
		});
	}

	/**
	 * Accounts for a call of a provider that returned a workspace and did not lead to a
	 * lease: the release of that workspace includes it.
	 * @return whether the workspace is not leased and must be released now; the release
	 * is then announced
	 */
	boolean account(WorkspaceProviderRegistration registration, String id) {
		return locked(() -> {
			this.pendingReleases.await(registration, id);
			LeaseEntry known = this.entries.get(id);
			if (known != null && known.registration().equals(registration)) {
				known.addWithoutHolder();
				return false;
			}
			this.pendingReleases.start(registration, id);
			return true;
		});
	}

	/**
	 * Ends one lease of a workspace.
	 * @return the result, with the entry to release at the provider if it was the last
	 * lease; null if there is no such lease
	 */
	@Nullable Released release(String id, LeaseMode mode) {
		this.lock.lock();
		try {
			LeaseEntry entry = this.entries.get(id);
			if (entry == null || !entry.remove(mode)) {
				return null;
			}
			return new Released(entry.lease(), (entry.lease().holders() > 0) ? null : end(entry));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends all leases of workspaces.
	 * @param which selects the workspaces
	 * @return the entries to release at their providers
	 */
	List<LeaseEntry> end(Predicate<LeaseEntry> which) {
		return locked(() -> {
			List<LeaseEntry> ended = new ArrayList<>();
			for (LeaseEntry entry : List.copyOf(this.entries.values())) {
				if (which.test(entry)) {
					ended.add(end(entry));
				}
			}
			return ended;
		});
	}

	private LeaseEntry end(LeaseEntry entry) {
		String id = entry.lease().workspace().id();
		this.entries.remove(id);
		this.open.remove(entry.lease().tenant().tenantId());
		this.pendingReleases.start(entry.registration(), id);
		return entry;
	}

	List<LeaseEntry> close() {
		return locked(() -> {
			this.closed = true;
			return end((entry) -> true);
		});
	}

	/**
	 * Records that a workspace was released at its provider.
	 */
	void finish(WorkspaceProviderRegistration registration, String id) {
		locked(() -> this.pendingReleases.finish(registration, id));
	}

	@Nullable LeaseEntry find(String id) {
		this.lock.lock();
		try {
			return this.entries.get(id);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the leases, the oldest first.
	 */
	List<WorkspaceLease> list() {
		return locked(() -> this.entries.values()
			.stream()
			.map(LeaseEntry::lease)
			.sorted(Comparator.comparingLong(WorkspaceLease::number))
			.toList());
	}

	Map<String, Integer> open() {
		return locked(this.open::copy);
	}

	private void locked(Runnable step) {
		this.lock.lock();
		try {
			step.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	private <T> T locked(Supplier<T> step) {
		this.lock.lock();
		try {
			return step.get();
		}
		finally {
			this.lock.unlock();
		}
	}

	private static IllegalStateException closedTable() {
		return new IllegalStateException("The workspaces were closed: the application is shutting down");
	}

	/**
	 * The result of a release.
	 *
	 * @param lease the lease with the remaining holders
	 * @param last the entry to release at the provider, null if there are other holders
	 */
	record Released(WorkspaceLease lease, @Nullable LeaseEntry last) {

	}

	/**
	 * The result of a call of a provider.
	 *
	 * @param workspace the workspace, null if there is no lease
	 * @param refusal the reason if the workspace must be released, null if it may have
	 * been released during the call and the call must be repeated
	 */
	record Leased(@Nullable Workspace workspace, @Nullable RuntimeException refusal) {

	}

	/**
	 * The number of open workspaces of each tenant, and their maximum. Guarded by its
	 * {@link LeaseTable}.
	 */
	private static final class OpenCounts {

		private final ToIntFunction<String> maximum;

		private final Map<String, Integer> counts = new HashMap<>();

		/**
		 * Creates the counts.
		 * @param maximum the maximum number of open workspaces of a tenant, by its id
		 */
		OpenCounts(ToIntFunction<String> maximum) {
			this.maximum = maximum;
		}

		void add(String tenantId) {
			this.counts.merge(tenantId, 1, Integer::sum);
		}

		void remove(String tenantId) {
			this.counts.computeIfPresent(tenantId, (tenant, count) -> (count > 1) ? count - 1 : null);
		}

		/**
		 * Returns the reason that a tenant cannot open another workspace, or null if it
		 * can. A maximum that cannot be determined counts as reached.
		 */
		@Nullable RuntimeException refusal(String tenantId) {
			int open = this.counts.getOrDefault(tenantId, 0);
			if (open == 0) {
				return null;
			}
			try {
				int most = this.maximum.applyAsInt(tenantId);
				return (open >= most) ? new TooManyWorkspacesException(most) : null;
			}
			catch (RuntimeException ex) {
				return ex;
			}
		}

		Map<String, Integer> copy() {
			return Map.copyOf(this.counts);
		}

	}

}
