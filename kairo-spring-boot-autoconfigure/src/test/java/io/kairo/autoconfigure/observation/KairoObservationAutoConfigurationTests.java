package io.kairo.autoconfigure.observation;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolInterceptor;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.SpringProxy;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link KairoObservationAutoConfiguration}.
 */
class KairoObservationAutoConfigurationTests extends ObservedApplicationFixture {

	@Test
	void toolCallIsTimedWithToolTenantOutcomeAndCode() {
		this.contextRunner.run((context) -> {
			call(context, "Read", Map.of("file_path", "no-such-file"));
			Timer timer = context.getBean(MeterRegistry.class).get("kairo.tool.calls").timer();
			assertThat(timer.count()).isEqualTo(1);
			assertThat(timer.getId().getTag("tool")).isEqualTo("Read");
			assertThat(timer.getId().getTag("tenant")).isEqualTo("acme");
			assertThat(timer.getId().getTag("outcome")).isEqualTo("failed");
			assertThat(timer.getId().getTag("code")).isEqualTo("file_not_found");
		});
	}

	@Test
	void tracesHavePrincipalSessionAndExitCode() {
		Map<String, Observation.Context> ended = new ConcurrentHashMap<>();
		this.contextRunner.withBean("recording", ObservationHandler.class, () -> recordingIn(ended)).run((context) -> {
			context.getBean(AgentSessions.class)
				.runInSession(ACME, "s-1",
						(tools) -> context.getBean(ToolCatalog.class).call("Bash", Map.of("command", "exit 3"), tools));
			Awaitility.await().until(() -> ended.size() == 2);
			assertThat(ended.get("kairo.tool.calls").getHighCardinalityKeyValues()).containsExactlyInAnyOrder(
					KeyValue.of("tenant.principal", "ann"), KeyValue.of("session.id", "s-1"),
					KeyValue.of("exit.code", "3"));
			assertThat(ended.get("kairo.sandbox.executions").getHighCardinalityKeyValues())
				.containsExactlyInAnyOrder(KeyValue.of("tenant.principal", "ann"), KeyValue.of("exit.code", "3"));
			assertThat(context.getBean(MeterRegistry.class).get("kairo.tool.calls").timer().getId().getTags())
				.extracting(Tag::getKey)
				.containsExactlyInAnyOrder("tool", "tenant", "outcome", "code", "error");
		});
	}

	@Test
	void conventionsOfTheApplicationReplaceTheDefaults() {
		this.contextRunner
			.withBean(ToolCallObservationConvention.class, () -> new DefaultToolCallObservationConvention() {
				@Override
				public KeyValues getLowCardinalityKeyValues(ToolCallObservationContext context) {
					return super.getLowCardinalityKeyValues(context).and("call", context.call().name());
				}
			})
			.withBean(ExecutionObservationConvention.class, () -> new DefaultExecutionObservationConvention() {
				@Override
				public String getName() {
					return "own.executions";
				}
			})
			.run((context) -> {
				call(context, "Bash", Map.of("command", "true"));
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				assertThat(registry.get("kairo.tool.calls")
					.tag("call", "Bash")
					.tag("outcome", "succeeded")
					.timer()
					.count()).isEqualTo(1);
				Awaitility.await()
					.until(() -> registry.find("own.executions").tag("outcome", "exited").timer() != null);
			});
	}

	private static ObservationHandler<Observation.Context> recordingIn(Map<String, Observation.Context> ended) {
		return new ObservationHandler<>() {

			@Override
			public void onStop(Observation.Context context) {
				ended.put(String.valueOf(context.getName()), context);
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		};
	}

	@Test
	void unknownToolNamesShareOneTagValue() {
		this.contextRunner.run((context) -> {
			IntStream.range(0, 5).forEach((i) -> call(context, "Made" + i, Map.of()));
			assertThat(
					context.getBean(MeterRegistry.class).get("kairo.tool.calls").tag("tool", "unknown").timer().count())
				.isEqualTo(5);
		});
	}

	@ParameterizedTest
	@CsvSource({ "exit 0, exited", "exit 3, failed", "sleep 5, timed_out" })
	void commandIsTimedWithBackendTenantAndOutcome(String command, String outcome) {
		this.contextRunner.run((context) -> {
			SandboxRequest request = request(command);
			try (SandboxHandle handle = context.getBean(ExecutionSandbox.class).start(request)) {
				handle.exit().block();
			}
			assertExecution(context, "process", outcome);
		});
	}

	@Test
	void cancelledCommandIsTimed() {
		this.contextRunner.run((context) -> {
			try (SandboxHandle handle = context.getBean(ExecutionSandbox.class).start(request("sleep 5"))) {
				handle.cancel();
				handle.exit().block();
			}
			assertExecution(context, "process", "cancelled");
		});
	}

	@Test
	void commandThatCannotStartHasOutcomeRejected() {
		this.contextRunner.run((context) -> {
			SandboxRequest request = new SandboxRequest.Builder("true", this.directory.resolve("missing")).tenant(ACME)
				.build();
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> context.getBean(ExecutionSandbox.class).start(request));
			assertExecution(context, "process", "rejected");
		});
	}

