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
 * Counts who has which workspace. Calls no provider: each method is one step under one
 * lock, and {@link Leases} goes from step to step.
 */
final class LeaseTable {

	private final LongSupplier nanoTime;

	private final ReentrantLock lock = new ReentrantLock();

	/** Guarded by the lock, as all below. */
	private final PendingReleases endings = new PendingReleases(this.lock);

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
	 * Begins a call into a provider, which {@link #lease} or {@link #abandon} ends. One
	 * that could only make one workspace too many is refused.
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
			return this.endings.beginCall();
		});
	}

	void abandon(PendingReleases.Call call) {
		locked(() -> this.endings.endCall(call));
	}

	/**
	 * Counts a workspace that a provider has made.
	 * @return the workspace; nothing if it must be given back, which is announced then
	 */
	Leased lease(Workspace workspace, WorkspaceProviderRegistration registration, WorkspaceRequest request,
			LeaseMode hold, PendingReleases.Call call) {
		String id = workspace.id();
		return locked(() -> {
			this.endings.await(registration, id);
			this.endings.endCall(call);
			LeaseEntry known = this.entries.get(id);
			RuntimeException refusal = (known != null) ? known.clash(registration, request)
					: this.closed ? closedTable() : this.open.refusal(request.tenant().tenantId());
			if (known != null && refusal == null) {
				known.add(request, hold);
				return new Leased(known.lease().workspace(), null);
			}
			if (known != null && refusal != null && known.registration().equals(registration)) {
				// to give it back now would take it from those who have it
				known.addNobody();
				throw refusal;
			}
			if (refusal != null || call.hasMissed(registration, id)) {
				// in the second case it may be from before the release that happened
				this.endings.start(registration, id);
				return new Leased(null, refusal);
			}
			LeaseEntry entry = new LeaseEntry(
					new WorkspaceLease(++this.numbers, workspace, request.tenant(), 0, Instant.now()), registration,
					new LeaseUse(id, this.nanoTime));
			entry.add(request, hold);
			this.entries.put(id, entry);
			this.open.add(request.tenant().tenantId());
			return new Leased(workspace, null);
		});
	}

	/**
	 * Takes one away from those who have a workspace.
	 * @return what it was taken from, still to be given back if nobody is left; null if
	 * there is none
	 */
	@Nullable Released release(String id, LeaseMode hold) {
		this.lock.lock();
		try {
			LeaseEntry entry = this.entries.get(id);
			if (entry == null || !entry.remove(hold)) {
				return null;
			}
			return new Released(entry.lease(), (entry.lease().holders() > 0) ? null : end(entry));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes workspaces from everybody who has them.
	 * @param which tells which
	 * @return what is still to be given back
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
		this.endings.start(entry.registration(), id);
		return entry;
	}

	List<LeaseEntry> close() {
		return locked(() -> {
			this.closed = true;
			return end((entry) -> true);
		});
	}

	/**
	 * Says that a workspace was given back to its provider.
	 */
	void finish(WorkspaceProviderRegistration registration, String id) {
		locked(() -> this.endings.finish(registration, id));
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
	 * Returns who has what, the oldest first.
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
	 * What is left after a release.
	 *
	 * @param lease who has the workspace now
	 * @param last what is still to be given back, null if somebody has it
	 */
	record Released(WorkspaceLease lease, @Nullable LeaseEntry last) {

	}

	/**
	 * What became of a workspace that a provider has made.
	 *
	 * @param workspace the workspace, null if it must be given back
	 * @param refusal why it must be, null if it is to be acquired anew
	 */
	record Leased(@Nullable Workspace workspace, @Nullable RuntimeException refusal) {

	}

}
