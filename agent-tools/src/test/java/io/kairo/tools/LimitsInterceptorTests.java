package io.kairo.tools;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.bucket4j.TimeMeter;
import io.kairo.api.tenant.TenantContext;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link LimitsInterceptor}.
 */
class LimitsInterceptorTests {

	private static final ToolInterceptor.Chain DONE = (call, context) -> ToolResult.ok("done", Map.of());

	private final AtomicLong time = new AtomicLong();

	private final LimitsInterceptor interceptor = interceptor(new TenantLimits(2, 5, 8));

	@Test
	void commandsOfAMinuteAreUsedUpAndComeBack() {
		for (int i = 0; i < 5; i++) {
			assertThat(call("acme", "Bash").error()).isNull();
		}
		ToolResult refused = call("acme", "Bash");
		assertThat(refused.error().code()).isEqualTo(ToolError.RATE_LIMITED);
		assertThat(refused.data()).containsEntry("limit", "executions-per-minute")
			.containsEntry("maximum", 5)
			.containsEntry("retryAfterMs", 12_000L)
			.containsEntry("error", "rate_limited");
		assertThat(refused.text()).contains("5 commands of a minute", "12,000 ms");
		pass(Duration.ofMillis(11_999));
		assertThat(call("acme", "Bash").error()).isNotNull();
		pass(Duration.ofMillis(1));
		assertThat(call("acme", "Bash").error()).isNull();
	}

	@Test
	void callsOfAMinuteCountForEveryTool() {
		IntStream.range(0, 8).forEach((i) -> assertThat(call("acme", "Read").error()).isNull());
		assertThat(call("acme", "Made-up").data()).containsEntry("limit", "calls-per-minute");
		assertThat(call("acme", "Bash").data()).containsEntry("limit", "calls-per-minute");
	}

	@Test
	void toolsThatRunNoCommandAreNoExecution() {
		IntStream.range(0, 6).forEach((i) -> assertThat(call("acme", "Read").error()).isNull());
		assertThat(this.interceptor.usage()).singleElement()
			.isEqualTo(new TenantUsage("acme", new TenantLimits(2, 5, 8), 0, 0, 6));
	}

	@Test
	void soManyCommandsRunAtATimeAndAFailedOneMakesRoom() {
		ToolResult innermost = nested(2);
		assertThat(innermost.error().code()).isEqualTo(ToolError.TOO_MANY_EXECUTIONS);
		assertThat(innermost.data()).containsEntry("limit", "concurrent-executions").containsKey("retryAfterMs");
		assertThat(this.interceptor.usage().get(0).runningExecutions()).isZero();
		assertThatIllegalStateException().isThrownBy(() -> this.interceptor
			.intercept(new ToolCall("", "Bash", Map.of()), context("acme"), (call, context) -> {
				throw new IllegalStateException("on purpose");
			}));
		assertThat(this.interceptor.usage().get(0).runningExecutions()).isZero();
	}

	@Test
	void refusedCommandIsNotCountedAsOneOfTheMinute() {
		nested(2);
		assertThat(this.interceptor.usage().get(0).executionsLastMinute()).isEqualTo(2);
	}

	@Test
	void tenantsHaveLimitsOfTheirOwn() {
		IntStream.range(0, 5).forEach((i) -> call("acme", "Bash"));
		assertThat(call("acme", "Bash").error()).isNotNull();
		assertThat(call("globex", "Bash").error()).isNull();
	}

	@Test
	void idleTenantsAreForgottenAndBusyOnesAreNot() {
		IntStream.range(0, 5).forEach((i) -> call("busy", "Bash"));
		AtomicInteger known = new AtomicInteger();
		this.interceptor.intercept(new ToolCall("", "Bash", Map.of()), context("running"), (call, context) -> {
			for (int i = 0; i < 5000; i++) {
				call("t" + i, "Read");
				pass(Duration.ofMillis(11));
				known.accumulateAndGet(this.interceptor.usage().size(), Math::max);
				call("busy", "Bash");
			}
			return DONE.proceed(call, context);
		});
		assertThat(known.get()).isBetween(500, 2500);
		assertThat(this.interceptor.usage()).extracting(TenantUsage::tenant).contains("busy", "running");
	}

	@Test
	void neverRunsMoreAtATimeThanAllowedHoweverManyThreadsTry() throws Exception {
		LimitsInterceptor interceptor = new LimitsInterceptor((tenant) -> new TenantLimits(3, 100_000, 100_000),
				"Bash"::equals);
		AtomicInteger running = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 12; i++) {
			threads.add(new Thread(() -> IntStream.range(0, 300)
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
	void limitsAreAboveZero() {
		assertThatIllegalArgumentException().isThrownBy(() -> new TenantLimits(0, 1, 1));
	}

	private LimitsInterceptor interceptor(TenantLimits limits) {
		return new LimitsInterceptor((tenant) -> limits, "Bash"::equals, new TimeMeter() {

			@Override
			public long currentTimeNanos() {
				return LimitsInterceptorTests.this.time.get();
			}

			@Override
			public boolean isWallClockBased() {
				return false;
			}

		});
	}

	/** Calls from within a call, so that both run at the same time. */
	private ToolResult nested(int depth) {
		return this.interceptor.intercept(new ToolCall("", "Bash", Map.of()), context("acme"),
				(call, context) -> (depth > 0) ? nested(depth - 1) : DONE.proceed(call, context));
	}

	private ToolResult call(String tenant, String tool) {
		return this.interceptor.intercept(new ToolCall("", tool, Map.of()), context(tenant), DONE);
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
