package io.kairo.tools.limits;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.NoFiles;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link LimitsInterceptor}.
 */
class LimitsInterceptorTests {

	private static final ToolInterceptor.Chain DONE = (call, context) -> ToolResult.ok("done", Map.of());

	private static final ToolInterceptor.Chain FAILING = (call, context) -> {
		throw new IllegalStateException("on purpose");
	};

	private final AtomicLong time = new AtomicLong();

	private final LimitsInterceptor interceptor = interceptor(new TenantLimits(2, 5, 8));

	@Test
	void commandsAreRefusedAtLimitAndAllowedAfterMinute() {
		for (int i = 0; i < 5; i++) {
			assertThat(call("acme", "Bash").error()).isNull();
		}
		ToolResult refused = call("acme", "Bash");
		assertThat(refused.error().code()).isEqualTo(ToolError.RATE_LIMITED);
		assertThat(refused.data()).containsEntry("limit", "executions-per-minute")
			.containsEntry("maximum", 5)
			.containsEntry("retryAfterMs", 60_100L)
			.containsEntry("error", "rate_limited");
		assertThat(refused.text()).contains("5 commands of a minute", "60,100 ms");
		pass(Duration.ofMillis(60_099));
		assertThat(call("acme", "Bash").error()).isNotNull();
		pass(Duration.ofMillis(1));
		assertThat(call("acme", "Bash").error()).isNull();
	}

	@Test
	void anySlidingMinuteStaysWithinCommandLimit() {
		SplittableRandom random = new SplittableRandom(42);
		LimitsInterceptor interceptor = interceptor(new TenantLimits(2, 120, 3000));
		List<Long> admitted = new ArrayList<>();
		for (int i = 0; i < 20_000; i++) {
			if (call(interceptor, "acme", "Bash").error() == null) {
				admitted.add(this.time.get());
			}
			pass(Duration.ofMillis(random.nextInt(40)));
		}
		assertThat(admitted).hasSizeGreaterThan(120 * 6);
		for (int i = 120; i < admitted.size(); i++) {
			assertThat(admitted.get(i) - admitted.get(i - 120)).as("seed 42, command %d", i)
				.isGreaterThanOrEqualTo(Duration.ofMinutes(1).toNanos());
		}
	}

	@Test
	void callAfterRetryDelayIsAdmitted() {
		SplittableRandom random = new SplittableRandom(43);
		LimitsInterceptor interceptor = interceptor(new TenantLimits(2, 7, 3000));
		int refusals = 0;
		for (int i = 0; i < 200; i++) {
			ToolResult result = call(interceptor, "acme", "Bash");
			if (result.error() != null) {
				refusals++;
				pass(Duration.ofMillis((long) result.data().get("retryAfterMs")));
				assertThat(call(interceptor, "acme", "Bash").error()).as("seed 43, command %d", i).isNull();
			}
			pass(Duration.ofMillis(random.nextInt(9000)));
		}
		assertThat(refusals).isPositive();
	}

	@Test
	void usageCoversLastMinute() {
		call("acme", "Bash");
		pass(Duration.ofSeconds(40));
		call("acme", "Bash");
		pass(Duration.ofSeconds(19));
		assertThat(this.interceptor.usage().get(0).executionsLastMinute()).isEqualTo(2);
		pass(Duration.ofSeconds(2));
		assertThat(this.interceptor.usage().get(0).executionsLastMinute()).isEqualTo(1);
		pass(Duration.ofHours(1));
		assertThat(this.interceptor.usage().get(0).callsLastMinute()).isZero();
	}

	@Test
	void callLimitAppliesToEveryTool() {
		IntStream.range(0, 8).forEach((i) -> assertThat(call("acme", "Read").error()).isNull());
		assertThat(call("acme", "Made-up").data()).containsEntry("limit", "calls-per-minute");
		assertThat(call("acme", "Bash").data()).containsEntry("limit", "calls-per-minute");
	}

	@Test
	void onlyCommandToolsCountAsExecutions() {
		IntStream.range(0, 6).forEach((i) -> assertThat(call("acme", "Read").error()).isNull());
		assertThat(this.interceptor.usage()).singleElement()
			.isEqualTo(new TenantUsage("acme", new TenantLimits(2, 5, 8), 0, 0, 6));
	}

	@Test
	void commandThatMayNotWaitIsRefusedAndFailureFreesSlot() {
		LimitsInterceptor interceptor = interceptor(new TenantLimits(1, 5, 8, 8, Duration.ZERO));
		StartedCommand running = StartedCommand.of(interceptor, "acme");
		ToolResult refused = call(interceptor, "acme", "Bash");
		assertThat(refused.error().code()).isEqualTo(ToolError.TOO_MANY_EXECUTIONS);
		assertThat(refused.data()).containsEntry("limit", "concurrent-executions").containsKey("retryAfterMs");
		assertThat(interceptor.usage().get(0).executionsLastMinute()).isEqualTo(1);
		running.end();
		assertThatIllegalStateException()
			.isThrownBy(() -> interceptor.intercept(new ToolCall("", "Bash", Map.of()), context("acme"), FAILING));
		assertThat(interceptor.usage().get(0).runningExecutions()).isZero();
	}

