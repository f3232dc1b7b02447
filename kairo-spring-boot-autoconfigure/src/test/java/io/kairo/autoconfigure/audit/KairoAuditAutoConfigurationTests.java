package io.kairo.autoconfigure.audit;

import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.AutoConfigureApplication;
import io.kairo.autoconfigure.health.KairoHealthAutoConfiguration;
import io.kairo.autoconfigure.limits.KairoLimitsAutoConfiguration;
import io.kairo.autoconfigure.observation.KairoExecutionsAutoConfiguration;
import io.kairo.autoconfigure.observation.KairoMetricsAutoConfiguration;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.governance.audit.AuditInterceptor;
import io.kairo.governance.audit.AuditLog;
import io.kairo.governance.audit.AuditRecord;
import io.kairo.governance.audit.AuditSink;
import io.kairo.governance.audit.ChainReport;
import io.kairo.governance.audit.ReplayReport;
import io.kairo.governance.audit.SessionReplay;
import io.kairo.governance.jdbc.JdbcAuditSink;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import io.micrometer.core.instrument.MeterRegistry;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.server.context.ServerPortInfoApplicationContextInitializer;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KairoAuditAutoConfiguration}.
 */
class KairoAuditAutoConfigurationTests {

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	@TempDir
	Path directory;

	private ApplicationContextRunner contextRunner;

	private WebApplicationContextRunner webRunner;

