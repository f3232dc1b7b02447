package io.kairo.autoconfigure.ledger;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxLimitException;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.AutoConfigureApplication;
import io.kairo.autoconfigure.limits.KairoLimitsAutoConfiguration;
import io.kairo.autoconfigure.observation.KairoExecutionsAutoConfiguration;
import io.kairo.autoconfigure.observation.KairoMetricsAutoConfiguration;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.governance.jdbc.JdbcUsageLedger;
import io.kairo.governance.ledger.BudgetInterceptor;
import io.kairo.governance.ledger.Budgets;
import io.kairo.governance.ledger.DailyUsage;
import io.kairo.governance.ledger.InMemoryUsageLedger;
import io.kairo.governance.ledger.UsageLedger;
import io.kairo.sandbox.remote.autoconfigure.KairoRemoteSandboxAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import io.micrometer.core.instrument.MeterRegistry;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.server.context.ServerPortInfoApplicationContextInitializer;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link KairoBudgetsAutoConfiguration}.
 */
class KairoBudgetsAutoConfigurationTests {

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private static final String TWO = "kairo.budgets.tenants.default.executions-per-day=2";

	@TempDir
	Path directory;

	private ApplicationContextRunner contextRunner;

	private WebApplicationContextRunner webRunner;

	@BeforeEach
	void createRunner() throws Exception {
		Database.DOWN.set(false);
		String[] properties = { "spring.ai.mcp.server.enabled=false", "server.port=0", "server.address=127.0.0.1",
				"management.endpoints.web.exposure.include=*", "kairo.sandbox.type=process",
				"kairo.state-dir=" + this.directory.resolve("state"),
				"kairo.workspace.roots=" + Files.createDirectory(this.directory.resolve("work")) + "/{tenant}" };
		this.contextRunner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoBudgetsAutoConfiguration.class,
					KairoToolsAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class,
					KairoSandboxAutoConfiguration.class, KairoTenancyAutoConfiguration.class,
					KairoLimitsAutoConfiguration.class, KairoExecutionsAutoConfiguration.class,
					KairoMetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
					MetricsAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
			.withPropertyValues(properties);
		this.webRunner = new WebApplicationContextRunner(AnnotationConfigServletWebServerApplicationContext::new)
			.withInitializer(new ServerPortInfoApplicationContextInitializer())
			.withUserConfiguration(Application.class)
			.withPropertyValues(properties);
	}

	private static ToolResult run(ApplicationContext context, TenantContext tenant, Map<String, Object> arguments) {
		return context.getBean(AgentSessions.class)
			.callInSession(tenant, "s1", (call) -> context.getBean(ToolCatalog.class).call("Bash", arguments, call));
	}

	private static ToolResult run(ApplicationContext context) {
		return run(context, ACME, Map.of("command", "echo hello"));
	}

	private static String code(ToolResult result) {
		return (result.error() != null) ? result.error().code() : "success";
	}

	@Test
	void thereAreNoBudgetsByDefault() {
		this.webRunner.run((context) -> assertThat(context).doesNotHaveBean(Budgets.class)
			.doesNotHaveBean(UsageLedger.class)
			.doesNotHaveBean(BudgetInterceptor.class)
			.doesNotHaveBean(UsageEndpoint.class));
	}

