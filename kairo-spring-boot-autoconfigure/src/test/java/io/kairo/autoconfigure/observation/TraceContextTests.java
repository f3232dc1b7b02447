package io.kairo.autoconfigure.observation;

import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.SenderContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the trace in the environment of commands, with a handler that sends it as
 * those of Micrometer Tracing do.
 */
class TraceContextTests {

	private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

	@TempDir
	private Path directory;

	private ApplicationContextRunner runner() {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig().observationHandler(new Sender());
		return new ApplicationContextRunner().withBean(ObservationRegistry.class, () -> registry)
			.withConfiguration(AutoConfigurations.of(KairoObservationAutoConfiguration.class,
					KairoExecutionsAutoConfiguration.class, KairoToolsAutoConfiguration.class,
					KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.workspace.roots=" + this.directory, "kairo.sandbox.type=process");
	}

	private static String environment(ApplicationContext context) {
		return context.getBean(AgentSessions.class)
			.callInSession(TenantContext.SINGLE, null,
					(call) -> context.getBean(ToolCatalog.class)
						.call("Bash", Map.of("command", "env | grep -i -e trace -e preload; true"), call)
						.text());
	}

	@Test
	void traceIsNotPassedByDefault() {
		runner().run((context) -> assertThat(environment(context)).doesNotContain("TRACEPARENT"));
	}

	@Test
	void traceIsPassedIfWanted() {
		runner().withPropertyValues("kairo.sandbox.trace-context=true")
			.run((context) -> assertThat(environment(context)).contains("TRACEPARENT=" + TRACE));
	}

	@Test
	void fieldOfAClientCannotSetOtherVariables() {
		runner().withPropertyValues("kairo.sandbox.trace-context=true")
			.run((context) -> assertThat(environment(context)).doesNotContain("PRELOAD", "TRACESTATE"));
	}

	private static final class Sender implements ObservationHandler<SenderContext<Object>> {

		@Override
		public void onStart(SenderContext<Object> context) {
			context.getSetter().set(context.getCarrier(), "traceparent", TRACE);
			context.getSetter().set(context.getCarrier(), "tracestate", "a=1\nLD_PRELOAD=/tmp/x");
			context.getSetter().set(context.getCarrier(), "ld_preload=", "/tmp/x");
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof SenderContext;
		}

	}

}