	@BeforeEach
	void createRunner() throws Exception {
		Database.DOWN.set(false);
		String[] properties = { "spring.ai.mcp.server.enabled=false", "server.port=0", "server.address=127.0.0.1",
				"management.endpoints.web.exposure.include=*", "management.endpoint.health.show-details=always",
				"kairo.state-dir=" + this.directory.resolve("state"),
				"kairo.workspace.roots=" + Files.createDirectory(this.directory.resolve("work")) + "/{tenant}" };
		this.contextRunner = new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(KairoAuditAutoConfiguration.class, KairoHealthAutoConfiguration.class,
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

	private static ToolResult write(ApplicationContext context, String content) {
		return context.getBean(AgentSessions.class)
			.callInSession(ACME, "s1", (call) -> context.getBean(ToolCatalog.class)
				.call("Write", Map.of("file_path", "a.txt", "content", content), call));
	}

	private static ChainReport verified(ApplicationContext context, Class<? extends AuditSink> sink) {
		return context.getBean(sink).verify(Optional.empty()).orElseThrow();
	}

	private List<String> lines() throws Exception {
		try (Stream<Path> files = Files.list(this.directory.resolve("state/audit"))) {
			Path file = files.filter((each) -> each.toString().endsWith(".jsonl")).findFirst().orElseThrow();
			return Files.readAllLines(file);
		}
	}

	@Test
	void thereIsNoAuditByDefault() {
		this.webRunner.run((context) -> assertThat(context).doesNotHaveBean(AuditLog.class)
			.doesNotHaveBean(AuditInterceptor.class)
			.doesNotHaveBean(AuditEndpoint.class)
			.doesNotHaveBean("kairoAuditHealthIndicator"));
	}

	@Test
	void callsAreRecordedInFiles() {
		this.contextRunner.withPropertyValues("kairo.audit.sinks=file").run((context) -> {
			MDC.put("traceId", "0af7651916cd43dd8448eb211c80319c");
			try {
				assertThat(write(context, "secret").error()).isNull();
			}
			finally {
				MDC.remove("traceId");
			}
			assertThat(lines()).hasSize(2);
			JsonNode record = new JsonMapper().readTree(lines().get(1)).get("record");
			assertThat(record.at("/caller/tenant").asString()).isEqualTo("acme");
			assertThat(record.at("/caller/principal").asString()).isEqualTo("ann");
			assertThat(record.at("/caller/session").asString()).isEqualTo("s1");
			assertThat(record.at("/caller/adapter").asString()).isEqualTo("java");
			assertThat(record.at("/tool").asString()).isEqualTo("Write");
			assertThat(record.at("/code").asString()).isEqualTo("success");
			assertThat(record.at("/effects/paths/0/path").asString()).isEqualTo("a.txt");
			assertThat(record.at("/traceId").asString()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
			assertThat(record.has("arguments")).isFalse();
			assertThat(lines()).noneMatch((line) -> line.contains("secret"));
		});
	}

	@Test
	void argumentsAreRecordedIfWanted() {
		this.contextRunner
			.withPropertyValues("kairo.audit.sinks=file", "kairo.audit.arguments=true",
					"kairo.audit.secret-patterns=hunter\\d")
			.run((context) -> {
				write(context, "user hunter2");
				assertThat(lines().get(0)).contains("user [redacted ");
				assertThat(lines()).noneMatch((line) -> line.contains("hunter2"));
			});
	}

	@Test
	void refusalByALimitIsRecorded() {
		this.contextRunner
			.withPropertyValues("kairo.audit.sinks=file", "kairo.tenancy.limits.default.calls-per-minute=1")
			.run((context) -> {
				write(context, "1");
				assertThat(write(context, "2").error()).isNotNull();
				assertThat(lines().get(3)).contains("\"code\":\"rate_limited\"");
			});
	}

	@Test
	void callsAreRecordedInAnEmbeddedDatabase() {
		this.webRunner.withUserConfiguration(Database.class)
			.withPropertyValues("kairo.audit.sinks=jdbc")
			.run((context) -> {
				assertThat(get(context, "kairoaudit/jdbc").at("/records").asInt()).isZero();
				write(context, "x");
				assertThat(verified(context, JdbcAuditSink.class)).satisfies((report) -> {
					assertThat(report.findings()).isEmpty();
					assertThat(report.records()).isEqualTo(2);
				});
				assertThat(get(context, "kairoaudit").at("/sinks/0/head").asString()).startsWith("2:");
			});
	}

	@Test
	void databaseThatIsDownFailsCallsUntilItIsUp() {
		this.contextRunner.withUserConfiguration(Database.class)
			.withPropertyValues("kairo.audit.sinks=jdbc", "kairo.audit.timeout=1s")
			.withInitializer((context) -> Database.DOWN.set(true))
			.run((context) -> {
				ToolResult refused = write(context, "x");
				assertThat(refused.error()).isNotNull();
				assertThat(refused.error().code()).isEqualTo(AuditInterceptor.UNAVAILABLE);
				assertThat(this.directory.resolve("work/acme/a.txt")).doesNotExist();
				HealthIndicator health = context.getBean("kairoAuditHealthIndicator", HealthIndicator.class);
				assertThat(health.health().getStatus()).isEqualTo(Status.DOWN);
				assertThat(health.health().getDetails().get("jdbc").toString()).contains("database is down");
				assertThat(context.getBean(MeterRegistry.class)
					.get("kairo.audit.records")
					.tags("sink", "jdbc", "outcome", "failed")
					.functionCounter()
					.count()).isGreaterThan(0);
				Database.DOWN.set(false);
				assertThat(write(context, "y").error()).isNull();
				assertThat(health.health().getStatus()).isEqualTo(Status.UP);
				assertThat(verified(context, JdbcAuditSink.class).findings()).isEmpty();
			});
	}

	@Test
	void databaseThatDoesNotAnswerIsInTheHealthWithinTheBound() {
		this.contextRunner.withUserConfiguration(Database.class)
			.withPropertyValues("kairo.audit.sinks=jdbc", "kairo.audit.timeout=1s")
			.withInitializer((context) -> Database.DOWN.set(true))
			.run((context) -> {
				assertThat(write(context, "x").error()).isNotNull();
				Database.answer = new CountDownLatch(1);
				try {
					Health health = context.getBean("kairoAuditHealthIndicator", HealthIndicator.class).health();
					assertThat(health.getStatus()).isEqualTo(Status.DOWN);
					assertThat(health.getDetails()).containsEntry("problem", "did not answer within 2 s");
				}
				finally {
					Database.answer.countDown();
				}
			});
	}

	@Test
	void missingDataSourceIsExplained() {
		this.contextRunner.withPropertyValues("kairo.audit.sinks=jdbc")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("kairo.audit.sinks")
				.hasMessageContaining("spring.datasource.url"));
	}

	@Test
	void sinkOfTheApplicationGetsTheRecords() {
		this.contextRunner.withUserConfiguration(OwnSink.class).run((context) -> {
			write(context, "x");
			assertThat(context.getBean(OwnSink.class).records).extracting(AuditRecord::tool)
				.containsExactly("Write", "Write");
		});
	}

	@Test
	void recordsArePublishedAsAuditEvents() {
		this.contextRunner.withUserConfiguration(Listener.class)
			.withPropertyValues("kairo.audit.sinks=log")
			.run((context) -> {
				write(context, "x");
				assertThat(context.getBean(Listener.class).events).extracting(AuditEvent::getType)
					.containsExactly("KAIRO_CALL_STARTED", "KAIRO_CALL_ENDED");
				assertThat(context.getBean(Listener.class).events.get(1)).satisfies((event) -> {
					assertThat(event.getPrincipal()).isEqualTo("ann");
					assertThat(event.getData()).containsEntry("tenant", "acme").containsEntry("code", "success");
				});
			});
	}

	@Test
	void chainIsVerifiedOverHttp() {
		this.webRunner.withPropertyValues("kairo.audit.sinks=file,log").run((context) -> {
			write(context, "x");
			JsonNode sink = get(context, "kairoaudit").get("sinks").get(1);
			assertThat(sink.at("/state/name").asString()).isEqualTo("file");
			String head = sink.get("head").asString();
			assertThat(sink.at("/state/written").asInt()).isEqualTo(2);
			assertThat(get(context, "kairoaudit/file?head=" + head).at("/findings")).isEmpty();
			Path file = this.directory.resolve("state/audit/audit-000000000000000001.jsonl");
			Files.writeString(file, Files.readString(file).replace("\"principal\":\"ann\"", "\"principal\":\"eve\""));
			JsonNode report = get(context, "kairoaudit/file");
			assertThat(report.at("/findings/0/kind").asString()).isEqualTo("CHANGED");
			assertThat(report.at("/findings/0/sequence").asInt()).isEqualTo(1);
			assertThat(send(context, "kairoaudit/log").statusCode()).isEqualTo(404);
			assertThat(send(context, "kairoaudit/none").statusCode()).isEqualTo(404);
			assertThat(send(context, "kairoaudit/file?head=x").statusCode()).isEqualTo(400);
		});
	}

	/**
	 * The code between the lines of the context is that of {@code docs/audit.md}.
	 */
	@Test
	@DisabledOnOs(OS.WINDOWS)
	void documentedReplayLeavesTheLiveWorkspaceAsItIs() {
		this.contextRunner
			.withPropertyValues("kairo.audit.sinks=log,file", "kairo.audit.arguments=true",
					"kairo.sandbox.type=process")
			.run((context) -> {
				List<AuditSink> sinks = context.getBeanProvider(AuditSink.class).orderedStream().toList();
				ToolCatalog catalog = context.getBean(ToolCatalog.class);
				AgentSessions sessions = context.getBean(AgentSessions.class);
				TenantContext tenant = ACME;
				write(context, "one\n");
				sessions.runInSession(ACME, "s1",
						(call) -> catalog.call("Bash", Map.of("command", "echo more >> a.txt"), call));
				Path live = this.directory.resolve("work/acme/a.txt");
				assertThat(live).hasContent("one\nmore");
				List<String> reports = new ArrayList<>();
				for (int i = 0; i < 2; i++) {
					List<AuditRecord> records = sinks.stream()
						.flatMap((sink) -> sink.recordsOf(tenant.tenantId(), "s1").stream())
						.findFirst()
						.orElseThrow();
					SessionRequest fresh = SessionRequest.of(tenant, "replay-of-s1").in("ephemeral:");
					try {
						ReplayReport report = sessions.callInSession(fresh,
								(replay) -> new SessionReplay(catalog).run(records, replay));
						reports.add(report.calls() + " calls, then " + report.difference());
					}
					finally {
						sessions.end(tenant, "replay-of-s1");
					}
				}
				assertThat(sinks).hasSize(2);
				assertThat(reports).containsExactly("2 calls, then null", "2 calls, then null");
				assertThat(live).hasContent("one\nmore");
				assertThat(this.directory.resolve("state/ephemeral").toFile().listFiles(File::isDirectory)).isEmpty();
			});
	}

	@Test
	void endpointIsNotAvailableWithoutAccess() {
		this.webRunner.withPropertyValues("kairo.audit.sinks=file", "management.endpoint.kairoaudit.access=NONE")
			.run((context) -> assertThat(send(context, "kairoaudit").statusCode()).isEqualTo(404));
	}

	@Test
	void auditIsPartOfTheHealth() {
		this.webRunner.withPropertyValues("kairo.audit.sinks=file").run((context) -> {
			write(context, "x");
			assertThat(new JsonMapper().readTree(send(context, "health").body())
				.at("/components/kairoAudit/details/file/written")
				.asInt()).isEqualTo(2);
		});
	}

	@Test
	void directoryInUseIsExplained() {
		this.contextRunner.withPropertyValues("kairo.audit.sinks=file")
			.run((first) -> this.contextRunner.withPropertyValues("kairo.audit.sinks=file")
				.run((context) -> assertThat(new AuditFailureAnalyzer().analyze(context.getStartupFailure()))
					.satisfies((analysis) -> {
						assertThat(analysis.getDescription()).contains("in use by another process");
						assertThat(analysis.getAction()).contains("kairo.audit.file.directory");
					})));
	}

	@Test
	void filesOfAChainWithAnotherNameAreRefused() {
		ApplicationContextRunner runner = this.contextRunner.withPropertyValues("kairo.audit.sinks=file");
		runner.withPropertyValues("kairo.audit.file.chain=billing").run((context) -> write(context, "x"));
		runner.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContaining("another key or name of its chain"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "kairo.audit.file.chain", "kairo.audit.jdbc.chain" })
	void invalidNameOfAChainIsRefused(String property) {
		this.contextRunner.withPropertyValues("kairo.audit.sinks=file", property + "=" + "x".repeat(65))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(property)
				.hasMessageContaining("1 to 64 characters"));
	}

	@Test
	void shortKeyIsRefusedWithoutShowingIt() {
		this.contextRunner.withPropertyValues("kairo.audit.sinks=file", "kairo.audit.key=hunter2")
			.run((context) -> assertThat(context).getFailure().satisfies((failure) -> {
				assertThat(failure).rootCause()
					.hasMessageContaining("kairo.audit.key")
					.hasMessageContaining("16 bytes");
				assertThat(failure).rootCause().message().doesNotContain("hunter2");
			}));
	}

	@Test
	void badPatternIsRefused() {
		this.contextRunner.withPropertyValues("kairo.audit.sinks=file", "kairo.audit.secret-patterns=(x")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("kairo.audit.secret-patterns")
				.hasMessageContaining("(x"));
	}

