package io.kairo.autoconfigure.limits;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.observation.KairoExecutionsAutoConfiguration;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.limits.LimitsInterceptor;
import io.kairo.tools.limits.TenantLimits;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.git.autoconfigure.KairoGitWorkspaceAutoConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link KairoLimitsAutoConfiguration}.
 */
class KairoLimitsAutoConfigurationTests {

	@TempDir
	Path directory;

	private ApplicationContextRunner contextRunner;

	@BeforeEach
	void createRunner() throws IOException {
		this.contextRunner = new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(KairoLimitsAutoConfiguration.class, KairoToolsAutoConfiguration.class,
							KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.workspace.roots=" + Files.createDirectory(this.directory.resolve("work")));
	}

	@Test
	void executionLimitAppliesToCommandsOnly() {
		this.contextRunner.withPropertyValues("kairo.tenancy.limits.default.executions-per-minute=1").run((context) -> {
			assertThat(call(context, "default", "Bash").error()).isNull();
			assertThat(call(context, "default", "Bash").error().code()).isEqualTo("rate_limited");
			assertThat(call(context, "default", "Read").error().code()).isEqualTo("invalid_arguments");
		});
	}

	@Test
	void openWorldToolWithoutCommandDoesNotCountAsExecution() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(KairoGitWorkspaceAutoConfiguration.class))
			.withPropertyValues("kairo.state-dir=" + this.directory.resolve("state"),
					"kairo.tenancy.limits.default.executions-per-minute=1")
			.run((context) -> {
				for (int i = 0; i < 3; i++) {
					assertThat(call(context, "default", "Push").error().code()).isEqualTo("unsupported_file_type");
				}
				assertThat(call(context, "default", "Bash").error()).isNull();
			});
	}

	@Test
	void tenantEntryOverridesDefaultLimits() {
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + this.directory + "/{tenant}",
					"kairo.tenancy.limits.default.executions-per-minute=7",
					"kairo.tenancy.limits.acme.concurrent-executions=2",
					"kairo.tenancy.limits.[ann@example.com].calls-per-minute=9")
			.run((context) -> {
				for (String tenant : new String[] { "acme", "ann@example.com", "globex" }) {
					call(context, tenant, "Read");
				}
				assertThat(context.getBean(LimitsInterceptor.class).usage()).extracting("limits")
					.containsExactly(new TenantLimits(2, 7, 3000), new TenantLimits(4, 7, 9),
							new TenantLimits(4, 7, 3000, 100, Duration.ofMinutes(5)));
			});
	}

	@Test
	void concurrentCallLimitAppliesToEveryTool() {
		AtomicReference<ToolResult> inner = new AtomicReference<>();
		AtomicReference<ApplicationContext> application = new AtomicReference<>();
		this.contextRunner.withPropertyValues("kairo.tenancy.limits.default.concurrent-calls=1")
			.withBean("own", ToolInterceptor.class, () -> (call, context, chain) -> {
				inner.set(call(application.get(), "default", "Read"));
				return chain.proceed(call, context);
			})
			.run((context) -> {
				application.set(context);
				assertThat(call(context, "default", "Read").error().code()).isEqualTo("invalid_arguments");
				assertThat(inner.get().error().code()).isEqualTo("too_many_calls");
			});
	}

	@Test
	void rejectedCallDoesNotReachInterceptorsOfTheApplication() {
		AtomicInteger reached = new AtomicInteger();
		this.contextRunner.withPropertyValues("kairo.tenancy.limits.default.calls-per-minute=1")
			.withBean("own", ToolInterceptor.class, () -> (call, context, chain) -> {
				reached.incrementAndGet();
				return chain.proceed(call, context);
			})
			.run((context) -> {
				call(context, "default", "Read");
				call(context, "default", "Read");
				assertThat(reached).hasValue(1);
			});
	}

	@Test
	void limitsApplyToCommandsThatApplicationStarts() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(KairoExecutionsAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=process", "kairo.tenancy.limits.default.concurrent-executions=1",
					"kairo.tenancy.limits.default.execution-wait-timeout=0s")
			.run((context) -> {
				ExecutionSandbox sandbox = context.getBean(ExecutionSandbox.class);
				SandboxRequest request = new SandboxRequest.Builder("sleep 60", this.directory).build();
				SandboxHandle running = sandbox.start(request);
				assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.start(request))
					.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.TOO_MANY_EXECUTIONS));
				assertThat(call(context, "default", "Bash").error().code()).isEqualTo("too_many_executions");
				running.close();
				LimitsInterceptor limits = context.getBean(LimitsInterceptor.class);
				await().atMost(Duration.ofSeconds(30)).until(() -> limits.usage().get(0).runningExecutions() == 0);
				assertThat(call(context, "default", "Bash").error()).isNull();
				assertThat(limits.usage().get(0).executionsLastMinute()).isEqualTo(2);
			});
	}

	@Test
	void negativeWaitTimeoutFailsStartup() {
		this.contextRunner.withPropertyValues("kairo.tenancy.limits.acme.execution-wait-timeout=-1s")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("execution-wait-timeout", "negative"));
	}

	@Test
	void limitBelowOneFailsStartup() {
		this.contextRunner.withPropertyValues("kairo.tenancy.limits.acme.calls-per-minute=0")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.tenancy.limits", "calls-per-minute", "at least 1"));
	}

	@Test
	void interceptorBeanOfTheApplicationReplacesTheDefault() {
		LimitsInterceptor own = new LimitsInterceptor((tenant) -> TenantLimits.DEFAULTS, (tool) -> false);
		this.contextRunner.withBean(LimitsInterceptor.class, () -> own)
			.run((context) -> assertThat(context).getBean(LimitsInterceptor.class).isSameAs(own));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void commandInBackgroundCountsUntilItEndsUnlessPropertySaysOtherwise(boolean counted) {
		this.contextRunner.withConfiguration(AutoConfigurations.of(KairoExecutionsAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=process", "kairo.tenancy.limits.default.concurrent-executions=1",
					"kairo.tenancy.limits.default.execution-wait-timeout=0s",
					"kairo.tools.background.counted=" + counted)
			.run((context) -> {
				AgentSessions sessions = context.getBean(AgentSessions.class);
				TenantContext tenant = new TenantContext("default", "ann");
				ToolResult begun = sessions.callInSession(tenant, "s", (tools) -> context.getBean(ToolCatalog.class)
					.call("Bash", Map.of("command", "sleep 60", "run_in_background", true), tools));
				assertThat(begun.error()).as(begun.text()).isNull();
				LimitsInterceptor limits = context.getBean(LimitsInterceptor.class);
				assertThat(limits.usage().get(0).runningExecutions()).isEqualTo(counted ? 1 : 0);
				assertThat(call(context, "default", "Bash").error() != null).isEqualTo(counted);
				ToolResult killed = sessions.callInSession(tenant, "s", (tools) -> context.getBean(ToolCatalog.class)
					.call("KillBash", Map.of("bash_id", begun.data().get("id")), tools));
				assertThat(killed.data()).containsEntry("running", false);
				assertThat(call(context, "default", "Bash").error()).isNull();
			});
	}

	@Test
	void limitsBackOffWithoutAgentTools() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("io.kairo.tools"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("kairoLimitsInterceptor"));
	}

	private static ToolResult call(ApplicationContext context, String tenant, String tool) {
		Map<String, Object> arguments = switch (tool) {
			case "Bash" -> Map.of("command", "true");
			case "Push" -> Map.of("branch", "fix");
			default -> Map.of();
		};
		return context.getBean(AgentSessions.class)
			.inSession(new TenantContext(tenant, "ann"), null, (builder) -> context.getBean(ToolCatalog.class)
				.call(new ToolCall("", tool, arguments), builder.build()));
	}

}