	@Test
	void callWithinCommandSharesItsSlotAndCountsTowardsMinute() {
		LimitsInterceptor interceptor = interceptor(new TenantLimits(1, 3, 8, 8, Duration.ZERO));
		List<Integer> running = new ArrayList<>();
		ToolInterceptor.Chain inner = (call, context) -> {
			StartedCommand.of(interceptor, "acme").end();
			running.add(interceptor.usage().get(0).runningExecutions());
			return DONE.proceed(call, context);
		};
		ToolInterceptor.Chain outer = (call, context) -> {
			interceptor.intercept(call, context, inner);
			interceptor.intercept(call, context, inner);
			return interceptor.intercept(call, context, inner);
		};
		ToolResult last = interceptor.intercept(new ToolCall("", "Bash", Map.of()), context("acme"), outer);
		assertThat(last.error().code()).isEqualTo(ToolError.RATE_LIMITED);
		assertThat(running).containsExactly(1, 1);
		assertThat(interceptor.usage().get(0).executionsLastMinute()).isEqualTo(3);
	}

	@Test
	void concurrentCallsOfAllToolsAreLimitedPerTenant() {
		LimitsInterceptor interceptor = interceptor(new TenantLimits(1, 5, 8, 2));
		List<ToolResult> inner = new ArrayList<>();
		assertThatIllegalStateException().isThrownBy(() -> interceptor.intercept(new ToolCall("", "Read", Map.of()),
				context("acme"),
				(read, context) -> interceptor.intercept(new ToolCall("", "Bash", Map.of()), context, (bash, same) -> {
					inner.add(call(interceptor, "acme", "Grep"));
					inner.add(call(interceptor, "globex", "Grep"));
					assertThat(interceptor.usage().get(0).runningCalls()).isEqualTo(2);
					throw new IllegalStateException("on purpose");
				})));
		assertThat(inner.get(0).error().code()).isEqualTo(ToolError.TOO_MANY_CALLS);
		assertThat(inner.get(0).data()).containsEntry("limit", "concurrent-calls")
			.containsEntry("maximum", 2)
			.containsEntry("retryAfterMs", 1000L);
		assertThat(inner.get(1).error()).isNull();
		assertThat(interceptor.usage().get(0).runningCalls()).isZero();
		assertThat(call(interceptor, "acme", "Bash").error()).isNull();
	}

	@Test
	void tenantsHaveSeparateLimits() {
		IntStream.range(0, 5).forEach((i) -> call("acme", "Bash"));
		assertThat(call("acme", "Bash").error()).isNotNull();
		assertThat(call("globex", "Bash").error()).isNull();
	}

	@Test
	void idleTenantsAreForgottenButBusyTenantsAreKept() {
		IntStream.range(0, 5).forEach((i) -> call("busy", "Bash"));
		AtomicInteger known = new AtomicInteger();
		this.interceptor.intercept(new ToolCall("", "Bash", Map.of()), context("running"), (call, context) -> {
			for (int i = 0; i < 5000; i++) {
				call("t" + i, "Read");
				pass(Duration.ofMillis(88));
				if (i % 10 == 0) {
					known.accumulateAndGet(this.interceptor.usage().size(), Math::max);
				}
				call("busy", "Bash");
			}
			return DONE.proceed(call, context);
		});
		assertThat(known.get()).isBetween(500, 2500);
		assertThat(this.interceptor.usage()).extracting(TenantUsage::tenant).contains("busy", "running");
	}

	@Test
	void concurrencyLimitHoldsAcrossManyThreads() throws Exception {
		LimitsInterceptor interceptor = new LimitsInterceptor((tenant) -> new TenantLimits(3, 100_000, 100_000),
				"Bash"::equals);
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 12; i++) {
			threads.add(new Thread(() -> IntStream.range(0, 100)
				.forEach((n) -> interceptor.intercept(new ToolCall("", "Bash", Map.of()), context("acme"),
						(call, context) -> {
							most.accumulateAndGet(running.incrementAndGet(), Math::max);
							Thread.yield();
							running.decrementAndGet();
							return DONE.proceed(call, context);
						}))));
		}
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(most.get()).isBetween(1, 3);
		assertThat(interceptor.usage().get(0).runningExecutions()).isZero();
	}

	@Test
	void limitBelowOneIsRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> new TenantLimits(0, 1, 1));
		assertThatIllegalArgumentException().isThrownBy(() -> new TenantLimits(1, 1, 1, 0));
		assertThatIllegalArgumentException().isThrownBy(() -> new TenantLimits(1, 1, 1, 1, Duration.ofMillis(-1)));
	}

	private LimitsInterceptor interceptor(TenantLimits limits) {
		return new LimitsInterceptor((tenant) -> limits, "Bash"::equals, this.time::get);
	}

	private ToolResult call(String tenant, String tool) {
		return call(this.interceptor, tenant, tool);
	}

	private static ToolResult call(LimitsInterceptor interceptor, String tenant, String tool) {
		return interceptor.intercept(new ToolCall("", tool, Map.of()), context(tenant), DONE);
	}

	private static ToolContext context(String tenant) {
		return ToolContext.builder(null).files(new NoFiles()).sandbox((request) -> {
			throw new IllegalStateException("not used");
		}).tenant(new TenantContext(tenant, "ann")).build();
	}

	private void pass(Duration duration) {
		this.time.addAndGet(duration.toNanos());
	}

}
