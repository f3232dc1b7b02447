package io.kairo.tools;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SessionTable}.
 */
class SessionTableTests {

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private final AtomicLong time = new AtomicLong();

	private final AtomicInteger opened = new AtomicInteger();

	private final List<String> ended = new ArrayList<>();

	private final SessionTable table = new SessionTable(new SessionBounds(Duration.ofMinutes(10), 2),
			(session) -> this.ended.add(String.valueOf(session.id())), this.time::get);

	@Test
	void idleSessionEndsAndIsReopenedOnNextUse() {
		enter("a").close();
		pass(Duration.ofMinutes(9));
		enter("a").close();
		pass(Duration.ofMinutes(9));
		enter("a").close();
		assertThat(this.opened).hasValue(1);
		pass(Duration.ofMinutes(10));
		this.table.endIdle();
		assertThat(this.ended).containsExactly("a");
		enter("a").close();
		assertThat(this.opened).hasValue(2);
	}

	@Test
	void sessionIsNotIdleDuringLongCall() {
		SessionTable.Use use = enter("a");
		pass(Duration.ofHours(3));
		this.table.endIdle();
		assertThat(this.ended).isEmpty();
		use.close();
		pass(Duration.ofMinutes(9));
		this.table.endIdle();
		assertThat(this.ended).isEmpty();
	}

	@Test
	void openingSessionEndsIdleSessions() {
		enter("a").close();
		pass(Duration.ofMinutes(10));
		enter("b").close();
		assertThat(this.ended).containsExactly("a");
	}

	@Test
	void leastRecentlyUsedSessionEndsBeyondMaximum() {
		enter("a").close();
		enter("b").close();
		enter("a").close();
		enter("c").close();
		assertThat(this.ended).containsExactly("b");
	}

	@Test
	void sessionInUseIsNotEvicted() {
		SessionTable.Use first = enter("a");
		SessionTable.Use second = enter("b");
		SessionTable.Use third = enter("c");
		assertThat(this.table.list()).hasSize(3);
		second.close();
		enter("d").close();
		assertThat(this.ended).containsExactly("b");
		third.close();
		first.close();
		enter("e").close();
		assertThat(this.ended).containsExactly("b", "d", "c");
		assertThat(this.table.list()).hasSize(2);
	}

	@Test
	void tenantBeyondMaximumLosesItsOwnSessionsFirst() {
		this.table.enter(key(new TenantContext("globex", "x"), "other"), () -> session("other")).close();
		enter("a").close();
		enter("b").close();
		assertThat(this.ended).containsExactly("a");
	}

	@Test
	void tenantWithManySessionsDoesNotEvictThoseOfAnotherTenant() {
		SessionTable crowded = new SessionTable(new SessionBounds(Duration.ofMinutes(10), 1000),
				(session) -> this.ended.add(String.valueOf(session.id())), this.time::get);
		crowded.enter(key(new TenantContext("globex", "x"), "eldest"), () -> session("eldest")).close();
		IntStream.range(0, 3000).forEach((i) -> crowded.enter(key(ACME, "s" + i), () -> session("s" + i)).close());
		crowded.enter(key(new TenantContext("initech", "x"), "new"), () -> session("new")).close();
		assertThat(this.ended).hasSize(2002).doesNotContain("eldest", "new").startsWith("s0", "s1");
		assertThat(crowded.list()).hasSize(1000);
	}

	@Test
	void tenantWithAllSessionsInUseDoesNotEvictThoseOfTenantWithFewer() {
		this.table.enter(key(new TenantContext("globex", "x"), "other"), () -> session("other")).close();
		SessionTable.Use first = enter("a");
		SessionTable.Use second = enter("b");
		assertThat(this.ended).isEmpty();
		second.close();
		first.close();
		enter("c").close();
		assertThat(this.ended).containsExactly("b", "a");
	}

	@Test
	void maximumAppliesWhenEachTenantHasOneSession() {
		for (int i = 0; i < 5; i++) {
			String id = "s" + i;
			this.table.enter(key(new TenantContext("t" + i, "x"), id), () -> session(id)).close();
		}
		assertThat(this.ended).containsExactly("s0", "s1", "s2");
	}

