package io.kairo.workspace.routing;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import org.jspecify.annotations.Nullable;

/**
 * Counts who has which workspace. Providers are never called under the lock.
 */
final class Leases {

	private final LeaseBounds bounds;

	private final LongSupplier nanoTime;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition ended = this.lock.newCondition();

	/** By id; guarded by the lock, as all below. */
	private final Map<String, LeaseEntry> entries = new HashMap<>();

	/** How many each tenant has open. */
	private final Map<String, Integer> open = new HashMap<>();

	/** Ids that are being given back to their provider. */
	private final Set<String> ending = new HashSet<>();

	/** For each call into a provider that has not returned, the ids that ended since. */
	private final Set<EndedSince> acquiring = new HashSet<>();

	private long numbers;

	private boolean closed;

	Leases(LeaseBounds bounds, LongSupplier nanoTime) {
		this.bounds = bounds;
		this.nanoTime = nanoTime;
	}

	Workspace acquire(WorkspaceProviderRegistration registration, WorkspaceRequest request, Hold hold) {
		while (true) {
			EndedSince since = begin(registration, request);
			Workspace workspace;
			try {
				workspace = registration.provider().acquire(request);
			}
			catch (Throwable ex) {
				abandon(since);
				throw ex;
			}
			Leased leased = lease(workspace, registration, request, hold, since);
			if (leased.workspace() != null) {
				return leased.workspace();
			}
			giveBack(registration, workspace.id(), 1);
			if (leased.refusal() != null) {
				throw leased.refusal();
			}
		}
	}

