package io.kairo.autoconfigure.observation;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceUsage;
import io.kairo.autoconfigure.limits.KairoLimitsAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.routing.WorkspaceListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that measuring the quota acquires no workspace and does not change results.
 */
class QuotaMetersTests {

	@TempDir
	private Path directory;

	@TempDir
	private Path state;

	private final Acquisitions acquisitions = new Acquisitions();

	private ApplicationContextRunner runner() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoWorkspaceAutoConfiguration.class,
					KairoToolsAutoConfiguration.class, KairoLimitsAutoConfiguration.class,
					KairoExecutionsAutoConfiguration.class, KairoMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withBean(WorkspaceListener.class, () -> this.acquisitions)
			.withPropertyValues("kairo.state-dir=" + this.state, "kairo.workspace.roots=" + this.directory,
					"kairo.workspace.quota.bytes=1MB", "kairo.sandbox.type=none");
	}

	@Test
	void callsOverTheLimitAcquireNoWorkspace() {
		runner().withPropertyValues("kairo.tenancy.limits.default.calls-per-minute=1").run((context) -> {
			List<String> codes = Stream.generate(() -> call(context, request(), "Read").error().code())
				.limit(6)
				.toList();
			assertThat(codes).containsExactly("file_not_found", "rate_limited", "rate_limited", "rate_limited",
					"rate_limited", "rate_limited");
			assertThat(this.acquisitions.acquired).hasValue(1);
		});
	}

	@Test
	void callThatNeedsNoWorkspaceAcquiresNone() {
		runner().run((context) -> {
			assertThat(call(context, request(), "NoSuchTool").error().code()).isEqualTo("unknown_tool");
			assertThat(this.acquisitions.acquired).hasValue(0);
		});
	}

	@Test
	void rejectedWorkspaceIsRequestedOnce() {
		runner().run((context) -> {
			assertThat(call(context, request().in("missing"), "Read").error()).isNotNull();
			assertThat(this.acquisitions.refused).hasValue(1);
		});
	}

	@Test
	void failedMeasurementDoesNotChangeTheResult() {
		QuotaMeters meters = new QuotaMeters(new SimpleMeterRegistry(), new TenantTag(10));
		ToolContext context = ToolContext.builder(Workspace.cwd())
			.decorateFiles((files) -> new ForwardingWorkspaceFiles(files) {

				@Override
				public WorkspaceUsage usage() {
					throw new IllegalStateException("not known");
				}

			})
			.build();
		ToolResult result = ToolResult.ok("done", Map.of());
		assertThat(meters.intercept(new ToolCall("1", "Any", Map.of()), context, (call, inner) -> {
			inner.files();
			return result;
		})).isSameAs(result);
	}

	private static SessionRequest request() {
		return SessionRequest.of(TenantContext.SINGLE, null);
	}

	private static ToolResult call(ApplicationContext context, SessionRequest request, String tool) {
		return context.getBean(AgentSessions.class)
			.call(request, context.getBean(ToolCatalog.class), new ToolCall("1", tool, Map.of("file_path", "nothing")),
					UnaryOperator.identity());
	}

	private static final class Acquisitions implements WorkspaceListener {

		private final AtomicInteger acquired = new AtomicInteger();

		private final AtomicInteger refused = new AtomicInteger();

		@Override
		public void acquired(Workspace workspace, TenantContext tenant, Duration duration) {
			this.acquired.incrementAndGet();
		}

		@Override
		public void refused(WorkspaceRequest request, RuntimeException failure, Duration duration) {
			this.refused.incrementAndGet();
		}

	}

}