	@Test
	void observedSandboxIsTheConfiguredOne() {
		this.contextRunner.run((context) -> assertThat(context).getBean(ExecutionSandbox.class)
			.isInstanceOf(LocalProcessSandbox.class)
			.isNotInstanceOf(SpringProxy.class));
	}

	@Test
	void commandsOfSandboxOfTheApplicationAreTimed() {
		this.contextRunner.withUserConfiguration(OwnSandbox.class).run((context) -> {
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> context.getBean(ExecutionSandbox.class).start(request("true")));
			assertThat(context.getBean(MeterRegistry.class).find("kairo.sandbox.executions").timer()).isNotNull();
		});
	}

	@ParameterizedTest
	@MethodSource("sandboxesThatCannotBeSubclassed")
	void sandboxThatCannotBeSubclassedIsObserved(ExecutionSandbox sandbox) {
		this.contextRunner.withBean("own", ExecutionSandbox.class, () -> sandbox).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> context.getBean(ExecutionSandbox.class).start(request("true")))
				.withMessageContaining("own sandbox");
			assertThat(context.getBean(MeterRegistry.class).find("kairo.sandbox.executions").timer()).isNotNull();
		});
	}

	static Stream<ExecutionSandbox> sandboxesThatCannotBeSubclassed() {
		return Stream.of(PrivateConstructorSandbox.create(), new SealedSandbox(), new FinalStartSandbox(),
				new FinalSandbox());
	}

	@Test
	void failureOfInterceptorIsTimedWithSameTags() {
		this.contextRunner.withBean("failing", ToolInterceptor.class, () -> (call, context, chain) -> {
			throw new IllegalStateException("on purpose");
		}).run((context) -> {
			call(context, "Read", Map.of("file_path", "none"));
			assertThat(context.getBean(MeterRegistry.class)
				.get("kairo.tool.calls")
				.tags("outcome", "failed", "code", "internal_error", "tool", "Read", "tenant", "acme")
				.timer()
				.count()).isEqualTo(1);
		});
	}

	@Test
	void tenantsBeyondTheMaximumShareOneTagValue() {
		this.contextRunner.withPropertyValues("kairo.metrics.max-tenants=2").run((context) -> {
			for (String tenant : new String[] { "a", "b", "c", "d", "a" }) {
				call(context, new TenantContext(tenant, "p"), "Read", Map.of("file_path", "none"));
			}
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.get("kairo.tool.calls").tag("tenant", "a").timer().count()).isEqualTo(2);
			assertThat(registry.get("kairo.tool.calls").tag("tenant", "b").timer().count()).isEqualTo(1);
			assertThat(registry.get("kairo.tool.calls").tag("tenant", "other").timer().count()).isEqualTo(2);
		});
	}

	@Test
	void nothingIsObservedWithoutMicrometer() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(ObservationRegistry.class))
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(KairoObservationAutoConfiguration.class)
				.hasSingleBean(ExecutionSandbox.class));
	}

	private SandboxRequest request(String command) {
		return new SandboxRequest.Builder(command, this.directory).tenant(ACME).timeout(Duration.ofMillis(700)).build();
	}

	private static void assertExecution(ApplicationContext context, String backend, String outcome) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(context.getBean(MeterRegistry.class)
				.get("kairo.sandbox.executions")
				.tags("backend", backend, "tenant", "acme", "outcome", outcome)
				.timer()
				.count()).isEqualTo(1));
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnSandbox {

		@Bean
		ExecutionSandbox ownSandbox() {
			return (request) -> {
				throw new SandboxException(SandboxErrorCode.START_FAILED, "no", "none");
			};
		}

	}

	static class PrivateConstructorSandbox implements ExecutionSandbox {

		private PrivateConstructorSandbox() {
		}

		static ExecutionSandbox create() {
			return new PrivateConstructorSandbox();
		}

		@Override
		public SandboxHandle start(SandboxRequest request) {
			throw refusal();
		}

	}

	static sealed class SealedSandbox implements ExecutionSandbox permits SealedChild {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			throw refusal();
		}

	}

	static final class SealedChild extends SealedSandbox {

	}

	static class FinalStartSandbox implements ExecutionSandbox {

		private final String message = "own sandbox";

		@Override
		public final SandboxHandle start(SandboxRequest request) {
			throw new SandboxException(SandboxErrorCode.START_FAILED, this.message, "none");
		}

	}

	static final class FinalSandbox implements ExecutionSandbox {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			throw refusal();
		}

	}

	private static SandboxException refusal() {
		return new SandboxException(SandboxErrorCode.START_FAILED, "own sandbox", "none");
	}

}