	@Test
	void applicationStartsWithoutTheModule() {
		this.webRunner.withClassLoader(new FilteredClassLoader("io.kairo.governance"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("kairoAuditLog"));
	}

	@Test
	void filesAreAuditedWithoutAuditEventsAndDatabases() {
		this.webRunner
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate.audit.listener",
					"org.springframework.boot.jdbc", "org.springframework.jdbc", "org.springframework.boot.sql"))
			.withPropertyValues("kairo.audit.sinks=file")
			.run((context) -> {
				write(context, "x");
				assertThat(lines()).hasSize(2);
			});
	}

	@Test
	void endOfBackgroundCommandsIsRecordedWhenTheApplicationStops() throws Exception {
		AtomicBoolean ran = new AtomicBoolean();
		this.contextRunner.withPropertyValues("kairo.audit.sinks=file", "kairo.sandbox.type=process").run((context) -> {
			ToolResult started = context.getBean(AgentSessions.class)
				.callInSession(ACME, "s1", (call) -> context.getBean(ToolCatalog.class)
					.call("Bash", Map.of("command", "sleep 60", "run_in_background", true), call));
			assertThat(started.error()).isNull();
			assertThat(context.getSourceApplicationContext()
				.getBeanFactory()
				.getDependenciesForBean("kairoExecutionSandbox")).contains("kairoAuditLog");
			ran.set(true);
		});
		assertThat(ran).isTrue();
		assertThat(lines()).hasSize(3);
		assertThat(lines().get(2)).contains("COMMAND_ENDED", "CANCELLED");
	}

	private static JsonNode get(ApplicationContext context, String path) throws Exception {
		HttpResponse<String> response = send(context, path);
		assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
		return new JsonMapper().readTree(response.body());
	}

	private static HttpResponse<String> send(ApplicationContext context, String path) throws Exception {
		URI uri = URI.create(
				"http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + "/actuator/" + path);
		return HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureApplication
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	static class Database {

		static final AtomicBoolean DOWN = new AtomicBoolean();

		static volatile CountDownLatch answer = new CountDownLatch(0);

		@Bean
		DataSource dataSource() {
			JdbcDataSource source = new JdbcDataSource();
			source.setUrl("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
			return new DelegatingDataSource(source) {

				@Override
				public Connection getConnection() throws SQLException {
					try {
						answer.await();
					}
					catch (InterruptedException ex) {
						throw new SQLException(ex);
					}
					if (DOWN.get()) {
						throw new SQLException("The database is down");
					}
					return super.getConnection();
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnSink {

		final List<AuditRecord> records = new CopyOnWriteArrayList<>();

		@Bean
		AuditSink ownSink() {
			return new AuditSink() {

				@Override
				public String name() {
					return "own";
				}

				@Override
				public void append(List<AuditRecord> added) {
					OwnSink.this.records.addAll(added);
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Listener implements ApplicationListener<AuditApplicationEvent> {

		final List<AuditEvent> events = new CopyOnWriteArrayList<>();

		@Override
		public void onApplicationEvent(AuditApplicationEvent event) {
			if (event.getAuditEvent().getType().startsWith("KAIRO")) {
				this.events.add(event.getAuditEvent());
			}
		}

	}

}