	@Test
	void exceptionWhileEndingSessionDoesNotFailOtherCalls() {
		SessionTable failing = new SessionTable(new SessionBounds(Duration.ofMinutes(10), 9), (session) -> {
			this.ended.add(String.valueOf(session.id()));
			throw new IllegalStateException("alice's workspace is stuck");
		}, this.time::get);
		failing.enter(key(ACME, "a"), () -> session("a")).close();
		failing.enter(key(ACME, "b"), () -> session("b")).close();
		failing.enter(() -> session(null)).close();
		assertThat(this.ended).containsExactly("null");
		pass(Duration.ofMinutes(10));
		failing.enter(key(ACME, "c"), () -> session("c")).close();
		assertThat(this.ended).containsExactly("null", "a", "b");
		pass(Duration.ofMinutes(10));
		failing.endIdle();
		assertThat(this.ended).containsExactly("null", "a", "b", "c");
	}

	@Test
	void errorWhileEndingSessionDoesNotKeepOthersOpen() {
		SessionTable failing = new SessionTable(new SessionBounds(Duration.ofMinutes(10), 9), (session) -> {
			this.ended.add(String.valueOf(session.id()));
			throw new NoClassDefFoundError("the class of the provider cannot be loaded");
		}, this.time::get);
		failing.enter(key(ACME, "a"), () -> session("a")).close();
		failing.enter(key(ACME, "b"), () -> session("b")).close();
		pass(Duration.ofMinutes(10));
		failing.endIdle();
		assertThat(this.ended).containsExactly("a", "b");
	}

	@Test
	void timeoutLongerThanClockRangeNeverElapses() {
		SessionTable patient = new SessionTable(new SessionBounds(Duration.ofSeconds(Long.MAX_VALUE), 9),
				(session) -> this.ended.add(String.valueOf(session.id())), this.time::get);
		patient.enter(key(ACME, "a"), () -> session("a")).close();
		pass(Duration.ofDays(36_500));
		patient.endIdle();
		assertThat(this.ended).isEmpty();
	}

	@Test
	void closingUseTwiceCountsOnce() {
		SessionTable.Use first = enter("a");
		SessionTable.Use second = enter("a");
		first.close();
		first.close();
		pass(Duration.ofMinutes(10));
		this.table.endIdle();
		assertThat(this.ended).isEmpty();
		second.close();
		assertThat(this.table.end((session) -> true)).isOne();
		assertThat(this.ended).containsExactly("a");
	}

	@Test
	void endReturnsNumberOfMatchingSessions() {
		SessionTable.Use used = enter("a");
		enter("b").close();
		assertThat(this.table.end((session) -> true)).isEqualTo(2);
		assertThat(this.ended).containsExactly("b");
		assertThat(this.table.list()).isEmpty();
		used.close();
		assertThat(this.ended).containsExactly("b", "a");
	}

	@Test
	void closeEndsSessionsAfterTheirCallsAndRejectsNewOnes() {
		SessionTable.Use used = enter("a");
		enter("b").close();
		this.table.close();
		assertThat(this.ended).containsExactly("b");
		assertThatIllegalStateException().isThrownBy(() -> enter("a"));
		assertThatIllegalStateException().isThrownBy(() -> enter(null));
		assertThat(this.opened).hasValue(2);
		used.close();
		assertThat(this.ended).containsExactly("b", "a");
	}

	@Test
	void sessionOpenedDuringCloseEndsImmediately() {
		assertThatIllegalStateException().isThrownBy(() -> this.table.enter(key(ACME, "late"), () -> {
			this.table.close();
			return session("late");
		}));
		assertThat(this.ended).containsExactly("late");
	}

	@Test
	void sessionOpenedTwiceConcurrentlyIsKeptOnce() {
		SessionTable.Use outer = this.table.enter(key(ACME, "a"), () -> {
			enter("a").close();
			return session("a");
		});
		assertThat(this.ended).hasSize(1);
		outer.close();
		assertThat(this.table.list()).hasSize(1);
	}

	@Test
	void invalidBoundIsNamedInException() {
		assertThatIllegalArgumentException().isThrownBy(() -> new SessionBounds(Duration.ZERO, 5))
			.withMessageContaining("idleTimeout is PT0S");
		assertThatIllegalArgumentException().isThrownBy(() -> new SessionBounds(Duration.ofHours(1), 0))
			.withMessageContaining("maxSessions is 0");
	}

	private SessionTable.Use enter(String id) {
		return (id != null) ? this.table.enter(key(ACME, id), () -> session(id))
				: this.table.enter(() -> session(null));
	}

	private static SessionKey key(TenantContext tenant, String id) {
		return SessionKey.of(SessionRequest.of(tenant, id), id);
	}

	private AgentSession session(String id) {
		this.opened.incrementAndGet();
		return new AgentSession(id, ACME, Workspace.cwd());
	}

	private void pass(Duration duration) {
		this.time.addAndGet(duration.toNanos());
	}

}
