package io.kairo.governance.ledger;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxLimitException;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.process.LocalProcessSandbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link BudgetInterceptor}.
 */
class BudgetInterceptorTests {

	private final Budgets budgets = new Budgets(new InMemoryUsageLedger(), (tenant) -> new Budget(2L, null, null),
			BudgetOptions.DEFAULTS, Clock.systemUTC());

	private final BudgetInterceptor interceptor = new BudgetInterceptor(this.budgets);

	@TempDir
	private Path directory;

	@AfterEach
	void close() {
		this.budgets.close();
	}

	private SandboxRequest request(String command) {
		return new SandboxRequest.Builder(command, this.directory).tenant(new TenantContext("acme", "alice")).build();
	}

	private ExecutionSandbox around(ExecutionSandbox sandbox) {
		return SandboxInterceptor.around(sandbox, List.of(this.interceptor));
	}

	private DailyUsage usage() {
		await().until(() -> this.budgets.pendingCharges() == 0);
		return this.budgets.status("acme").usage();
	}

	@Test
	void commandIsCountedAndItsOutputCharged() {
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox();
				SandboxHandle handle = around(sandbox).start(request("echo hello; echo error >&2"))) {
			assertThat(this.budgets.status("acme").usage().executions()).isEqualTo(1);
			assertThat(handle.exit().block()).isNotNull();
		}
		assertThat(usage().executions()).isEqualTo(1);
		assertThat(usage().outputBytes()).isEqualTo(12);
	}

	@Test
	void outputThatIsNotRetainedIsCharged() {
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox()) {
			SandboxRequest request = new SandboxRequest.Builder("head -c 100000 /dev/zero", this.directory)
				.maxOutputBytes(10)
				.tenant(new TenantContext("acme", "alice"))
				.build();
			around(sandbox).start(request).exit().block();
		}
		assertThat(usage().outputBytes()).isEqualTo(100_000);
	}

	@Test
	void commandBeyondTheBudgetIsNotStarted() {
		ExecutionSandbox sandbox = around((request) -> new Ended(null));
		sandbox.start(request("a"));
		sandbox.start(request("b"));
		assertThatExceptionOfType(SandboxLimitException.class).isThrownBy(() -> sandbox.start(request("c")))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BUDGET_EXCEEDED));
		assertThat(usage().executions()).isEqualTo(2);
	}

	@Test
	void commandThatCouldNotBeStartedIsNotCounted() {
		ExecutionSandbox sandbox = around((request) -> {
			throw new SandboxException(SandboxErrorCode.START_FAILED, "no", "none");
		});
		for (int i = 0; i < 5; i++) {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.start(request("a")))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.START_FAILED));
		}
		assertThat(usage().executions()).isZero();
	}

	@Test
	void commandThatWasNotRunIsNotCounted() {
		around((request) -> new Ended(SandboxExit.NOT_RUN)).start(request("a"));
		assertThat(usage().executions()).isZero();
	}

	@Test
	void sandboxThatDelegatesToAnotherOneIsCountedOnce() {
		ExecutionSandbox inner = around((request) -> new Ended(null));
		around(inner).start(request("a"));
		assertThat(usage().executions()).isEqualTo(1);
	}

	@Test
	void commandIsChargedBeforeItsExitIsSeen() {
		Running running = new Running();
		SandboxHandle handle = around((request) -> running).start(request("a"));
		AtomicReference<DailyUsage> seen = new AtomicReference<>();
		handle.exit().subscribe((exit) -> {
			this.budgets.reserve("acme");
			seen.set(this.budgets.status("acme").usage());
		});
		handle.output().subscribe();
		running.exit.tryEmitValue(new SandboxExit(0, null, false, false));
		assertThat(seen.get().cpuTime()).isEqualTo(Duration.ofMillis(5));
		assertThat(seen.get().outputBytes()).isEqualTo(3);
	}

	/**
	 * A command that has ended.
	 */
	private record Ended(String signal) implements SandboxHandle {

		@Override
		public Flux<SandboxOutputChunk> output() {
			return Flux.empty();
		}

		@Override
		public Mono<SandboxExit> exit() {
			return Mono.just(new SandboxExit(0, this.signal, false, false));
		}

		@Override
		public void cancel() {
		}

		@Override
		public void close() {
		}

	}

	/**
	 * A command of a sandbox that measures CPU time and does not count output.
	 */
	private static final class Running implements SandboxHandle {

		private final Sinks.One<SandboxExit> exit = Sinks.one();

		@Override
		public Flux<SandboxOutputChunk> output() {
			return Flux.just(new SandboxOutputChunk.Stdout(new byte[] { 1, 2, 3 }));
		}

		@Override
		public Mono<SandboxExit> exit() {
			return this.exit.asMono();
		}

		@Override
		public void cancel() {
		}

		@Override
		public void close() {
		}

		@Override
		public Duration cpuTime() {
			return Duration.ofMillis(5);
		}

	}

}