	@Test
	void budgetsCanBeDisabled() {
		this.contextRunner.withPropertyValues(TWO, "kairo.budgets.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(Budgets.class));
	}

	@Test
	void usageIsCountedWithoutBudgets() {
		this.webRunner.withPropertyValues("kairo.budgets.enabled=true").run((context) -> {
			run(context);
			JsonNode tenant = get(context, "kairousage").at("/tenants/0");
			assertThat(tenant.at("/usage/executions").asInt()).isEqualTo(1);
			assertThat(tenant.at("/budget/executionsPerDay").isNull()).isTrue();
		});
	}

	@Test
	void commandBeyondTheBudgetIsRefusedWithTheTimeToWait() {
		this.contextRunner.withPropertyValues(TWO).run((context) -> {
			assertThat(code(run(context))).isEqualTo("success");
			assertThat(code(run(context))).isEqualTo("success");
			ToolResult refused = run(context);
			assertThat(code(refused)).isEqualTo("budget_exceeded");
			assertThat(refused.text()).contains("The 2 commands of a day are used up: try again in ");
			assertThat(refused.data()).containsEntry("limit", "executions-per-day").containsEntry("maximum", 2L);
			assertThat((Long) refused.data().get("retryAfterMs")).isBetween(1L, 86_400_000L);
			assertThat(code(run(context, new TenantContext("other", "bob"), Map.of("command", "true"))))
				.isEqualTo("success");
		});
	}

	@Test
	void everyWayOfRunningACommandCounts() {
		this.contextRunner.withPropertyValues(TWO).run((context) -> {
			ToolResult background = run(context, ACME, Map.of("command", "true", "run_in_background", true));
			assertThat(code(background)).isEqualTo("success");
			context.getBean(ExecutionSandbox.class)
				.start(new SandboxRequest.Builder("true", this.directory).tenant(ACME).build())
				.exit()
				.block();
			assertThat(code(run(context))).isEqualTo("budget_exceeded");
			assertThat(code(run(context, ACME, Map.of("command", "true", "run_in_background", true))))
				.isEqualTo("budget_exceeded");
		});
	}

	@Test
	void tenantHasItsOwnBudget() {
		this.webRunner
			.withPropertyValues(TWO, "kairo.budgets.tenants.acme.executions-per-day=1",
					"kairo.budgets.tenants.default.output-per-day=1KB")
			.run((context) -> {
				run(context);
				assertThat(code(run(context))).isEqualTo("budget_exceeded");
				JsonNode budget = get(context, "kairousage/acme").at("/today/budget");
				assertThat(budget.at("/executionsPerDay").asInt()).isEqualTo(1);
				assertThat(budget.at("/outputBytesPerDay").asInt()).isEqualTo(1024);
			});
	}

	@Test
	void outputIsCharged() {
		this.contextRunner.withPropertyValues("kairo.budgets.tenants.default.output-per-day=6B").run((context) -> {
			assertThat(code(run(context))).isEqualTo("success");
			ToolResult refused = run(context);
			assertThat(refused.data()).containsEntry("limit", "output-per-day").containsEntry("maximum", 6L);
		});
	}

	@Test
	void usageIsShownOverHttp() {
		this.webRunner.withPropertyValues(TWO, "kairo.budgets.zone=Europe/Berlin").run((context) -> {
			assertThat(get(context, "kairousage").at("/tenants")).isEmpty();
			run(context);
			run(context);
			await().until(() -> context.getBean(Budgets.class).pendingCharges() == 0);
			JsonNode usage = get(context, "kairousage");
			assertThat(usage.at("/zone").asString()).isEqualTo("Europe/Berlin");
			assertThat(usage.at("/pending").asInt()).isZero();
			JsonNode tenant = usage.at("/tenants/0");
			assertThat(tenant.at("/tenant").asString()).isEqualTo("acme");
			assertThat(tenant.at("/usage/executions").asInt()).isEqualTo(2);
			assertThat(tenant.at("/usage/outputBytes").asInt()).isGreaterThanOrEqualTo(12);
			assertThat(tenant.at("/exhausted").asBoolean()).isTrue();
			assertThat(tenant.at("/resets").asString()).matches("20.*T2[23]:00:00Z");
			assertThat(get(context, "kairousage/acme").at("/days/0")).isEqualTo(tenant.at("/usage"));
			assertThat(get(context, "kairousage/none").at("/days")).isEmpty();
		});
	}

	@Test
	void endpointIsOnlyForReading() {
		this.webRunner.withPropertyValues(TWO).run((context) -> {
			assertThat(send(context, "kairousage", "POST").statusCode()).isEqualTo(405);
			assertThat(send(context, "kairousage/acme", "DELETE").statusCode()).isEqualTo(405);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "management.endpoint.kairousage.access=NONE",
			"management.endpoints.access.max-permitted=NONE", "management.endpoints.web.exposure.exclude=kairousage" })
	void endpointIsNotAvailableWithoutAccess(String property) {
		this.webRunner.withPropertyValues(TWO, property)
			.run((context) -> assertThat(send(context, "kairousage", "GET").statusCode()).isEqualTo(404));
	}

	@Test
	void usageIsKeptInAnEmbeddedDatabase() {
		ApplicationContextRunner jdbc = this.contextRunner.withUserConfiguration(Database.class)
			.withPropertyValues(TWO, "kairo.budgets.ledger=jdbc", "database=" + UUID.randomUUID());
		jdbc.run((context) -> {
			assertThat(context).hasSingleBean(JdbcUsageLedger.class);
			run(context);
			run(context);
		});
		jdbc.run((context) -> {
			assertThat(code(run(context))).isEqualTo("budget_exceeded");
			assertThat(context.getBean(Budgets.class).status("acme").usage()).extracting(DailyUsage::executions)
				.isEqualTo(2L);
		});
	}

	@Test
	void chargesAreWrittenWhenTheApplicationStops() {
		ApplicationContextRunner jdbc = this.contextRunner.withUserConfiguration(Database.class)
			.withPropertyValues(TWO, "kairo.budgets.ledger=jdbc", "database=" + UUID.randomUUID());
		jdbc.run((context) -> {
			assertThat(code(run(context, ACME, Map.of("command", "sleep 60", "run_in_background", true))))
				.isEqualTo("success");
		});
		jdbc.run((context) -> {
			DailyUsage usage = context.getBean(Budgets.class).status("acme").usage();
			assertThat(usage.unmeasured() + usage.cpuTime().toNanos()).isPositive();
		});
	}

	@Test
	void databaseThatIsDownAtTheStartRefusesCommandsUntilItIsUp() {
		this.webRunner.withUserConfiguration(Database.class)
			.withPropertyValues(TWO, "kairo.budgets.ledger=jdbc", "database=" + UUID.randomUUID())
			.withInitializer((context) -> Database.DOWN.set(true))
			.run((context) -> {
				ToolResult refused = run(context);
				assertThat(code(refused)).isEqualTo("budget_unavailable");
				assertThat(refused.text()).doesNotContain("database").contains("cannot be checked");
				HttpResponse<String> response = send(context, "kairousage", "GET");
				assertThat(response.statusCode()).isEqualTo(503);
				assertThat(response.body()).contains("The database is down");
				Database.DOWN.set(false);
				assertThat(code(run(context))).isEqualTo("success");
				Database.DOWN.set(true);
				assertThat(code(run(context))).isEqualTo("budget_unavailable");
				Database.DOWN.set(false);
				assertThat(code(run(context))).isEqualTo("success");
				assertThat(code(run(context))).isEqualTo("budget_exceeded");
			});
	}

	@Test
	void missingDataSourceIsExplained() {
		this.contextRunner.withPropertyValues("kairo.budgets.ledger=jdbc", TWO)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("kairo.budgets.ledger")
				.hasMessageContaining("spring.datasource.url"));
	}

	@Test
	void ledgerOfTheApplicationIsUsed() {
		this.contextRunner.withUserConfiguration(OwnLedger.class).withPropertyValues(TWO).run((context) -> {
			run(context);
			assertThat(context).hasSingleBean(UsageLedger.class).hasBean("ownLedger");
			assertThat(context.getBean(Budgets.class).status("acme").usage().executions()).isEqualTo(1);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "kairo.budgets.tenants.acme.executions-per-day=0",
			"kairo.budgets.tenants.acme.cpu-time-per-day=0s", "kairo.budgets.tenants.acme.output-per-day=0B",
			"kairo.budgets.zone=Mars/Olympus", "kairo.budgets.retention=1d", "kairo.budgets.max-pending=0",
			"kairo.budgets.timeout=10ms", "kairo.budgets.ledger=paper" })
	void invalidValueIsRefused(String property) {
		String name = property.substring(property.lastIndexOf('.') + 1, property.indexOf('='));
		this.contextRunner.withPropertyValues("kairo.budgets.enabled=true", property)
			.run((context) -> assertThat(context).getFailure()
				.satisfies((failure) -> assertThat(messages(failure)).contains(name)));
	}

	private static String messages(Throwable failure) {
		StringBuilder messages = new StringBuilder();
		for (Throwable each = failure; each != null; each = each.getCause()) {
			messages.append(each.getMessage()).append('\n');
		}
		return messages.toString();
	}

	@Test
	void cpuBudgetWithoutMeasurementIsExplained() {
		this.contextRunner.withUserConfiguration(OwnSandbox.class)
			.withPropertyValues("kairo.budgets.tenants.default.cpu-time-per-day=1h")
			.run((context) -> assertThat(new BudgetFailureAnalyzer().analyze(context.getStartupFailure()))
				.satisfies((analysis) -> {
					assertThat(analysis.getDescription())
						.contains("kairo.budgets.tenants.default.cpu-time-per-day is PT1H")
						.contains("does not measure CPU time");
					assertThat(analysis.getAction()).contains("kairo.sandbox.type", "kairo.sandbox.limits.memory",
							"kairo.sandbox.limits.cpus", "kairo.sandbox.limits.pids");
				}));
	}

	@Test
	void measurementIsRequiredOfWorkersThatCannotBeReachedYet() {
		this.contextRunner.withConfiguration(AutoConfigurations.of(KairoRemoteSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=remote", "kairo.sandbox.remote.workers=http://127.0.0.1:1",
					"kairo.budgets.tenants.default.cpu-time-per-day=1h")
			.run((context) -> assertThat(context.getBean(ExecutionSandbox.class).capabilities().enforced())
				.containsExactly(SandboxCapability.CPU_TIME));
	}

	@Test
	void cpuTimeIsChargedWhereItIsMeasured() {
		this.webRunner.withUserConfiguration(MeasuringSandbox.class)
			.withPropertyValues("kairo.budgets.tenants.default.cpu-time-per-day=90s")
			.run((context) -> {
				ExecutionSandbox sandbox = context.getBean(ExecutionSandbox.class);
				SandboxRequest request = new SandboxRequest.Builder("true", this.directory).tenant(ACME).build();
				sandbox.start(request);
				sandbox.start(request);
				assertThatExceptionOfType(SandboxLimitException.class).isThrownBy(() -> sandbox.start(request))
					.satisfies((ex) -> {
						assertThat(ex.limit()).isEqualTo("cpu-time-per-day");
						assertThat(ex.maximum()).isEqualTo(90);
					});
				JsonNode today = get(context, "kairousage/acme").get("today");
				assertThat(today.at("/usage/cpuTime").asString()).isEqualTo("PT2M");
				assertThat(today.at("/usage/notMeasured").asInt()).isZero();
			});
	}

	@Test
	void usedShareIsMeasured() {
		this.contextRunner.withPropertyValues(TWO).run((context) -> {
			run(context);
			assertThat(context.getBean(MeterRegistry.class)
				.get("kairo.tenant.limit")
				.tags("limit", "executions-per-day", "tenant", "acme")
				.gauge()
				.value()).isEqualTo(0.5);
			run(context);
			run(context);
			assertThat(context.getBean(MeterRegistry.class)
				.get("kairo.policy.denials")
				.tags("reason", "budget_exceeded", "tenant", "acme")
				.counter()
				.count()).isEqualTo(1);
		});
	}

	@Test
	void applicationStartsWithoutTheModule() {
		this.webRunner.withClassLoader(new FilteredClassLoader("io.kairo.governance"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("kairoBudgets"));
	}

	@Test
	void ledgerInMemoryNeedsNoDatabaseClasses() {
		this.webRunner
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.jdbc", "org.springframework.jdbc",
					"org.springframework.boot.sql"))
			.withPropertyValues(TWO)
			.run((context) -> {
				assertThat(context).hasSingleBean(InMemoryUsageLedger.class);
				assertThat(code(run(context))).isEqualTo("success");
			});
	}

	@Test
	void budgetsApplyWithoutActuatorAndMeters() {
		new ApplicationContextRunner()
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate", "io.micrometer.core",
					"org.springframework.boot.health", "org.springframework.boot.micrometer"))
			.withConfiguration(
					AutoConfigurations.of(KairoBudgetsAutoConfiguration.class, KairoExecutionsAutoConfiguration.class,
							KairoMetricsAutoConfiguration.class, KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=process", "kairo.state-dir=" + this.directory.resolve("state"), TWO)
			.run((context) -> {
				ExecutionSandbox sandbox = context.getBean(ExecutionSandbox.class);
				SandboxRequest request = new SandboxRequest.Builder("true", this.directory).build();
				sandbox.start(request).close();
				sandbox.start(request).close();
				assertThatExceptionOfType(SandboxLimitException.class).isThrownBy(() -> sandbox.start(request));
			});
	}

	private static JsonNode get(ApplicationContext context, String path) throws Exception {
		HttpResponse<String> response = send(context, path, "GET");
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return new JsonMapper().readTree(response.body());
	}

	private static HttpResponse<String> send(ApplicationContext context, String path, String method) throws Exception {
		URI uri = URI.create(
				"http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + "/actuator/" + path);
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build(),
					HttpResponse.BodyHandlers.ofString());
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureApplication
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class Database {

		static final AtomicBoolean DOWN = new AtomicBoolean();

		@Bean
		DataSource dataSource(Environment environment) {
			JdbcDataSource source = new JdbcDataSource();
			source.setUrl("jdbc:h2:mem:" + environment.getProperty("database") + ";DB_CLOSE_DELAY=-1");
			return new DelegatingDataSource(source) {

				@Override
				public Connection getConnection() throws SQLException {
					if (DOWN.get()) {
						throw new SQLException("The database is down");
					}
					return super.getConnection();
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnLedger {

		@Bean
		UsageLedger ownLedger() {
			return new InMemoryUsageLedger();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MeasuringSandbox {

		@Bean
		ExecutionSandbox measuringSandbox() {
			return new ExecutionSandbox() {

				@Override
				public SandboxHandle start(SandboxRequest request) {
					return new MinuteOfCpuTime();
				}

				@Override
				public SandboxCapabilities capabilities() {
					return SandboxCapabilities.of("measuring", Set.of(SandboxCapability.CPU_TIME), Map.of());
				}

			};
		}

	}

	private static final class MinuteOfCpuTime implements SandboxHandle {

		@Override
		public Flux<SandboxOutputChunk> output() {
			return Flux.empty();
		}

		@Override
		public Mono<SandboxExit> exit() {
			return Mono.just(new SandboxExit(0, null, false, false));
		}

		@Override
		public void cancel() {
		}

		@Override
		public void close() {
		}

		@Override
		public Duration cpuTime() {
			return Duration.ofMinutes(1);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnSandbox {

		@Bean
		ExecutionSandbox ownSandbox() {
			return (request) -> {
				throw new UnsupportedOperationException();
			};
		}

	}

}
