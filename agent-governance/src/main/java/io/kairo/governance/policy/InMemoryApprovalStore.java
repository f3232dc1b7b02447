package io.kairo.governance.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * A store in memory, for an application with one instance. All requests and permissions
 * are lost when it ends.
 */
public final class InMemoryApprovalStore implements ApprovalStore {

	private static final Set<ApprovalState> OPEN = Set.of(ApprovalState.PENDING, ApprovalState.APPROVED);

	/** By id; guarded by this. */
	private final Map<String, StoredApproval> approvals = new LinkedHashMap<>();

	private final List<SessionGrant> grants = new ArrayList<>();

	/**
	 * Creates an empty store.
	 */
	public InMemoryApprovalStore() {
	}

	@Override
	public synchronized Optional<StoredApproval> open(PendingApproval approval, int maxPending, Instant now) {
		this.approvals.values().removeIf((stored) -> !stored.approval().expires().isAfter(now));
		this.grants.removeIf((grant) -> !grant.ends().isAfter(now));
		String key = ApprovalKeys.of(approval);
		for (StoredApproval stored : this.approvals.values()) {
			if (OPEN.contains(stored.state()) && stored.approval().digest().equals(approval.digest())
					&& ApprovalKeys.of(stored.approval()).equals(key)) {
				return Optional.of(stored);
			}
		}
		String tenant = approval.tenant();
		keepLast((stored) -> stored.approval().tenant().equals(tenant), MAX_TENANT_KEPT);
		keepLast((stored) -> true, MAX_KEPT);
		if (!hasRoom(approval, (other) -> other.tenant().equals(tenant), maxPending, MAX_TENANT_CHARACTERS)
				|| !hasRoom(approval, (other) -> true, MAX_OPEN, MAX_CHARACTERS)) {
			return Optional.empty();
		}
		StoredApproval added = new StoredApproval(approval, ApprovalState.PENDING, null, null);
		this.approvals.put(approval.id(), added);
		return Optional.of(added);
	}

	/**
	 * Removes the oldest decided requests among some, keeping a maximum number.
	 */
	private void keepLast(Predicate<StoredApproval> among, int maximum) {
		List<String> decided = this.approvals.values()
			.stream()
			.filter((stored) -> !OPEN.contains(stored.state()) && among.test(stored))
			.map((stored) -> stored.approval().id())
			.toList();
		decided.subList(0, Math.max(0, decided.size() - maximum)).forEach(this.approvals::remove);
	}

	private boolean hasRoom(PendingApproval added, Predicate<PendingApproval> among, int maximum, long characters) {
		LongSummaryStatistics open = this.approvals.values()
			.stream()
			.filter((stored) -> OPEN.contains(stored.state()))
			.map(StoredApproval::approval)
			.filter(among)
			.mapToLong(PendingApproval::characters)
			.summaryStatistics();
		return open.getCount() < maximum && open.getSum() + added.characters() <= characters;
	}

	@Override
	public synchronized Optional<StoredApproval> find(String id) {
		return Optional.ofNullable(this.approvals.get(id));
	}

	@Override
	public synchronized List<PendingApproval> pending(@Nullable String tenant, Instant now) {
		return this.approvals.values()
			.stream()
			.filter((stored) -> stored.state() == ApprovalState.PENDING)
			.map(StoredApproval::approval)
			.filter((approval) -> approval.expires().isAfter(now))
			.filter((approval) -> tenant == null || tenant.equals(approval.tenant()))
			.toList();
	}

	@Override
	public synchronized boolean answer(String id, String digest, ApprovalAnswer answer, @Nullable SessionGrant grant,
			Instant now) {
		StoredApproval stored = this.approvals.get(id);
		if (stored == null || stored.state() != ApprovalState.PENDING || !stored.approval().digest().equals(digest)
				|| !stored.approval().expires().isAfter(now)) {
			return false;
		}
		ApprovalState state = (answer.kind() == ApprovalAnswer.Kind.DENY) ? ApprovalState.REJECTED
				: ApprovalState.APPROVED;
		this.approvals.put(id,
				new StoredApproval(stored.approval().decided(), state, answer.reason(), answer.decidedBy()));
		if (grant != null) {
			this.grants.removeIf((other) -> other.isSame(grant) && !other.ends().isAfter(grant.ends()));
			this.grants.add(grant);
			keepLastGrants((other) -> other.tenant().equals(grant.tenant()), MAX_TENANT_KEPT);
			keepLastGrants((other) -> true, MAX_KEPT);
		}
		return true;
	}

	private void keepLastGrants(Predicate<SessionGrant> among, int maximum) {
		List<SessionGrant> kept = this.grants.stream().filter(among).toList();
		this.grants.removeAll(kept.subList(0, Math.max(0, kept.size() - maximum)));
	}

	@Override
	public synchronized boolean execute(String id, Instant now) {
		StoredApproval stored = this.approvals.get(id);
		return stored != null && stored.state() == ApprovalState.APPROVED && stored.approval().expires().isAfter(now)
				&& change(stored, ApprovalState.EXECUTED);
	}

	@Override
	public synchronized boolean expire(String id) {
		StoredApproval stored = this.approvals.get(id);
		return stored != null && OPEN.contains(stored.state()) && change(stored, ApprovalState.EXPIRED);
	}

	private boolean change(StoredApproval stored, ApprovalState state) {
		this.approvals.put(stored.approval().id(),
				new StoredApproval(stored.approval().decided(), state, stored.reason(), stored.decidedBy()));
		return true;
	}

	@Override
	public synchronized Optional<SessionGrant> grant(SessionGrant sought, Instant now) {
		return this.grants.stream()
			.filter((grant) -> grant.isSame(sought) && grant.ends().isAfter(now))
			.max(Comparator.comparing(SessionGrant::ends));
	}

	@Override
	public synchronized List<SessionGrant> grants(@Nullable String tenant, Instant now) {
		return this.grants.stream()
			.filter((grant) -> grant.ends().isAfter(now) && (tenant == null || tenant.equals(grant.tenant())))
			.sorted(Comparator.comparing(SessionGrant::ends))
			.toList();
	}

	@Override
	public synchronized int revoke(String tenant, String session, Instant now) {
		int before = this.grants.size();
		this.grants.removeIf((grant) -> grant.ends().isAfter(now) && grant.tenant().equals(tenant)
				&& grant.session().equals(session));
		return before - this.grants.size();
	}

}
