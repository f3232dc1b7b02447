package io.kairo.workspace.routing;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import org.jspecify.annotations.Nullable;

/**
 * Counts who has which workspace. Providers are never called under the lock.
 */
final class Leases {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition ended = this.lock.newCondition();

	/** By id; guarded by the lock, as all below. */
	private final Map<String, Entry> entries = new HashMap<>();

	/** Ids that are being given back to their provider. */
	private final Set<String> ending = new HashSet<>();

	/** For each call into a provider that has not returned, the ids that ended since. */
	private final Set<EndedSince> acquiring = new HashSet<>();

	private long numbers;

	Workspace acquire(WorkspaceProviderRegistration registration, WorkspaceRequest request) {
		while (true) {
			EndedSince since = begin();
			Workspace workspace;
			try {
				workspace = registration.provider().acquire(request);
			}
			catch (Throwable ex) {
				abandon(since);
				throw ex;
			}
			Workspace leased = lease(workspace, registration, request, since);
			if (leased != null) {
				return leased;
			}
			// it may be from before the release that happened meanwhile
			giveBack(registration, workspace.id(), 1);
		}
	}

	@Nullable WorkspaceLease release(String id) {
		Entry last;
		this.lock.lock();
		try {
			Entry entry = this.entries.get(id);
			if (entry == null) {
				return null;
			}
			WorkspaceLease left = entry.lease().withHolders(entry.lease().holders() - 1);
			if (left.holders() > 0) {
				this.entries.put(id, new Entry(left, entry.registration(), entry.acquired()));
				return left;
			}
			last = this.entries.remove(id);
			this.ending.add(id);
		}
		finally {
			this.lock.unlock();
		}
		giveBack(last.registration(), id, last.acquired());
		return last.lease().withHolders(0);
	}

	@Nullable WorkspaceFilesFactory files(String id) {
		this.lock.lock();
		try {
			Entry entry = this.entries.get(id);
			return (entry != null) ? entry.registration().files() : null;
		}
		finally {
			this.lock.unlock();
		}
	}

	List<WorkspaceLease> list() {
		this.lock.lock();
		try {
			return this.entries.values()
				.stream()
				.map(Entry::lease)
				.sorted(Comparator.comparingLong(WorkspaceLease::number))
				.toList();
		}
		finally {
			this.lock.unlock();
		}
	}

	private EndedSince begin() {
		this.lock.lock();
		try {
			EndedSince since = new EndedSince();
			this.acquiring.add(since);
			return since;
		}
		finally {
			this.lock.unlock();
		}
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
	 * @return the workspace; null if it must be given back, which is announced then
	 */
	private @Nullable Workspace lease(Workspace workspace, WorkspaceProviderRegistration registration,
			WorkspaceRequest request, EndedSince since) {
		String id = workspace.id();
		this.lock.lock();
		try {
			while (this.ending.contains(id)) {
				this.ended.awaitUninterruptibly();
			}
			this.acquiring.remove(since);
			Entry known = this.entries.get(id);
			if (known != null) {
				return join(known, registration, request);
			}
			if (since.ids.contains(id)) {
				this.ending.add(id);
				return null;
			}
			WorkspaceLease lease = new WorkspaceLease(++this.numbers, workspace, request.tenant(), 1, Instant.now());
			this.entries.put(id, new Entry(lease, registration, 1));
			return workspace;
		}
		finally {
			this.lock.unlock();
		}
	}

	private Workspace join(Entry known, WorkspaceProviderRegistration registration, WorkspaceRequest request) {
		WorkspaceLease lease = known.lease();
		if (!known.registration().equals(registration)) {
			throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED,
					"The providers '" + known.registration().scheme() + "' and '" + registration.scheme()
							+ "' made workspaces of one id, " + WorkspacePath.quote(lease.workspace().id())
							+ ": let ids start with the scheme",
					null);
		}
		if (!lease.tenant().tenantId().equals(request.tenant().tenantId())) {
			throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED, "The provider '" + registration.scheme()
					+ "' made workspaces of one id for two tenants: let ids tell tenants apart", null);
		}
		this.entries.put(lease.workspace().id(),
				new Entry(lease.withHolders(lease.holders() + 1), registration, known.acquired() + 1));
		return lease.workspace();
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

	/**
	 * What is known of an id.
	 *
	 * @param lease who has it
	 * @param registration who made it
	 * @param acquired how often the provider was asked for it since it was last given
	 * back
	 */
	private record Entry(WorkspaceLease lease, WorkspaceProviderRegistration registration, int acquired) {

	}

	/**
	 * Ids that were given back while one call into a provider went on. Compared by
	 * identity.
	 */
	private static final class EndedSince {

		private final Set<String> ids = new HashSet<>();

	}

}
