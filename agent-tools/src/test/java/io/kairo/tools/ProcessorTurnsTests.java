package io.kairo.tools;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.tools.session.ProcessorTurns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ProcessorTurns}.
 */
@Timeout(60)
class ProcessorTurnsTests {

	private final ProcessorTurns turns = new ProcessorTurns(1);

	private final Cancellation cancellation = new Cancellation();

	private final ExecutorService calls = Executors.newCachedThreadPool();

	@AfterEach
	void stop() {
		this.cancellation.cancel();
		this.calls.shutdownNow();
	}

	private CallDeadline deadline(String tenant) {
		return new CallDeadline(Duration.ofSeconds(50), this.cancellation, this.turns, tenant);
	}

	/**
	 * Runs a long call, which counts its turns.
	 */
	private void call(String tenant, AtomicInteger count) {
		this.calls.execute(() -> {
			CallDeadline deadline = deadline(tenant);
			while (!deadline.hasEnded()) {
				this.turns.await(tenant, deadline::hasEnded);
				count.incrementAndGet();
			}
		});
	}

	@Test
	void callsTakeTurns() {
		AtomicInteger count = new AtomicInteger();
		long started = System.nanoTime();
		for (int i = 0; i < 8; i++) {
			call("a", count);
		}
		await().until(() -> count.get() >= 50);
		assertThat((System.nanoTime() - started) / ProcessorTurns.TURN_NANOS).isGreaterThanOrEqualTo(count.get() - 9);
	}

	@Test
	void tenantWithManyCallsDelaysItsOwn() {
		AtomicInteger many = new AtomicInteger();
		AtomicInteger one = new AtomicInteger();
		for (int i = 0; i < 30; i++) {
			call("a", many);
		}
		await().until(() -> many.get() > 5);
		int before = many.get();
		call("b", one);
		await().until(() -> one.get() >= 20);
		assertThat(many.get() - before).isLessThan(150);
	}

	@Test
	void shortCallDoesNotWait() {
		AtomicInteger count = new AtomicInteger();
		for (int i = 0; i < 8; i++) {
			call("a", count);
		}
		await().until(() -> count.get() > 5);
		List<CompletableFuture<Boolean>> ends = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			ends.add(CompletableFuture.completedFuture(deadline("a").isOver()));
		}
		assertThat(ends).allMatch((end) -> !end.join());
	}

	@Test
	void cancellationEndsWait() {
		AtomicInteger count = new AtomicInteger();
		AtomicBoolean ended = new AtomicBoolean();
		for (int i = 0; i < 30; i++) {
			call("a", count);
		}
		this.calls.execute(() -> {
			CallDeadline deadline = deadline("a");
			while (!deadline.isOver()) {
				Thread.onSpinWait();
			}
			ended.set(true);
		});
		await().until(() -> count.get() > 5);
		this.cancellation.cancel();
		await().untilTrue(ended);
	}

	@Test
	void tenantLeavesProcessorToActiveOnes() {
		ProcessorTurns two = new ProcessorTurns(2);
		two.begin("b").close();
		AtomicInteger count = new AtomicInteger();
		long started = System.nanoTime();
		for (int i = 0; i < 8; i++) {
			this.calls.execute(() -> {
				while (!this.cancellation.isCancelled()) {
					two.begin("a");
					count.incrementAndGet();
				}
			});
		}
		await().until(() -> count.get() >= 50);
		assertThat((System.nanoTime() - started) / ProcessorTurns.TURN_NANOS).isGreaterThanOrEqualTo(count.get() - 10);
	}

	@Test
	void requestOfTheOnlyActiveTenantDoesNotWait() {
		for (int i = 0; i < 10; i++) {
			assertThat(this.turns.begin("a")).isSameAs(ProcessorTurns.NONE);
		}
		assertThat(this.turns.begin("b")).isNotSameAs(ProcessorTurns.NONE);
	}

	@Test
	void turnIsGivenBackEarly() {
		this.turns.begin("b").close();
		long started = System.nanoTime();
		for (int i = 0; i < 1000; i++) {
			this.turns.begin("a").close();
		}
		assertThat(System.nanoTime() - started).isLessThan(500 * ProcessorTurns.TURN_NANOS);
	}

	@Test
	void threadsOfOneCallTakeTurns() throws Exception {
		CallDeadline deadline = deadline("a");
		long created = System.nanoTime();
		await().until(() -> System.nanoTime() - created > ProcessorTurns.TURN_NANOS);
		long started = System.nanoTime();
		assertThat(deadline.isOver()).isFalse();
		assertThat(CompletableFuture.supplyAsync(deadline::isOver, this.calls).get()).isFalse();
		assertThat(System.nanoTime() - started).isGreaterThanOrEqualTo(ProcessorTurns.TURN_NANOS);
	}

}
