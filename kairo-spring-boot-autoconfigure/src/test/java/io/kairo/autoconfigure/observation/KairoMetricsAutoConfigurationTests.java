package io.kairo.autoconfigure.observation;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.sandbox.support.cache.CacheListener;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.AgentTool;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolResult;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KairoMetricsAutoConfiguration}.
 */
class KairoMetricsAutoConfigurationTests extends ObservedApplicationFixture {

	@Test
	void commandIsCountedWhileItRunsAndItsOutputAfterwards() {
		this.contextRunner.run((context) -> {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			SandboxRequest request = new SandboxRequest.Builder("printf 12345; printf 678 >&2; sleep 30",
					this.directory)
				.tenant(ACME)
				.build();
			try (SandboxHandle handle = context.getBean(ExecutionSandbox.class).start(request)) {
				assertThat(registry.get("kairo.sandbox.active").tags("backend", "process", "tenant", "acme").gauge())
					.satisfies((gauge) -> assertThat(gauge.value()).isEqualTo(1));
				handle.output().take(2).blockLast();
				handle.output().take(1).blockLast();
				handle.cancel();
				handle.exit().block();
			}
			Awaitility.await()
				.untilAsserted(() -> assertThat(registry.get("kairo.sandbox.output")
					.tags("backend", "process", "tenant", "acme", "truncated", "false")
					.summary()
					.totalAmount()).isEqualTo(8));
			assertThat(registry.get("kairo.sandbox.active").gauge().value()).isZero();
		});
	}

	@Test
	void workspaceIsTimedAndCountedUntilItIsReleased() {
		this.contextRunner.run((context) -> {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			WorkspaceProvider provider = context.getBean(WorkspaceProvider.class);
			String id = provider.acquire(new WorkspaceRequest("memory:a", ACME, true)).id();
			provider.acquire(new WorkspaceRequest("memory:a", ACME, true));
			assertThat(registry.get("kairo.workspace.acquisitions")
				.tags("kind", "ephemeral", "tenant", "acme", "outcome", "succeeded")
				.timer()
				.count()).isEqualTo(2);
			assertThat(active(registry)).isEqualTo(2);
			provider.release(id);
			provider.release(id);
			provider.release(id);
			assertThat(active(registry)).isZero();
			assertThat(org.assertj.core.api.Assertions
				.catchThrowable(() -> provider.acquire(new WorkspaceRequest("no-such:x", ACME, true)))).isNotNull();
			assertThat(registry.get("kairo.workspace.acquisitions")
				.tags("kind", "unknown", "tenant", "acme", "outcome", "failed")
				.timer()
				.count()).isEqualTo(1);
		});
	}

	@Test
	void bytesWrittenByToolsAreCounted() {
		this.contextRunner.withBean(AgentTool.class, WritingTool::new).run((context) -> {
			call(context, "Own");
			assertThat(context.getBean(MeterRegistry.class)
				.get("kairo.workspace.written")
				.tag("tenant", "acme")
				.counter()
				.count()).isEqualTo(5);
		});
	}

