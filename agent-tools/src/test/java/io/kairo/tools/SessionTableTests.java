package io.kairo.tools;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
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
	void idleSessionEndsAndIsOpenedAnew() {
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
	void sessionWithACallIsNotIdleHoweverLongItTakes() {
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
	void newSessionEndsIdleOnes() {
		enter("a").close();
		pass(Duration.ofMinutes(10));
		enter("b").close();
		assertThat(this.ended).containsExactly("a");
	}

	@Test
	void beyondTheMaximumTheLeastRecentlyUsedEnds() {
		enter("a").close();
		enter("b").close();
		enter("a").close();
		enter("c").close();
		assertThat(this.ended).containsExactly("b");
	}

	@Test
	void sessionThatIsUsedIsNotEvicted() {
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
	void tenantThatNeedsRoomLosesSessionsOfItsOwnFirst() {
		this.table.enter(new TenantContext("globex", "x"), "other", () -> session("other")).close();
		enter("a").close();
		enter("b").close();
		assertThat(this.ended).containsExactly("a");
	}

	@Test
	void sessionThatCannotBeEndedKeepsNobodyFromAnything() {
		SessionTable failing = new SessionTable(new SessionBounds(Duration.ofMinutes(10), 9), (session) -> {
			this.ended.add(String.valueOf(session.id()));
			throw new IllegalStateException("alice's workspace is stuck");
		}, this.time::get);
		failing.enter(ACME, "a", () -> session("a")).close();
		failing.enter(ACME, "b", () -> session("b")).close();
		failing.enter(ACME, null, () -> session(null)).close();
		assertThat(this.ended).containsExactly("null");
		pass(Duration.ofMinutes(10));
		failing.enter(ACME, "c", () -> session("c")).close();
		assertThat(this.ended).containsExactly("null", "a", "b");
		pass(Duration.ofMinutes(10));
		failing.endIdle();
		assertThat(this.ended).containsExactly("null", "a", "b", "c");
	}

	@Test
	void sessionsOfAKindAreEndedAndCounted() {
		SessionTable.Use used = enter("a");
		enter("b").close();
		assertThat(this.table.end((session) -> true)).isEqualTo(2);
		assertThat(this.ended).containsExactly("b");
		assertThat(this.table.list()).isEmpty();
		used.close();
		assertThat(this.ended).containsExactly("b", "a");
	}

	@Test
	void closingEndsEverySessionAfterItsCallAndLetsNoneBegin() {
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
	void sessionThatIsOpenedWhileTheTableIsClosedEndsAtOnce() {
		assertThatIllegalStateException().isThrownBy(() -> this.table.enter(ACME, "late", () -> {
			this.table.close();
			return session("late");
		}));
		assertThat(this.ended).containsExactly("late");
	}

	@Test
	void sessionThatIsOpenedTwiceAtOnceIsOne() {
		SessionTable.Use outer = this.table.enter(ACME, "a", () -> {
			enter("a").close();
			return session("a");
		});
		assertThat(this.ended).hasSize(1);
		outer.close();
		assertThat(this.table.list()).hasSize(1);
	}

	private SessionTable.Use enter(String id) {
		return this.table.enter(ACME, id, () -> session(id));
	}

	private AgentSession session(String id) {
		this.opened.incrementAndGet();
		return new AgentSession(id, ACME, Workspace.cwd());
	}

	private void pass(Duration duration) {
		this.time.addAndGet(duration.toNanos());
	}

}
