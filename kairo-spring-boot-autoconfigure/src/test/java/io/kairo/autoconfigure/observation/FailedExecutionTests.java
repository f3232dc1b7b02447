package io.kairo.autoconfigure.observation;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.workspace.Workspace;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ExecutionLog}, {@link SandboxMeters} and the interceptors for
 * observations, when the observed code fails.
 */
class FailedExecutionTests {

	private final SandboxRequest request = new SandboxRequest.Builder("true", Path.of("/")).build();

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final ObservationRegistry observations = ObservationRegistry.create();

	FailedExecutionTests() {
		this.observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(this.meters));
	}

	@Test
	void commandWhoseExitFailsDoesNotCountAsRunning() {
		ExecutionLog log = new ExecutionLog();
		sandbox(log).start(this.request);
		assertThat(log.active()).isEmpty();
		sandbox(new SandboxMeters(this.meters, new TenantTag(1))).start(this.request);
		assertThat(this.meters.get("kairo.sandbox.active").gauge().value()).isZero();
		sandbox(new SandboxObservationInterceptor(this.observations, new TenantTag(1), null, false))
			.start(this.request);
		assertThat(this.meters.get("kairo.sandbox.executions").tag("outcome", "failed").timer().count()).isOne();
	}

	@Test
	void failureToSetUpIsForgottenWhateverTheClockSays() {
		AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
		ExecutionLog log = new ExecutionLog(nanos::get);
		SandboxInterceptor broken = (request, chain) -> {
			throw new SandboxException(SandboxErrorCode.SETUP_FAILED, "no space", "make some");
		};
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox()) {
			ExecutionSandbox intercepted = SandboxInterceptor.around(sandbox, List.of(log, broken));
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> intercepted.start(this.request));
		}
		assertThat(log.setupFailure()).contains("no space");
		nanos.addAndGet(Duration.ofMinutes(5).toNanos());
		assertThat(log.setupFailure()).isNull();
	}

	@Test
	void callThatThrowsErrorIsTimedWithOutcomeAndCode() {
		ToolObservationInterceptor interceptor = new ToolObservationInterceptor(this.observations, new TenantTag(1),
				() -> Set.of("Read"), null);
		ToolContext context = ToolContext.builder(Workspace.cwd()).build();
		assertThatExceptionOfType(StackOverflowError.class)
			.isThrownBy(() -> interceptor.intercept(new ToolCall("", "Read", Map.of()), context, (call, in) -> {
				throw new StackOverflowError();
			}));
		assertThat(
				this.meters.get("kairo.tool.calls").tags("outcome", "failed", "code", "internal_error").timer().count())
			.isOne();
	}

	private static ExecutionSandbox sandbox(SandboxInterceptor interceptor) {
		return SandboxInterceptor.around((request) -> new LostHandle(), List.of(interceptor));
	}

	private static final class LostHandle implements SandboxHandle {

		@Override
		public Flux<SandboxOutputChunk> output() {
			return Flux.empty();
		}

		@Override
		public Mono<SandboxExit> exit() {
			return Mono.error(new IllegalStateException("the connection was lost"));
		}

		@Override
		public void cancel() {
		}

		@Override
		public void close() {
		}

	}

}
