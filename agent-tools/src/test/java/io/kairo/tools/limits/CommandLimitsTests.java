package io.kairo.tools.limits;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxLimitException;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.NoFiles;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link LimitsInterceptor} around a sandbox.
 */
class CommandLimitsTests {

	private final LimitsInterceptor limits = new LimitsInterceptor((tenant) -> new TenantLimits(1, 3, 100),
			"Bash"::equals);

	private StartedCommand last = new StartedCommand();

	private final ExecutionSandbox sandbox = around((request) -> {
		this.last = new StartedCommand();
		return this.last;
	});

	@Test
	void startedCommandIsRefusedAtLimitUntilAnotherOneEnds() {
		StartedCommand running = start(this.sandbox, "acme");
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(this.sandbox, "acme"))
			.withMessageContainingAll("1 command", "1,000 ms", "when a command has ended")
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.TOO_MANY_EXECUTIONS));
		start(this.sandbox, "globex").end();
		running.end();
		start(this.sandbox, "acme").end();
		assertThat(this.limits.usage().get(0).runningExecutions()).isZero();
	}

	@Test
	void slotIsFreeOnceExitIsSeen() {
		StartedCommand next = around((request) -> new EndedCommand()).start(StartedCommand.request("acme"))
			.exit()
			.map((exit) -> start(this.sandbox, "acme"))
			.block();
		assertThat(next).isNotNull();
	}

	@Test
	void startedCommandsCountTowardsMinute() {
		for (int i = 0; i < 3; i++) {
			start(this.sandbox, "acme").end();
		}
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(this.sandbox, "acme"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.RATE_LIMITED))
			.asInstanceOf(InstanceOfAssertFactories.type(SandboxLimitException.class))
			.satisfies((ex) -> {
				assertThat(ex.limit()).isEqualTo("executions-per-minute");
				assertThat(ex.maximum()).isEqualTo(3);
				assertThat(ex.retryAfter()).isPositive();
			});
		assertThat(this.limits.usage().get(0).runningExecutions()).isZero();
	}

	@Test
	void failedStartFreesSlot() {
		ExecutionSandbox failing = around((request) -> {
			throw new IllegalStateException("on purpose");
		});
		assertThatIllegalStateException().isThrownBy(() -> start(failing, "acme"));
		start(this.sandbox, "acme").end();
	}

	@Test
	void sandboxThatDelegatesCountsOnce() {
		start(around(this.sandbox), "acme").end();
		assertThat(this.limits.usage().get(0).executionsLastMinute()).isEqualTo(1);
	}

	@Test
	void commandsOfToolShareItsSlotOneByOneAndCountEach() {
		call((call, context) -> {
			start(context.sandbox(), "acme").end();
			assertThat(this.limits.usage().get(0).executionsLastMinute()).isEqualTo(1);
			start(this.sandbox, "acme").end();
			assertThat(this.limits.usage().get(0).executionsLastMinute()).isEqualTo(2);
			assertThat(this.limits.usage().get(0).runningExecutions()).isEqualTo(1);
			return ToolResult.ok("done", Map.of());
		});
		assertThat(this.limits.usage().get(0).runningExecutions()).isZero();
	}

	@Test
	void commandThatToolStartsOnAnotherThreadIsNotCountedTwice() {
		call((call, context) -> {
			AtomicReference<StartedCommand> started = new AtomicReference<>();
			Thread thread = new Thread(() -> started.set(start(context.sandbox(), "acme")));
			thread.start();
			join(thread);
			assertThat(started.get()).isNotNull();
			assertThat(this.limits.usage().get(0).executionsLastMinute()).isEqualTo(1);
			started.get().end();
			return ToolResult.ok("done", Map.of());
		});
	}

	@Test
	void secondCommandAtTimeOfOneToolNeedsSlotOfItsOwn() {
		call((call, context) -> {
			StartedCommand first = start(context.sandbox(), "acme");
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(context.sandbox(), "acme"));
			first.end();
			return ToolResult.ok("done", Map.of());
		});
	}

	@Test
	void commandThatFailsToStartAndIsRetriedByToolCountsOnce() {
		ExecutionSandbox failing = around((request) -> {
			throw new IllegalStateException("on purpose");
		});
		call((call, context) -> {
			assertThatIllegalStateException().isThrownBy(() -> start(failing, "acme"));
			start(context.sandbox(), "acme").end();
			return ToolResult.ok("done", Map.of());
		});
		assertThat(this.limits.usage().get(0).executionsLastMinute()).isEqualTo(1);
	}

	@Test
	void commandThatOutlivesItsCallKeepsSlot() {
		AtomicReference<StartedCommand> started = new AtomicReference<>();
		call((call, context) -> {
			started.set(start(context.sandbox(), "acme"));
			return ToolResult.ok("done", Map.of());
		});
		assertThat(this.limits.usage().get(0).runningExecutions()).isEqualTo(1);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(this.sandbox, "acme"));
		started.get().end();
		start(this.sandbox, "acme").end();
	}

	@Test
	void commandForAnotherTenantCountsForThatTenant() {
		call((call, context) -> {
			start(context.sandbox(), "globex").end();
			return ToolResult.ok("done", Map.of());
		});
		assertThat(this.limits.usage()).extracting(TenantUsage::tenant, TenantUsage::executionsLastMinute)
			.containsExactly(tuple("acme", 1L), tuple("globex", 1L));
	}

	private ExecutionSandbox around(ExecutionSandbox sandbox) {
		return SandboxInterceptor.around(sandbox, List.of(this.limits));
	}

	private StartedCommand start(ExecutionSandbox sandbox, String tenant) {
		sandbox.start(StartedCommand.request(tenant));
		return this.last;
	}

	private void call(ToolInterceptor.Chain tool) {
		ToolContext context = ToolContext.builder(null)
			.files(new NoFiles())
			.sandbox(this.sandbox)
			.tenant(new TenantContext("acme", "ann"))
			.build();
		assertThat(this.limits.intercept(new ToolCall("", "Bash", Map.of()), context, tool).error()).isNull();
	}

	private static void join(Thread thread) {
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * A command that has ended, of which its first subscriber does not hear yet.
	 */
	private static final class EndedCommand implements SandboxHandle {

		private final AtomicInteger asked = new AtomicInteger();

		@Override
		public Mono<SandboxExit> exit() {
			return (this.asked.getAndIncrement() == 0) ? Mono.never()
					: Mono.just(new SandboxExit(0, null, false, false));
		}

		@Override
		public Flux<SandboxOutputChunk> output() {
			return Flux.empty();
		}

		@Override
		public void cancel() {
		}

		@Override
		public void close() {
		}

	}

}