	/**
	 * Takes one away from those who have a workspace.
	 * @return what it was taken from, still to be given back if nobody is left; null if
	 * there is none
	 */
	@Nullable Released release(String id, Hold hold) {
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
	 * Takes everything back that nobody keeps and nobody has used for too long. What is
	 * returned is still to be given back.
	 */
	List<LeaseEntry> endIdle() {
		return end((entry) -> this.bounds.idleTimeout() != null && !entry.isKept()
				&& entry.use().endIfIdle(this.bounds.idleTimeout()));
	}

	/**
	 * Takes everything back, and lets nothing be leased afterwards. What is returned is
	 * still to be given back.
	 */
	List<LeaseEntry> close() {
		this.lock.lock();
		try {
			this.closed = true;
			return end((entry) -> true);
		}
		finally {
			this.lock.unlock();
		}
	}

	void giveBack(LeaseEntry entry) {
		giveBack(entry.registration(), entry.lease().workspace().id(), entry.acquired());
	}

	/**
	 * Opens the files of a workspace.
	 * @return the files, null if it is not leased
	 */
	@Nullable WorkspaceFiles open(Workspace workspace) {
		LeaseEntry entry;
		this.lock.lock();
		try {
			entry = this.entries.get(workspace.id());
		}
		finally {
			this.lock.unlock();
		}
		if (entry == null) {
			return null;
		}
		entry.use().touch();
		WorkspaceFiles files = entry.registration().files().open(workspace);
		return (this.bounds.idleTimeout() != null) ? new UsedFiles(files, entry.use()) : files;
	}

	List<WorkspaceLease> list() {
		this.lock.lock();
		try {
			return this.entries.values()
				.stream()
				.map(LeaseEntry::lease)
				.sorted(Comparator.comparingLong(WorkspaceLease::number))
				.toList();
		}
		finally {
			this.lock.unlock();
		}
	}

	Map<String, Integer> open() {
		this.lock.lock();
		try {
			return Map.copyOf(this.open);
		}
		finally {
			this.lock.unlock();
		}
	}

	private List<LeaseEntry> end(Predicate<LeaseEntry> which) {
		this.lock.lock();
		try {
			List<LeaseEntry> ended = new ArrayList<>();
			for (LeaseEntry entry : List.copyOf(this.entries.values())) {
				if (which.test(entry)) {
					ended.add(end(entry));
				}
			}
			return ended;
		}
		finally {
			this.lock.unlock();
		}
	}

	private LeaseEntry end(LeaseEntry entry) {
		String id = entry.lease().workspace().id();
		this.entries.remove(id);
		this.open.computeIfPresent(entry.lease().tenant().tenantId(), (tenant, n) -> (n > 1) ? n - 1 : null);
		this.ending.add(id);
		return entry;
	}

	/**
	 * Begins a call into a provider. One that could only make one workspace too many is
	 * not made.
	 */
	private EndedSince begin(WorkspaceProviderRegistration registration, WorkspaceRequest request) {
		this.lock.lock();
		try {
			if (this.closed) {
				throw closedLeases();
			}
			TooManyWorkspacesException refusal = refusal(request);
			if (refusal != null
					&& this.entries.values().stream().noneMatch((entry) -> entry.mayBe(registration, request))) {
				throw refusal;
			}
			EndedSince since = new EndedSince();
			this.acquiring.add(since);
			return since;
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable TooManyWorkspacesException refusal(WorkspaceRequest request) {
		String tenant = request.tenant().tenantId();
		int open = this.open.getOrDefault(tenant, 0);
		int maximum = (open > 0) ? this.bounds.maxPerTenant().applyAsInt(tenant) : 1;
		return (open >= maximum) ? new TooManyWorkspacesException(maximum) : null;
	}

	private void abandon(EndedSince since) {
		this.lock.lock();
		try {
			this.acquiring.remove(since);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Counts a workspace that a provider has made.
	 * @return the workspace; nothing if it must be given back, which is announced then
	 */
	private Leased lease(Workspace workspace, WorkspaceProviderRegistration registration, WorkspaceRequest request,
			Hold hold, EndedSince since) {
		String id = workspace.id();
		this.lock.lock();
		try {
			while (this.ending.contains(id)) {
				this.ended.awaitUninterruptibly();
			}
			this.acquiring.remove(since);
			LeaseEntry known = this.entries.get(id);
			if (known != null) {
				requireSame(known, registration, request);
				known.add(request, hold);
				return new Leased(known.lease().workspace(), null);
			}
			RuntimeException refusal = this.closed ? closedLeases() : refusal(request);
			if (refusal != null || since.ids.contains(id)) {
				// in the second case it may be from before the release that happened
				this.ending.add(id);
				return new Leased(null, refusal);
			}
			LeaseEntry entry = new LeaseEntry(
					new WorkspaceLease(++this.numbers, workspace, request.tenant(), 0, Instant.now()), registration,
					new LeaseUse(id, this.nanoTime));
			entry.add(request, hold);
			this.entries.put(id, entry);
			this.open.merge(request.tenant().tenantId(), 1, Integer::sum);
			return new Leased(workspace, null);
		}
		finally {
			this.lock.unlock();
		}
	}

	private static void requireSame(LeaseEntry known, WorkspaceProviderRegistration registration,
			WorkspaceRequest request) {
		WorkspaceLease lease = known.lease();
		if (!known.registration().equals(registration)) {
			throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED,
					"The providers '" + known.registration().scheme() + "' and '" + registration.scheme()
							+ "' made workspaces of one id, " + WorkspacePath.quote(lease.workspace().id())
							+ ": let ids start with the scheme",
					null);
		}
		if (!known.isOf(request.tenant().tenantId())) {
			throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED, "The provider '" + registration.scheme()
					+ "' made workspaces of one id for two tenants: let ids tell tenants apart", null);
		}
	}

	private void giveBack(WorkspaceProviderRegistration registration, String id, int times) {
		try {
			for (int i = 0; i < times; i++) {
				registration.provider().release(id);
			}
		}
		finally {
			this.lock.lock();
			try {
				this.ending.remove(id);
				this.acquiring.forEach((since) -> since.ids.add(id));
				this.ended.signalAll();
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	private static IllegalStateException closedLeases() {
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
	private record Leased(@Nullable Workspace workspace, @Nullable RuntimeException refusal) {

	}

	/**
	 * Ids that were given back while one call into a provider went on. Compared by
	 * identity.
	 */
	private static final class EndedSince {

		private final Set<String> ids = new HashSet<>();

	}

}
