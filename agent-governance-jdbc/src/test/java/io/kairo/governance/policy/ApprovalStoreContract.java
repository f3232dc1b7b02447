package io.kairo.governance.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of an {@link ApprovalStore}.
 */
abstract class ApprovalStoreContract {

	static final int THREADS = 32;

	static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	static final Instant LATER = NOW.plusSeconds(600);

	/**
	 * Opens the store of an instance. All instances in a test share their content.
	 */
	abstract ApprovalStore open();

	/**
	 * Opens the store for a test that uses it very often.
	 */
	ApprovalStore openForMany() throws Exception {
		return open();
	}

	static PendingApproval approval(String tenant, String session, String digest) {
		return new PendingApproval(UUID.randomUUID().toString(), tenant, "alice", session, "Bash", "ask-bash", "Why",
				"Bash in /\n{}\u00e4\u4e2d", "sha256:" + digest.repeat(64), NOW, LATER);
	}

	static StoredApproval add(ApprovalStore store, PendingApproval approval) {
		return store.open(approval, 100, NOW).orElseThrow();
	}

	static SessionGrant grant(String tenant, String session, String tool, String rule, Instant ends) {
		return new SessionGrant(tenant, "alice", session, tool, rule, ends, "bob");
	}

	<T> List<T> race(List<Callable<T>> calls) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(calls.size());
		try {
			CyclicBarrier start = new CyclicBarrier(calls.size());
			List<Future<T>> futures = calls.stream().map((call) -> executor.submit(() -> {
				start.await();
				return call.call();
			})).toList();
			List<T> results = new ArrayList<>();
			for (Future<T> future : futures) {
				results.add(future.get());
			}
			return results;
		}
		finally {
			executor.shutdownNow();
		}
	}

	static <T> List<Callable<T>> calls(Callable<T> first, Callable<T> second) {
		return IntStream.range(0, THREADS).mapToObj((i) -> (i % 2 == 0) ? first : second).toList();
	}

	@Test
	void requestIsFoundAsItWasAdded() {
		ApprovalStore store = open();
		PendingApproval approval = approval("acme", null, "a");
		assertThat(add(store, approval)).isEqualTo(new StoredApproval(approval, ApprovalState.PENDING, null, null));
		assertThat(open().find(approval.id()))
			.contains(new StoredApproval(approval, ApprovalState.PENDING, null, null));
		assertThat(open().pending("acme", NOW)).containsExactly(approval);
		assertThat(open().pending(null, NOW)).containsExactly(approval);
		assertThat(open().pending("other", NOW)).isEmpty();
		assertThat(open().find("unknown\0")).isEmpty();
	}

	@Test
	void sameRequestIsAddedOnce() {
		ApprovalStore store = open();
		PendingApproval first = approval("acme", "s1", "a");
		add(store, first);
		assertThat(add(store, approval("acme", "s1", "a")).approval()).isEqualTo(first);
		assertThat(add(store, approval("acme", "s1", "b")).approval()).isNotEqualTo(first);
		assertThat(add(store, approval("acme", "s2", "a")).approval()).isNotEqualTo(first);
		assertThat(add(store, approval("acme", null, "a")).approval()).isNotEqualTo(first);
		assertThat(add(store, approval("other", "s1", "a")).approval()).isNotEqualTo(first);
	}

	@Test
	void requestOfAnotherPrincipalOrRuleIsAddedToo() {
		ApprovalStore store = open();
		PendingApproval first = approval("acme", "s1", "a");
		add(store, first);
		for (PendingApproval other : List.of(
				new PendingApproval(UUID.randomUUID().toString(), "acme", "mallory", "s1", first.tool(), first.rule(),
						first.reason(), first.shown(), first.digest(), NOW, LATER),
				new PendingApproval(UUID.randomUUID().toString(), "acme", "alice", "s1", first.tool(), "other",
						first.reason(), first.shown(), first.digest(), NOW, LATER))) {
			assertThat(add(store, other).approval()).isEqualTo(other);
		}
	}

	@Test
	void approvedRequestIsExecutedOnceAndThenAskedAgain() {
		ApprovalStore store = open();
		PendingApproval first = approval("acme", "s1", "a");
		add(store, first);
		assertThat(store.execute(first.id(), NOW)).isFalse();
		assertThat(store.answer(first.id(), first.digest(), ApprovalAnswer.allowOnce("bob"), null, NOW)).isTrue();
		assertThat(add(open(), approval("acme", "s1", "a")))
			.isEqualTo(new StoredApproval(first.decided(), ApprovalState.APPROVED, null, "bob"));
		assertThat(store.execute(first.id(), NOW)).isTrue();
		assertThat(open().execute(first.id(), NOW)).isFalse();
		assertThat(add(store, approval("acme", "s1", "a")).approval().id()).isNotEqualTo(first.id());
	}

	@Test
	void firstAnswerCounts() {
		ApprovalStore store = open();
		PendingApproval approval = approval("acme", "s1", "a");
		add(store, approval);
		assertThat(store.answer(approval.id(), "sha256:other", ApprovalAnswer.allowOnce("bob"), null, NOW)).isFalse();
		assertThat(store.answer(approval.id(), approval.digest(), ApprovalAnswer.deny("bob", "No\0"), null, NOW))
			.isTrue();
		assertThat(store.answer(approval.id(), approval.digest(), ApprovalAnswer.allowOnce("eve"), null, NOW))
			.isFalse();
		assertThat(store.find(approval.id()).orElseThrow().state()).isEqualTo(ApprovalState.REJECTED);
		assertThat(store.find(approval.id()).orElseThrow().decidedBy()).isEqualTo("bob");
		assertThat(store.execute(approval.id(), NOW)).isFalse();
		assertThat(store.pending(null, NOW)).isEmpty();
	}

	@Test
	void expiredRequestIsNeitherAnsweredNorExecuted() {
		ApprovalStore store = open();
		PendingApproval pending = approval("acme", "s1", "a");
		PendingApproval approved = approval("acme", "s1", "b");
		add(store, pending);
		add(store, approved);
		store.answer(approved.id(), approved.digest(), ApprovalAnswer.allowOnce("bob"), null, NOW);
		assertThat(store.pending(null, LATER)).isEmpty();
		assertThat(store.answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("bob"), null, LATER))
			.isFalse();
		assertThat(store.execute(approved.id(), LATER)).isFalse();
		PendingApproval again = approval("acme", "s1", "b");
		assertThat(store.open(again, 100, LATER).orElseThrow().approval().id()).isEqualTo(again.id());
		assertThat(store.expire(pending.id())).isIn(true, false);
		assertThat(store.expire(pending.id())).isFalse();
	}

	@Test
	void pendingRequestsOfATenantAreBounded() {
		ApprovalStore store = open();
		assertThat(store.open(approval("acme", "s1", "a"), 2, NOW)).isPresent();
		assertThat(store.open(approval("acme", "s1", "b"), 2, NOW)).isPresent();
		assertThat(store.open(approval("acme", "s1", "c"), 2, NOW)).isEmpty();
		assertThat(store.open(approval("acme", "s1", "a"), 2, NOW)).isPresent();
		assertThat(store.open(approval("other", "s1", "c"), 2, NOW)).isPresent();
		assertThat(store.open(approval("acme", "s1", "c"), 2, LATER)).isPresent();
	}

	static PendingApproval large(String tenant, int number) {
		return new PendingApproval(UUID.randomUUID().toString(), tenant, "alice", "s1", "Bash", "ask-bash", "Why",
				"x".repeat(100_000 - 6), "sha256:" + String.format("%064d", number), NOW, LATER);
	}

	private void decide(ApprovalStore store, PendingApproval approval, ApprovalAnswer answer,
			@Nullable SessionGrant grant) {
		assertThat(store.answer(approval.id(), approval.digest(), answer, grant, NOW)).isTrue();
	}

	@Test
	void textOfADecidedRequestIsNotKept() {
		ApprovalStore store = open();
		List<PendingApproval> approvals = List.of(approval("acme", "s1", "a"), approval("acme", "s1", "b"),
				approval("acme", "s1", "c"), approval("acme", "s1", "d"));
		approvals.forEach((approval) -> add(store, approval));
		decide(store, approvals.get(0), ApprovalAnswer.allowOnce("bob"), null);
		decide(store, approvals.get(1), ApprovalAnswer.deny("bob", "x".repeat(10_000)), null);
		store.expire(approvals.get(2).id());
		for (PendingApproval decided : approvals.subList(0, 3)) {
			assertThat(store.find(decided.id()).orElseThrow().approval()).isEqualTo(decided.decided());
		}
		assertThat(store.find(approvals.get(1).id()).orElseThrow().reason()).hasSize(1000);
		store.open(approval("acme", "s1", "e"), 100, LATER);
		assertThat(store.find(approvals.get(3).id()).map((stored) -> stored.approval().shown()).orElse("")).isEmpty();
	}

	@Test
	void approvedRequestsOfATenantAreBoundedToo() {
		ApprovalStore store = open();
		for (String digest : List.of("a", "b")) {
			PendingApproval approval = store.open(approval("acme", "s1", digest), 2, NOW).orElseThrow().approval();
			decide(store, approval, ApprovalAnswer.allowOnce("mallory"), null);
		}
		assertThat(store.open(approval("acme", "s1", "c"), 2, NOW)).isEmpty();
		assertThat(store.open(approval("acme", "s1", "a"), 2, NOW)).isPresent();
	}

	@Test
	void charactersOfATenantAndOfAllAreBounded() throws Exception {
		ApprovalStore store = openForMany();
		for (int tenant = 0; tenant < 10; tenant++) {
			for (int i = 0; i < 10; i++) {
				assertThat(store.open(large("t" + tenant, i), 100, NOW)).as("%d of tenant %d", i, tenant).isPresent();
			}
			assertThat(store.open(large("t" + tenant, 10), 100, NOW)).isEmpty();
		}
		assertThat(store.open(large("another", 0), 100, NOW)).isEmpty();
		PendingApproval decided = store.pending("t1", NOW).get(0);
		decide(store, decided, ApprovalAnswer.allowOnce("bob"), null);
		assertThat(store.execute(decided.id(), NOW)).isTrue();
		assertThat(store.open(large("another", 0), 100, NOW)).isPresent();
	}

	@Test
	void decidedRequestsAndPermissionsOfATenantAreBounded() throws Exception {
		ApprovalStore store = openForMany();
		PendingApproval other = approval("other", "s1", "a");
		add(store, other);
		decide(store, other, ApprovalAnswer.deny("bob", null), null);
		List<String> ids = new ArrayList<>();
		for (int i = 0; i < ApprovalStore.MAX_TENANT_KEPT + 5; i++) {
			PendingApproval approval = new PendingApproval(UUID.randomUUID().toString(), "acme", "alice", "s" + i,
					"Bash", "ask-bash", "Why", "x", "sha256:" + "a".repeat(64), NOW.plusMillis(i), LATER);
			ids.add(store.open(approval, 1000, NOW).orElseThrow().approval().id());
			decide(store, approval, ApprovalAnswer.allowForSession("mallory", Duration.ofMinutes(10)),
					grant("acme", "s" + i, "Bash", "ask-bash", LATER.plusMillis(i)));
			store.expire(approval.id());
		}
		assertThat(store.grants("acme", NOW)).hasSize(ApprovalStore.MAX_TENANT_KEPT);
		assertThat(ids.stream().filter((id) -> store.find(id).isPresent()).count())
			.isBetween((long) ApprovalStore.MAX_TENANT_KEPT, ApprovalStore.MAX_TENANT_KEPT + 1L);
		assertThat(store.find(ids.get(0))).isEmpty();
		assertThat(store.find(other.id())).isPresent();
	}

	@Test
	void samePermissionIsKeptOnce() {
		ApprovalStore store = open();
		for (int i = 0; i < 3; i++) {
			PendingApproval approval = approval("acme", "s1", "a");
			add(store, approval);
			decide(store, approval, ApprovalAnswer.allowForSession("bob", Duration.ofMinutes(10)),
					grant("acme", "s1", "Bash", "ask-bash", LATER.plusSeconds(i)));
			store.execute(approval.id(), NOW);
		}
		assertThat(store.grants("acme", NOW)).singleElement()
			.satisfies((grant) -> assertThat(grant.ends()).isEqualTo(LATER.plusSeconds(2)));
	}

	@Test
	void permissionIsForItsSessionToolAndRuleAndEnds() {
		ApprovalStore store = open();
		PendingApproval approval = approval("acme", "s1", "a");
		add(store, approval);
		SessionGrant grant = grant("acme", "s1", "Bash", "ask-bash", LATER);
		store.answer(approval.id(), approval.digest(), ApprovalAnswer.allowForSession("bob", Duration.ofMinutes(10)),
				grant, NOW);
		Instant any = Instant.MAX;
		assertThat(open().grant(grant("acme", "s1", "Bash", "ask-bash", any), NOW)).contains(grant);
		assertThat(store.grant(grant("acme", "s1", "Bash", "ask-bash", any), LATER)).isEmpty();
		assertThat(store.grant(grant("other", "s1", "Bash", "ask-bash", any), NOW)).isEmpty();
		assertThat(store.grant(grant("acme", "s2", "Bash", "ask-bash", any), NOW)).isEmpty();
		assertThat(store.grant(grant("acme", "s1", "Write", "ask-bash", any), NOW)).isEmpty();
		assertThat(store.grant(grant("acme", "s1", "Bash", "other", any), NOW)).isEmpty();
		assertThat(store.grant(new SessionGrant("acme", "mallory", "s1", "Bash", "ask-bash", any, ""), NOW)).isEmpty();
		assertThat(store.grants("acme", NOW)).containsExactly(grant);
		assertThat(store.grants("other", NOW)).isEmpty();
		assertThat(store.grants(null, LATER)).isEmpty();
	}

	@Test
	void permissionsOfASessionAreRevoked() {
		ApprovalStore store = open();
		for (String session : List.of("s1", "s2")) {
			for (String digest : List.of("a", "b")) {
				PendingApproval approval = approval("acme", session, digest);
				add(store, approval);
				store.answer(approval.id(), approval.digest(),
						ApprovalAnswer.allowForSession("bob", Duration.ofMinutes(10)),
						grant("acme", session, "Bash", digest, LATER), NOW);
			}
		}
		assertThat(store.revoke("other", "s1", NOW)).isZero();
		assertThat(store.revoke("acme", "s1", LATER)).isZero();
		assertThat(open().revoke("acme", "s1", NOW)).isEqualTo(2);
		assertThat(store.grants("acme", NOW)).extracting(SessionGrant::session).containsExactly("s2", "s2");
		assertThat(store.grant(grant("acme", "s1", "Bash", "a", LATER), NOW)).isEmpty();
		assertThat(store.revoke("acme", "s1", NOW)).isZero();
	}

	@Test
	void refusedAnswerAddsNoPermission() {
		ApprovalStore store = open();
		PendingApproval approval = approval("acme", "s1", "a");
		add(store, approval);
		store.answer(approval.id(), "sha256:other", ApprovalAnswer.allowForSession("bob", Duration.ofMinutes(10)),
				grant("acme", "s1", "Bash", "ask-bash", LATER), NOW);
		assertThat(store.grants(null, NOW)).isEmpty();
	}

	@Test
	void pendingRequestsOfATenantAreBoundedForManyThreads() throws Exception {
		ApprovalStore first = open();
		ApprovalStore second = open();
		for (int round = 0; round < 3; round++) {
			String tenant = "acme" + round;
			List<Boolean> added = race(IntStream.range(0, THREADS)
				.<Callable<Boolean>>mapToObj(
						(i) -> () -> ((i % 2 == 0) ? first : second).open(approval(tenant, "s" + i, "a"), 2, NOW)
							.isPresent())
				.toList());
			assertThat(added).filteredOn((present) -> present).hasSize(2);
			assertThat(first.pending(tenant, NOW)).hasSize(2);
		}
	}

	@Test
	void oneOfManyThreadsAddsAnswersAndExecutes() throws Exception {
		ApprovalStore first = open();
		ApprovalStore second = open();
		List<String> ids = race(calls(() -> add(first, approval("acme", "s1", "a")).approval().id(),
				() -> add(second, approval("acme", "s1", "a")).approval().id()));
		assertThat(ids).hasSize(THREADS).containsOnly(ids.get(0));
		String id = ids.get(0);
		String digest = first.find(id).orElseThrow().approval().digest();
		assertThat(race(calls(() -> first.answer(id, digest, ApprovalAnswer.allowOnce("bob"), null, NOW),
				() -> second.answer(id, digest, ApprovalAnswer.allowOnce("eve"), null, NOW))))
			.containsOnlyOnce(true);
		assertThat(race(calls(() -> first.execute(id, NOW), () -> second.execute(id, NOW)))).containsOnlyOnce(true);
	}

}
