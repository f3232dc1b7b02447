package io.kairo.autoconfigure.workspace;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.DocumentedConfiguration;
import io.kairo.autoconfigure.observation.KairoExecutionsAutoConfiguration;
import io.kairo.autoconfigure.observation.KairoMetricsAutoConfiguration;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@code kairo.workspace.quota}, through the tools.
 */
class WorkspaceQuotaTests {

	@TempDir
	Path temp;

	@TempDir
	Path state;

	private ApplicationContextRunner contextRunner;

	@BeforeEach
	void prepare() {
		this.contextRunner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoWorkspaceAutoConfiguration.class,
					KairoSandboxAutoConfiguration.class, KairoToolsAutoConfiguration.class,
					KairoExecutionsAutoConfiguration.class, KairoMetricsAutoConfiguration.class))
			.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
			.withPropertyValues("kairo.state-dir=" + this.state, "kairo.workspace.roots=" + this.temp);
	}

	private static ToolResult call(ApplicationContext context, String tool, Map<String, Object> arguments) {
		ToolCatalog catalog = context.getBean(ToolCatalog.class);
		return context.getBean(AgentSessions.class)
			.call(SessionRequest.of(TenantContext.SINGLE, "one"), catalog, new ToolCall("1", tool, arguments),
					UnaryOperator.identity());
	}

	private static ToolResult write(ApplicationContext context, String path, String content) {
		return call(context, "Write", Map.of("file_path", path, "content", content));
	}

	@ParameterizedTest
	@ValueSource(strings = { "local", "memory", "ephemeral" })
	void quotaAppliesToFileToolsOfEveryProvider(String provider) {
		this.contextRunner.withPropertyValues("kairo.workspace.provider=" + provider, "kairo.workspace.quota.bytes=10B")
			.run((context) -> {
				assertThat(write(context, "a", "123456").error()).isNull();
				assertThat(write(context, "b", "123456").error().code()).isEqualTo("quota_exceeded");
				assertThat(write(context, "b", "1234").error()).isNull();
			});
	}

	@Test
	void quotaLimitsNumberOfFiles() {
		this.contextRunner.withPropertyValues("kairo.workspace.provider=memory", "kairo.workspace.quota.files=1")
			.run((context) -> {
				assertThat(write(context, "a", "x".repeat(100_000)).error()).isNull();
				assertThat(write(context, "b", "").error().code()).isEqualTo("quota_exceeded");
			});
	}

	@Test
	void filesWrittenByCommandAreReportedAndMeasured() {
		this.contextRunner
			.withPropertyValues("kairo.workspace.provider=ephemeral", "kairo.workspace.quota.bytes=100B",
					"kairo.workspace.quota.files=4")
			.run((context) -> {
				assertThat(call(context, "Bash", Map.of("command", "echo 1234 > a")).text())
					.doesNotContain("over its quota");
				assertThat(gauge(context, "workspace-bytes")).isEqualTo(0.05);
				ToolResult result = call(context, "Bash", Map.of("command", "head -c 195 /dev/zero > b"));
				assertThat(result.error()).isNull();
				// usage is measured again after an interval that depends on the duration
				// of the last measurement
				await().atMost(Duration.ofSeconds(60))
					.untilAsserted(() -> assertThat(call(context, "Bash", Map.of("command", "true")).text())
						.contains("over its quota, with 200 of 100 bytes in 2 of 4 files"));
				assertThat(gauge(context, "workspace-bytes")).isEqualTo(2);
				assertThat(gauge(context, "workspace-files")).isEqualTo(0.5);
				assertThat(write(context, "c", "x").error().code()).isEqualTo("quota_exceeded");
			});
	}

	private static double gauge(ApplicationContext context, String limit) {
		return context.getBean(MeterRegistry.class).get("kairo.tenant.limit").tag("limit", limit).gauge().value();
	}

	@Test
	void documentedExampleLimitsBytesAndFiles() {
		this.contextRunner.withPropertyValues(DocumentedConfiguration.of("workspaces.md", "Quotas").properties())
			.run((context) -> {
				WorkspaceProperties properties = context.getBean(WorkspaceProperties.class);
				assertThat(properties.quota().bytes().toMegabytes()).isEqualTo(500);
				assertThat(properties.quota().files()).isEqualTo(20_000);
			});
	}

	@Test
	void usageIsNotMeasuredWithoutQuota() {
		this.contextRunner.withPropertyValues("kairo.workspace.provider=memory").run((context) -> {
			assertThat(write(context, "a", "x").error()).isNull();
			assertThat(context.getBean(MeterRegistry.class).find("kairo.tenant.limit").gauges())
				.noneMatch((gauge) -> String.valueOf(gauge.getId().getTag("limit")).startsWith("workspace-"));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "bytes=0B", "bytes=-5B", "files=0", "files=-1" })
	void quotaOfZeroFailsStartup(String property) {
		this.contextRunner.withPropertyValues("kairo.workspace.quota." + property)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("kairo.workspace.quota." + property.split("=")[0])
				.hasMessageContaining("set a higher value"));
	}

}
