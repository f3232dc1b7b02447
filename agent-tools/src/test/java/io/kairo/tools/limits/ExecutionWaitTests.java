package io.kairo.tools.limits;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.Cancellation;
import io.kairo.tools.NoFiles;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolProgress;
import io.kairo.tools.ToolResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for calls that wait until their command may run.
 */
@Timeout(120)
class ExecutionWaitTests {

	private final List<String> order = new CopyOnWriteArrayList<>();

	private final List<ToolProgress> progress = new CopyOnWriteArrayList<>();

	private final Cancellation cancellation = new Cancellation();

	@Test
	void agentThatFansOutIsServedInOrderOfArrivalByDefault() {
		LimitsInterceptor limits = limits(TenantLimits.DEFAULTS);
		List<StartedCommand> running = IntStream.range(0, 4)
			.mapToObj((i) -> StartedCommand.of(limits, "acme"))
			.toList();
		List<CompletableFuture<ToolResult>> calls = new ArrayList<>();
		for (int i = 1; i <= 20; i++) {
			calls.add(startCall(limits, "call " + i));
			awaitWaiting(limits, i);
		}
		running.get(0).end();
		assertThat(calls).allSatisfy((call) -> assertThat(call.join().error()).isNull());
		assertThat(this.order)
			.containsExactlyElementsOf(IntStream.rangeClosed(1, 20).mapToObj((i) -> "call " + i).toList());
		assertThat(limits.usage().get(0)).isEqualTo(new TenantUsage("acme", TenantLimits.DEFAULTS, 3, 24, 20, 0));
	}

	@Test
	void commandsOfMinuteAreUnlimitedByDefault() {
		LimitsInterceptor limits = limits(TenantLimits.DEFAULTS);
		assertThat(IntStream.range(0, 500).mapToObj((i) -> call(limits, "call")))
			.allSatisfy((result) -> assertThat(result.error()).isNull());
	}

	@Test
	void waitingCallOfOneTenantDoesNotDelayAnother() {
		LimitsInterceptor limits = limits(new TenantLimits(1, 10, 10));
		StartedCommand running = StartedCommand.of(limits, "globex");
		CompletableFuture<ToolResult> waiting = CompletableFuture
			.supplyAsync(() -> limits.intercept(new ToolCall("", "Bash", Map.of()), context("globex"), this::done));
		awaitWaiting(limits, 1);
		assertThat(call(limits, "call").error()).isNull();
		running.end();
		assertThat(waiting.join().error()).isNull();
	}

	@Test
	void waitingCallReportsPositionAndTime() {
		LimitsInterceptor limits = limits(new TenantLimits(1, 10, 10));
		StartedCommand running = StartedCommand.of(limits, "acme");
		CompletableFuture<ToolResult> first = startCall(limits, "first");
		awaitWaiting(limits, 1);
		CompletableFuture<ToolResult> second = startCall(limits, "second");
		Awaitility.await().until(() -> this.progress.size() >= 2);
		running.end();
		assertThat(first.join().error()).isNull();
		assertThat(second.join().error()).isNull();
		assertThat(this.progress).extracting(ToolProgress::message)
			.anySatisfy((message) -> assertThat(message).contains("position 1", "s, at most 300 s"))
			.anySatisfy((message) -> assertThat(message).contains("position 2"));
	}

	@Test
	void waitThatExceedsItsTimeoutIsRefused() {
		LimitsInterceptor limits = limits(new TenantLimits(1, 10, 10, 10, Duration.ofMillis(20)));
		StartedCommand running = StartedCommand.of(limits, "acme");
		ToolResult refused = call(limits, "call");
		assertThat(refused.error().code()).isEqualTo(ToolError.TOO_MANY_EXECUTIONS);
		assertThat(limits.usage().get(0).waitingExecutions()).isZero();
		running.end();
		assertThat(call(limits, "call").error()).isNull();
	}

	@Test
	void cancelledCallStopsWaiting() {
		LimitsInterceptor limits = limits(new TenantLimits(1, 10, 10));
		StartedCommand running = StartedCommand.of(limits, "acme");
		CompletableFuture<ToolResult> waiting = startCall(limits, "call");
		awaitWaiting(limits, 1);
		this.cancellation.cancel();
		assertThat(waiting.join().error().code()).isEqualTo(ToolError.CANCELLED);
		running.end();
		assertThat(this.order).isEmpty();
		assertThat(limits.usage().get(0).runningExecutions()).isZero();
	}

	@Test
	void interruptedCallStopsWaitingAndStaysInterrupted() {
		LimitsInterceptor limits = limits(new TenantLimits(1, 10, 10));
		StartedCommand running = StartedCommand.of(limits, "acme");
		CompletableFuture<ToolResult> first = startCall(limits, "first");
		awaitWaiting(limits, 1);
		Thread.currentThread().interrupt();
		ToolResult cancelled = call(limits, "call");
		assertThat(Thread.interrupted()).isTrue();
		assertThat(cancelled.error().code()).isEqualTo(ToolError.CANCELLED);
		awaitWaiting(limits, 1);
		running.end();
		assertThat(first.join().error()).isNull();
		assertThat(limits.usage().get(0).runningExecutions()).isZero();
	}

	@Test
	void callThatWouldExceedMinuteDoesNotWait() {
		LimitsInterceptor limits = limits(new TenantLimits(1, 1, 10));
		StartedCommand.of(limits, "acme");
		assertThat(call(limits, "call").error().code()).isEqualTo(ToolError.RATE_LIMITED);
	}

	private static LimitsInterceptor limits(TenantLimits limits) {
		return new LimitsInterceptor((tenant) -> limits, "Bash"::equals);
	}

	private static void awaitWaiting(LimitsInterceptor limits, int waiting) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(60))
			.until(() -> limits.usage().stream().mapToInt(TenantUsage::waitingExecutions).sum() == waiting);
	}

	private CompletableFuture<ToolResult> startCall(LimitsInterceptor limits, String id) {
		CompletableFuture<ToolResult> result = new CompletableFuture<>();
		Thread thread = new Thread(() -> result.complete(call(limits, id)), id);
		thread.setDaemon(true);
		thread.start();
		return result;
	}

	private ToolResult call(LimitsInterceptor limits, String id) {
		return limits.intercept(new ToolCall(id, "Bash", Map.of()), context("acme"), this::done);
	}

	private ToolResult done(ToolCall call, ToolContext context) {
		this.order.add(call.id());
		return ToolResult.ok("done", Map.of());
	}

	private ToolContext context(String tenant) {
		return ToolContext.builder(null)
			.files(new NoFiles())
			.sandbox((request) -> new StartedCommand())
			.tenant(new TenantContext(tenant, "ann"))
			.progress(this.progress::add)
			.cancellation(this.cancellation)
			.build();
	}

}
