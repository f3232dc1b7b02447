package io.kairo.autoconfigure.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.health.KairoHealthAutoConfiguration;
import io.kairo.autoconfigure.observation.KairoExecutionsAutoConfiguration;
import io.kairo.autoconfigure.observation.KairoMetricsAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.tools.RewoundCommands;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.boot.SandboxWorkers;
import io.kairo.sandbox.remote.WorkerSelector;
import io.kairo.sandbox.remote.autoconfigure.KairoRemoteSandboxAutoConfiguration;
import io.kairo.sandbox.remote.autoconfigure.KairoSandboxServerAutoConfiguration;
import io.kairo.sandbox.remote.autoconfigure.SandboxServerLifecycle;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for applications that run commands on workers, and for the workers.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class RemoteSandboxTests {

	private static final String TOKEN = "the token of the agents";

	@TempDir
	Path directory;

	private final AtomicInteger served = new AtomicInteger();

	private final ApplicationContextRunner worker = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class,
				KairoSandboxServerAutoConfiguration.class, SslAutoConfiguration.class,
				KairoExecutionsAutoConfiguration.class, KairoTenancyAutoConfiguration.class))
		.withBean(SandboxInterceptor.class, () -> (request, chain) -> {
			this.served.incrementAndGet();
			return chain.proceed(request);
		})
		.withPropertyValues("kairo.sandbox.type=process", "kairo.sandbox.server.enabled=true",
				"kairo.sandbox.server.port=0", "kairo.sandbox.server.clients.agents.token=" + TOKEN,
				"kairo.sandbox.server.clients.agents.tenants=acme,default",
				"kairo.sandbox.server.clients.agents.roots=/");

	private final ApplicationContextRunner client = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class,
				KairoRemoteSandboxAutoConfiguration.class, SslAutoConfiguration.class,
				KairoExecutionsAutoConfiguration.class, KairoTenancyAutoConfiguration.class,
				KairoMetricsAutoConfiguration.class, KairoHealthAutoConfiguration.class))
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withPropertyValues("kairo.sandbox.type=remote", "kairo.sandbox.remote.token=" + TOKEN,
				"kairo.sandbox.remote.patience=1s");

	private Path workspace;

	@BeforeEach
	void createWorkspace() throws Exception {
		this.workspace = Files.createDirectory(this.directory.resolve("workspace"));
	}

	private static String address(ConfigurableApplicationContext worker) {
		return "127.0.0.1:" + Objects.requireNonNull(worker.getBean(SandboxServerLifecycle.class).address()).getPort();
	}

	private static String workers(ConfigurableApplicationContext... workers) {
		return "kairo.sandbox.remote.workers="
				+ String.join(",", List.of(workers).stream().map((worker) -> "http://" + address(worker)).toList());
	}

	private SandboxHandle start(ConfigurableApplicationContext client, String command, String tenant) {
		return client.getBean(ExecutionSandbox.class)
			.start(new SandboxRequest.Builder(command, this.workspace).tenant(new TenantContext(tenant, "someone"))
				.build());
	}

	private static SandboxExit exit(SandboxHandle handle) {
		return Objects.requireNonNull(handle.exit().block(Duration.ofSeconds(30)));
	}

	private static Health health(ConfigurableApplicationContext context) {
		return Objects.requireNonNull(context.getBean("kairoSandboxHealthIndicator", HealthIndicator.class).health());
	}

	@Test
	void commandRunsOnAWorkerWithItsInterceptors() {
		this.worker.run((worker) -> this.client.withPropertyValues(workers(worker)).run((client) -> {
			try (SandboxHandle handle = start(client, "pwd; exit 7", "acme")) {
				assertThat(exit(handle).exitCode()).isEqualTo(7);
				assertThat(
						new String(Objects.requireNonNull(handle.output().blockFirst()).data(), StandardCharsets.UTF_8))
					.isEqualTo(this.workspace + "\n");
			}
			assertThat(this.served).hasValue(1);
			assertThat(client.getBean(SandboxChoice.class).type()).isEqualTo("remote");
		}));
	}

	@ParameterizedTest
	@CsvSource({ "kairo.sandbox.server.max-copies-size=10MB, kairo.sandbox.remote.max-copy-size=1MB",
			"kairo.enabled=true, kairo.enabled=true" })
	void commandsOnAWorkerAreUndone(String copiesOfWorker, String copiesOfClient) throws Exception {
		Path root = this.directory.toRealPath().resolve("root");
		RewoundCommands commands = RewoundCommands.in(root, null);
		this.worker.withPropertyValues("kairo.state-dir=" + this.directory.resolve("worker"), copiesOfWorker)
			.run((worker) -> this.client
				.withConfiguration(
						AutoConfigurations.of(KairoToolsAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class))
				.withPropertyValues(workers(worker), copiesOfClient, "kairo.workspace.roots=" + root,
						"kairo.state-dir=" + this.directory.resolve("state"))
				.run(commands::check));
	}

	@Test
	void directoriesAreCopiedIfBothSidesAllowIt() throws Exception {
		String state = "kairo.state-dir=" + this.directory.resolve("state");
		Files.writeString(this.workspace.resolve("file"), "content");
		this.worker.withPropertyValues("kairo.sandbox.server.max-copies-size=10MB", state)
			.run((worker) -> this.client.withPropertyValues(workers(worker), "kairo.sandbox.remote.max-copy-size=1MB")
				.run((client) -> {
					try (SandboxHandle handle = start(client, "pwd; mv file moved", "acme")) {
						assertThat(exit(handle).exitCode()).isZero();
						assertThat(new String(Objects.requireNonNull(handle.output().blockFirst()).data(),
								StandardCharsets.UTF_8))
							.startsWith(this.directory.resolve("state/sandbox").toString());
					}
					assertThat(this.workspace.resolve("moved")).hasContent("content");
					assertThat(this.workspace.resolve("file")).doesNotExist();
				}));
		this.worker
			.run((worker) -> this.client.withPropertyValues(workers(worker), "kairo.sandbox.remote.max-copy-size=1MB")
				.run((client) -> assertThatExceptionOfType(SandboxException.class)
					.isThrownBy(() -> start(client, "true", "acme"))
					.withMessageContaining("takes no copies")));
	}

	@Test
	void healthAndMetersTellTheStateOfTheWorkers() {
		ApplicationContextRunner worker = this.worker.withPropertyValues("kairo.sandbox.server.lease=3s");
		worker.run((first) -> {
			worker.run((second) -> this.client.withPropertyValues(workers(first, second)).run((client) -> {
				assertThat(health(client).getStatus()).isEqualTo(Status.UP);
				assertThat(health(client).getDetails().get("workers")).hasToString("{http://" + address(first)
						+ "=up, 0 of 1000 commands, http://" + address(second) + "=up, 0 of 1000 commands}");
				assertThat(health(client).getDetails()).containsEntry("backend", "remote:process");
				MeterRegistry registry = client.getBean(MeterRegistry.class);
				client.getBeansOfType(MeterBinder.class).values().forEach((binder) -> binder.bindTo(registry));
				String address = "http://" + address(second);
				assertThat(registry.get("kairo.sandbox.worker.up").tag("worker", address).gauge().value()).isOne();
				second.getBean(SandboxServerLifecycle.class).stop();
				await().atMost(Duration.ofSeconds(20))
					.untilAsserted(() -> assertThat(
							registry.get("kairo.sandbox.worker.up").tag("worker", address).gauge().value())
						.isZero());
				assertThat(health(client).getStatus()).isEqualTo(Status.UP);
				assertThat(health(client).getDetails().get("workers").toString()).contains(address + "=down");
				first.getBean(SandboxServerLifecycle.class).stop();
				await().atMost(Duration.ofSeconds(20))
					.untilAsserted(() -> assertThat(health(client).getStatus()).isEqualTo(Status.DOWN));
				assertThat(health(client).getDetails().get("problem").toString())
					.contains("no worker accepts commands");
			}));
		});
	}

	@Test
	void workerSelectorOfTheApplicationIsUsed() {
		AtomicInteger selections = new AtomicInteger();
		this.worker.run((worker) -> this.client.withPropertyValues(workers(worker))
			.withBean(WorkerSelector.class, () -> (request, workers) -> {
				selections.incrementAndGet();
				return workers.get(0);
			})
			.run((client) -> {
				try (SandboxHandle handle = start(client, "true", "acme")) {
					assertThat(exit(handle).exitCode()).isZero();
				}
				assertThat(selections).hasValue(1);
			}));
	}

	@Test
	void tenantThatTheClientMayNotActForIsRefused() {
		this.worker.run((worker) -> this.client.withPropertyValues(workers(worker)).run((client) -> {
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(client, "true", "other"))
				.withMessageContaining("may not act for the tenant 'other'");
			assertThat(this.served).hasValue(0);
		}));
	}

	@Test
	void capabilitiesAreKnownOfAWorkerThatKnowsOtherTenantsOnly() {
		this.worker.withPropertyValues("kairo.sandbox.server.clients.agents.tenants=acme")
			.run((worker) -> this.client.withPropertyValues(workers(worker))
				.run((client) -> assertThat(health(client).getDetails()).containsEntry("backend", "remote:process")));
	}

	@Test
	void commandsCompleteWhenTheWorkerIsShutDown() {
		this.worker.run((worker) -> this.client.withPropertyValues(workers(worker)).run((client) -> {
			try (SandboxHandle handle = start(client, "echo started > started; sleep 1; exit 5", "acme")) {
				await().until(() -> Files.exists(this.workspace.resolve("started")));
				CompletableFuture<SandboxExit> exit = handle.exit().toFuture();
				worker.close();
				assertThat(exit).isCompletedWithValueMatching((end) -> end.exitCode() == 5);
			}
		}));
	}

	@Test
	void missingWorkersFailStartup() {
		this.client.run((context) -> assertThat(context).getFailure()
			.rootCause()
			.hasMessageContainingAll("kairo.sandbox.type", "kairo.sandbox.remote.workers", "https://worker:8460"));
	}

	@Test
	void absentModuleFailsStartupAndNamesArtifact() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=remote")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("io.kairo:kairo-sandbox-remote"));
	}

	@Test
	void applicationStartsWithoutWorkersAndRunsCommandsWhenOneIsUp() throws Exception {
		int port = freePort();
		this.client.withPropertyValues("kairo.sandbox.remote.workers=http://127.0.0.1:" + port).run((client) -> {
			assertThat(health(client).getStatus()).isEqualTo(Status.DOWN);
			assertThat(health(client).getDetails().get("problem").toString()).contains("no worker accepts commands",
					"127.0.0.1:" + port);
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(client, "true", "acme"))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BACKEND_UNAVAILABLE));
			this.worker.withPropertyValues("kairo.sandbox.server.port=" + port).run((worker) -> {
				await().atMost(Duration.ofSeconds(40))
					.untilAsserted(() -> assertThat(health(client).getStatus()).isEqualTo(Status.UP));
				try (SandboxHandle handle = start(client, "exit 7", "acme")) {
					assertThat(exit(handle).exitCode()).isEqualTo(7);
				}
			});
		});
	}

	@Test
	void fileToolsWorkWithoutWorkers() throws Exception {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class,
					KairoRemoteSandboxAutoConfiguration.class, SslAutoConfiguration.class,
					KairoTenancyAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class,
					KairoToolsAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=remote", "kairo.sandbox.remote.patience=1s",
					"kairo.sandbox.remote.workers=http://127.0.0.1:" + freePort(),
					"kairo.workspace.roots=" + this.workspace, "kairo.state-dir=" + this.directory.resolve("state"))
			.run((client) -> {
				ToolCatalog tools = client.getBean(ToolCatalog.class);
				client.getBean(AgentSessions.class).runInSession(TenantContext.SINGLE, "test", (call) -> {
					assertThat(tools.call("Write", Map.of("file_path", "file", "content", "text"), call).error())
						.isNull();
					assertThat(tools.call("Bash", Map.of("command", "true"), call).text())
						.contains("backend_unavailable");
				});
			});
	}

	@ParameterizedTest
	@CsvSource({ "kairo.sandbox.require-isolation=true, FILE_CONFINEMENT", "kairo.sandbox.network=none, NETWORK_OFF" })
	void requirementIsThatOfAWorkerWhichComesLater(String property, String capability) throws Exception {
		int port = freePort();
		this.client.withPropertyValues("kairo.sandbox.remote.workers=http://127.0.0.1:" + port, property)
			.run((client) -> {
				assertThat(client).hasNotFailed();
				this.worker.withPropertyValues("kairo.sandbox.server.port=" + port).run((worker) -> {
					await().atMost(Duration.ofSeconds(40))
						.untilAsserted(() -> assertThat(health(client).getStatus()).isEqualTo(Status.UP));
					assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(client, "true", "acme"))
						.withMessageContaining("[" + capability + "]");
					assertThat(this.served).hasValue(0);
				});
			});
	}

	@Test
	void commandsOverMcpNeedAWorkerThatConfinesThem() throws Exception {
		int port = freePort();
		this.client.withPropertyValues("kairo.sandbox.remote.workers=http://127.0.0.1:" + port).run((client) -> {
			client.getBean(SandboxWorkers.class).requireOfUnknown(SandboxCapability.FILE_CONFINEMENT);
			assertThat(client.getBean(ExecutionSandbox.class).capabilities().enforced())
				.containsExactly(SandboxCapability.FILE_CONFINEMENT);
			this.worker.withPropertyValues("kairo.sandbox.server.port=" + port).run((worker) -> {
				await().atMost(Duration.ofSeconds(40))
					.untilAsserted(() -> assertThat(health(client).getStatus()).isEqualTo(Status.UP));
				assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(client, "true", "acme"))
					.withMessageContaining("[FILE_CONFINEMENT]");
				assertThat(client.getBean(ExecutionSandbox.class).capabilities().enforced())
					.doesNotContain(SandboxCapability.FILE_CONFINEMENT);
			});
		});
	}

	@Test
	void workersAreAwaitedIfNothingElseOfTheOrderWorks() throws Exception {
		this.client
			.withPropertyValues("kairo.sandbox.type=auto", "kairo.sandbox.auto-order=remote",
					"kairo.sandbox.remote.workers=http://127.0.0.1:" + freePort())
			.run((client) -> assertThat(client.getBean(SandboxChoice.class).type()).isEqualTo("remote"));
		this.client
			.withPropertyValues("kairo.sandbox.type=auto", "kairo.sandbox.auto-order=remote,process",
					"kairo.sandbox.remote.workers=http://127.0.0.1:" + freePort())
			.run((client) -> {
				assertThat(client.getBean(SandboxChoice.class).type()).isEqualTo("process");
				assertThat(client.getBean(SandboxWorkers.class).describe()).isEmpty();
			});
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	@Test
	void tokenThatTheWorkerDoesNotKnowFailsStartup() {
		this.worker.run((worker) -> this.client
			.withPropertyValues(workers(worker), "kairo.sandbox.remote.token=another token entirely")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("The client is not known")
				.hasMessageNotContaining("another token entirely")));
	}

	@ParameterizedTest
	@CsvSource({ "kairo.sandbox.remote.workers, http://worker:8460, without encryption",
			"kairo.sandbox.remote.workers, ftp://worker, such as https",
			"kairo.sandbox.remote.path-mappings, workspaces, such as /workspaces:/srv/agents",
			"kairo.sandbox.remote.patience, 0s, above zero", "kairo.sandbox.remote.max-copy-size, 0B, above zero",
			"kairo.sandbox.remote.ssl-bundle, missing, spring.ssl.bundle",
			"kairo.sandbox.limits.memory, 1GB, set it on the workers",
			"kairo.sandbox.process-limits.open-files, 100, set it on the workers" })
	void settingThatCannotBeUsedFailsStartup(String property, String value, String reason) {
		this.worker.run((worker) -> this.client.withPropertyValues(workers(worker), property + "=" + value)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.satisfies((ex) -> assertThat(String.valueOf(ex.getMessage()) + ex).contains(reason))));
	}

	@Test
	void requiredIsolationIsRequiredOfTheWorkers() {
		this.worker
			.run((worker) -> this.client.withPropertyValues(workers(worker), "kairo.sandbox.require-isolation=true")
				.run((context) -> assertThat(context).getFailure()
					.rootCause()
					.hasMessageContaining("remote:process")
					.hasMessageContaining("file confinement")));
	}

	@ParameterizedTest
	@ValueSource(strings = { "kairo.sandbox.server.port=70000", "kairo.sandbox.server.lease=0s",
			"kairo.sandbox.server.max-commands=0", "kairo.sandbox.server.retention=0s",
			"kairo.sandbox.server.max-copies-size=0B", "kairo.sandbox.server.address=192.0.2.1",
			"kairo.sandbox.server.ssl-bundle=missing", "kairo.sandbox.server.clients.agents.roots=relative" })
	void serverSettingThatCannotBeUsedFailsStartup(String property) {
		String name = property.substring(0, property.indexOf('='));
		this.worker.withPropertyValues(property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(name.replaceAll("\\.roots$", "")));
	}

	@Test
	void tokenThatIsTooShortFailsStartupWithoutBeingShown() {
		this.worker.withPropertyValues("kairo.sandbox.server.clients.agents.token=geheim")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("kairo.sandbox.server.clients.agents")
				.hasMessageNotContaining("geheim"));
	}

	@Test
	void serverWithoutClientsFailsStartup() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class,
					KairoSandboxServerAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=process", "kairo.sandbox.server.enabled=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("kairo.sandbox.server.clients"));
	}

	@Test
	void serverIsNotStartedByDefault() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class,
					KairoSandboxServerAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=process")
			.run((context) -> assertThat(context).doesNotHaveBean(SandboxServerLifecycle.class));
	}

	@Test
	void certificatesOfBundlesIdentifyBothSides() throws Exception {
		keytool("keys", "-genkeypair", "-keyalg", "EC", "-dname", "CN=agents", "-ext", "SAN=ip:127.0.0.1");
		String[] bundle = { "spring.ssl.bundle.jks.both.keystore.location=file:" + this.directory.resolve("keys"),
				"spring.ssl.bundle.jks.both.keystore.password=changeit",
				"spring.ssl.bundle.jks.both.truststore.location=file:" + this.directory.resolve("keys"),
				"spring.ssl.bundle.jks.both.truststore.password=changeit" };
		this.worker.withPropertyValues(bundle)
			.withPropertyValues("kairo.sandbox.server.ssl-bundle=both", "kairo.sandbox.server.clients.agents.token=")
			.run((worker) -> this.client.withPropertyValues(bundle)
				.withPropertyValues("kairo.sandbox.remote.ssl-bundle=both", "kairo.sandbox.remote.token=",
						"kairo.sandbox.remote.workers=https://" + address(worker))
				.run((client) -> {
					try (SandboxHandle handle = start(client, "exit 7", "acme")) {
						assertThat(exit(handle).exitCode()).isEqualTo(7);
					}
				}));
	}

	@Test
	void workerWithoutCertificateIsRefused() throws Exception {
		keytool("trusted", "-genkeypair", "-keyalg", "EC", "-dname", "CN=agents");
		this.worker
			.withPropertyValues(
					"spring.ssl.bundle.jks.half.truststore.location=file:" + this.directory.resolve("trusted"),
					"spring.ssl.bundle.jks.half.truststore.password=changeit", "kairo.sandbox.server.ssl-bundle=half")
			.run((worker) -> assertThat(worker).getFailure()
				.rootCause()
				.hasMessageContaining("kairo.sandbox.server.ssl-bundle")
				.hasMessageContaining("no certificate of the server"));
	}

	private void keytool(String store, String... arguments) throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
		command.addAll(List.of(arguments));
		command.addAll(List.of("-storepass", "changeit", "-alias", "key", "-keystore",
				this.directory.resolve(store).toString()));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
	}

}