	@Test
	void denialsAreCountedByReasonAndOtherFailuresAreNot() {
		this.contextRunner.withPropertyValues("kairo.tenancy.limits.acme.calls-per-minute=2").run((context) -> {
			call(context, "Read", Map.of("file_path", "../../etc/passwd"));
			call(context, "Read", Map.of("file_path", "missing"));
			call(context, "Read", Map.of("file_path", "missing"));
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.find("kairo.policy.denials").counters())
				.extracting((counter) -> counter.getId().getTag("reason") + " " + counter.getId().getTag("tenant"))
				.containsExactlyInAnyOrder("path_traversal_blocked acme", "rate_limited acme");
		});
	}

	@Test
	void usedShareOfLimitIsPublished() {
		this.contextRunner
			.withPropertyValues("kairo.tenancy.limits.default.calls-per-minute=10", "kairo.metrics.max-tenants=1")
			.run((context) -> {
				call(context, "Read");
				call(context, new TenantContext("b", "x"), "Read", Map.of());
				call(context, new TenantContext("c", "x"), "Read", Map.of());
				call(context, new TenantContext("c", "x"), "Read", Map.of());
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				assertThat(registry.get("kairo.tenant.limit")
					.tags("limit", "calls-per-minute", "tenant", "acme")
					.gauge()
					.value()).isBetween(0.05, 0.1);
				assertThat(registry.get("kairo.tenant.limit")
					.tags("limit", "calls-per-minute", "tenant", "other")
					.gauge()
					.value()).isBetween(0.11, 0.2);
			});
	}

	@Test
	void largestShareOfCachesIsPublished() {
		this.contextRunner.withPropertyValues("kairo.metrics.max-tenants=1").run((context) -> {
			CacheListener listener = context.getBean(CacheListener.class);
			listener.measured(ACME, 50, 200);
			listener.measured(new TenantContext("b", "x"), 100, 200);
			listener.measured(new TenantContext("c", "x"), 150, 200);
			assertThat(cacheShare(context, "acme")).isEqualTo(0.25);
			assertThat(cacheShare(context, "other")).isEqualTo(0.75);
			listener.measured(new TenantContext("c", "x"), 0, 200);
			assertThat(cacheShare(context, "other")).isEqualTo(0.5);
		});
	}

	private static double cacheShare(ApplicationContext context, String tenant) {
		return context.getBean(MeterRegistry.class)
			.get("kairo.tenant.limit")
			.tags("limit", "cache-bytes", "tenant", tenant)
			.gauge()
			.value();
	}

	@Test
	void trialsAreCounted() {
		this.contextRunner.withPropertyValues("kairo.state-dir=" + this.directory + "-state").run((context) -> {
			for (String action : List.of("begin", "commit", "begin", "discard")) {
				context.getBean(AgentSessions.class)
					.call(SessionRequest.of(ACME, "s"), context.getBean(ToolCatalog.class),
							new ToolCall("1", "Trial", Map.of("action", action)), UnaryOperator.identity());
			}
			Map.of("begun", 2, "committed", 1, "discarded", 1)
				.forEach((event,
						count) -> assertThat(context.getBean(MeterRegistry.class)
							.get("kairo.trials")
							.tags("event", event, "tenant", "acme")
							.counter()
							.count()).as(event).isEqualTo(count.doubleValue()));
		});
	}

	@Test
	void metersOfSameNameHaveSameTags() {
		this.contextRunner.withBean(AgentTool.class, WritingTool::new).run((context) -> {
			for (String tenant : List.of("a", "b")) {
				TenantContext who = new TenantContext(tenant, "x");
				call(context, who, "Own", Map.of());
				call(context, who, "Read", Map.of("file_path", "../../x"));
				call(context, who, "Bash", Map.of("command", "echo x"));
				call(context, who, "Bash", Map.of("command", "exit 3"));
			}
			Map<String, String> expected = Map.of("kairo.tool.calls", "code,outcome,tenant,tool",
					"kairo.sandbox.executions", "backend,outcome,tenant", "kairo.sandbox.active", "backend,tenant",
					"kairo.sandbox.output", "backend,tenant,truncated", "kairo.workspace.acquisitions",
					"kind,outcome,tenant", "kairo.workspace.active", "kind,tenant", "kairo.workspace.written", "tenant",
					"kairo.policy.denials", "reason,tenant", "kairo.tenant.limit", "limit,tenant");
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			expected.forEach((name, tags) -> Awaitility.await()
				.untilAsserted(() -> assertThat(registry.find(name).meters()).as(name)
					.isNotEmpty()
					.allSatisfy((meter) -> assertThat(tagNames(meter)).isEqualTo(tags))));
		});
	}

	@Test
	void commandOfHealthCheckIsNotCounted() {
		this.contextRunner.run((context) -> {
			context.getBean("kairoSandboxHealthIndicator", HealthIndicator.class).health(true);
			assertThat(context.getBean(MeterRegistry.class).find("kairo.sandbox.executions").timers()).isEmpty();
			assertThat(context.getBean(ExecutionLog.class).recent()).isEmpty();
		});
	}

	@Test
	void nothingIsCountedWithoutMicrometer() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(ExecutionLog.class)
				.doesNotHaveBean(KairoMetricsAutoConfiguration.class));
	}

	@Test
	void tenantWhoseWorkspaceIsRejectedIsCountedAndLimited() {
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + this.directory,
					"kairo.tenancy.limits.default.calls-per-minute=2")
			.run((context) -> {
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				List<String> codes = IntStream.range(0, 4).mapToObj((i) -> refused(context)).toList();
				assertThat(codes).containsExactly("workspace_not_assigned", "workspace_not_assigned", "rate_limited",
						"rate_limited");
				assertThat(registry.get("kairo.tool.calls")
					.tags("tool", "Read", "tenant", "acme", "outcome", "failed", "code", "workspace_not_assigned")
					.timer()
					.count()).isEqualTo(2);
				assertThat(registry.get("kairo.policy.denials")
					.tags("reason", "workspace_not_assigned", "tenant", "acme")
					.counter()
					.count()).isEqualTo(2);
				assertThat(registry.get("kairo.policy.denials").tags("reason", "rate_limited").counter().count())
					.isEqualTo(2);
				assertThat(registry.get("kairo.workspace.acquisitions").tags("outcome", "failed").timer().count())
					.isEqualTo(2);
			});
	}

	@Test
	void openWorkspacesArePublishedAsShareOfLimit() {
		this.contextRunner.withPropertyValues("kairo.tenancy.limits.acme.workspaces=4").run((context) -> {
			call(context, "Read", Map.of("file_path", "a"));
			context.getBean(WorkspaceProvider.class).acquire(new WorkspaceRequest("memory:a", ACME, true));
			assertThat(context.getBean(MeterRegistry.class)
				.get("kairo.tenant.limit")
				.tags("limit", "workspaces", "tenant", "acme")
				.gauge()
				.value()).isEqualTo(0.25);
		});
	}

	private static String refused(ApplicationContext context) {
		return context.getBean(AgentSessions.class)
			.call(SessionRequest.of(ACME, null), context.getBean(ToolCatalog.class),
					new ToolCall("", "Read", Map.of("file_path", "a")), UnaryOperator.identity())
			.error()
			.code();
	}

	private static double active(MeterRegistry registry) {
		return registry.get("kairo.workspace.active").tags("kind", "ephemeral", "tenant", "acme").gauge().value();
	}

	private static String tagNames(Meter meter) {
		return String.join(",",
				Arrays.stream(meter.getId().getTags().toArray(Tag[]::new))
					.map(Tag::getKey)
					.filter((key) -> !key.equals("error"))
					.sorted()
					.toList());
	}

	private static void call(ApplicationContext context, String tool) {
		call(context, tool, Map.of());
	}

	private static final class WritingTool implements AgentTool {

		@Override
		public ToolDefinition definition() {
			return new ToolDefinition("Own", "Writes", Map.of("type", "object"), ToolAnnotations.READ_ONLY);
		}

		@Override
		public ToolResult call(Map<String, Object> arguments, ToolContext context) {
			context.files().tryWriteFile("a", "12345");
			context.files().tryReadFile("a");
			return ToolResult.ok("", Map.of());
		}

	}

}
