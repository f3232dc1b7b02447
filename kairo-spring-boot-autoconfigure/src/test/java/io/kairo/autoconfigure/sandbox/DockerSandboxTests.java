package io.kairo.autoconfigure.sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.health.KairoHealthAutoConfiguration;
import io.kairo.autoconfigure.observation.KairoExecutionsAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.FilesOfCommands;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.tools.RewoundCommands;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.host.HostUser;
import io.kairo.mcp.KairoMcpAutoConfiguration;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.docker.DockerOptions;
import io.kairo.sandbox.docker.DockerSandbox;
import io.kairo.sandbox.docker.autoconfigure.KairoDockerSandboxAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for applications whose commands run in containers.
 */
@Tag("docker")
class DockerSandboxTests {

	/** The script {@code sandboxes/docker/src/test/docker/test-image} makes it. */
	private static final String IMAGE = "kairo-test-image:latest";

	@TempDir
	Path temp;

	private Path tenants;

	private static boolean isRoot() {
		return System.getProperty("user.name").equals("root");
	}

	@BeforeEach
	void requireDocker() throws Exception {
		if (!List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("docker")) {
			DockerOptions options = DockerOptions.of(IMAGE);
			try (DockerSandbox sandbox = new DockerSandbox(isRoot()
					? options
						.with((changes) -> changes.commands((commands) -> commands.runAs(new HostUser(65534, 65534))))
					: options)) {
				BackendProblem problem = sandbox.problem();
				assumeThat(problem).as("SKIPPED: Docker cannot be used: %s", problem).isNull();
			}
		}
		Files.setPosixFilePermissions(this.temp, PosixFilePermissions.fromString("rwx--x--x"));
		this.tenants = Files.createDirectory(this.temp.toRealPath().resolve("tenants"));
	}

	private ApplicationContextRunner application() {
		return configured(new ApplicationContextRunner());
	}

	private <R extends AbstractApplicationContextRunner<R, ?, ?>> R configured(R application) {
		R runner = application
			.withConfiguration(AutoConfigurations.of(KairoToolsAutoConfiguration.class,
					KairoTenancyAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class,
					KairoSandboxAutoConfiguration.class, KairoDockerSandboxAutoConfiguration.class,
					KairoExecutionsAutoConfiguration.class, KairoHealthAutoConfiguration.class))
			.withPropertyValues("kairo.state-dir=" + this.tenants.resolveSibling("state"),
					"kairo.workspace.roots=" + this.tenants.resolve("{tenant}"), "kairo.sandbox.docker.image=" + IMAGE);
		return isRoot() ? runner.withPropertyValues("kairo.sandbox.docker.run-as=65534") : runner;
	}

	private static ToolResult bash(ApplicationContext context, String tenant, String command) {
		return context.getBean(AgentSessions.class)
			.call(SessionRequest.of(new TenantContext(tenant, tenant), null), context.getBean(ToolCatalog.class),
					new ToolCall("", "Bash", Map.of("command", command)), UnaryOperator.identity());
	}

	@Test
	void commandsOfEachTenantRunInItsDirectory() {
		application()
			.withPropertyValues("kairo.sandbox.type=docker", "kairo.sandbox.require-isolation=true",
					"kairo.sandbox.network=none", "kairo.sandbox.env.COLOUR=blue")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				for (String tenant : List.of("acme", "globex")) {
					ToolResult result = bash(context, tenant,
							"id -u; echo $COLOUR > new; ls; cat new; ls / | grep -c state");
					assertThat(result.text()).as(result.text())
						.startsWith(String.valueOf(isRoot() ? 65534 : HostUser.current().uid()) + "\nnew\nblue\n0");
					assertThat(this.tenants.resolve(tenant).resolve("new")).hasContent("blue");
				}
			});
	}

	@Test
	void commandsInContainersAreUndone() throws Exception {
		RewoundCommands commands = RewoundCommands.in(this.tenants.resolve("default"),
				isRoot() ? new HostUser(65534, 65534) : null);
		application().withPropertyValues("kairo.sandbox.type=docker").run(commands::check);
	}

	@Test
	void toolsReadFilesOfCommandsInContainers() throws Exception {
		Path root = Files.createDirectory(this.tenants.resolve("default"));
		if (isRoot()) {
			new HostUser(65534, 65534).own(root);
		}
		// the workspace is at /workspace, since it lies below /tmp
		application().withPropertyValues("kairo.sandbox.type=docker", "kairo.workspace.path-policy=relative-only")
			.run((context) -> FilesOfCommands.check(context, "/tmp", "$HOME"));
	}

	@Test
	void healthReportsDockerWithCapabilitiesAndChoice() {
		application().withPropertyValues("kairo.sandbox.type=docker").run((context) -> {
			Health health = context.getBean("kairoSandboxHealthIndicator", HealthIndicator.class).health(true);
			assertThat(health.getStatus()).as(health.toString()).isEqualTo(Status.UP);
			assertThat(health.getDetails()).containsEntry("backend", "docker")
				.containsEntry("isolation", "docker")
				.containsEntry("choice", "kairo.sandbox.type is docker")
				.hasEntrySatisfying("reason", (reason) -> assertThat(reason.toString()).contains("image"))
				.hasEntrySatisfying("capabilities", (capabilities) -> assertThat(capabilities.toString())
					.contains(SandboxCapability.FILE_CONFINEMENT.name()));
		});
	}

	@Test
	void dockerIsSelectedByOrder() {
		application().withPropertyValues("kairo.sandbox.auto-order=docker,bubblewrap,process").run((context) -> {
			assertThat(context.getBean(ExecutionSandbox.class).capabilities().backend()).isEqualTo("docker");
			assertThat(context.getBean(SandboxChoice.class))
				.isEqualTo(new SandboxChoice("docker", "the first of kairo.sandbox.auto-order that works here"));
		});
		application()
			.withPropertyValues("kairo.sandbox.auto-order=bubblewrap,docker",
					"kairo.sandbox.bubblewrap.executable=/no/bwrap")
			.run((context) -> assertThat(context.getBean(SandboxChoice.class).reason())
				.contains("bubblewrap cannot be used: bwrap_missing")
				.doesNotContain("the rights of this application"));
	}

	@Test
	void dockerIsSandboxOfOneTenant() {
		application().withPropertyValues("kairo.sandbox.type=process", "kairo.sandbox.tenants.acme.type=docker")
			.run((context) -> {
				assertThat(bash(context, "acme", "echo > /kairo; test -d /var/lib/docker || echo confined").text())
					.contains("Read-only file system", "confined");
				assertThat(context.getBean(SandboxChoice.class).describeTenants())
					.containsExactly(Map.entry("acme", "docker (kairo.sandbox.tenants.acme.type is docker)"));
			});
	}

	@Test
	void allowListIsThatOfTheProperties() {
		application()
			.withPropertyValues("kairo.sandbox.type=docker", "kairo.sandbox.network=allow-list",
					"kairo.sandbox.network-allow=example.org")
			.run((context) -> assertThat(bash(context, "acme",
					"exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT example.com:443 HTTP/1.1\\r\\n\\r\\n' >&3; cat <&3")
				.text()).contains("403 not_listed", "the network refused example.com:443"));
		application()
			.withPropertyValues("kairo.sandbox.type=docker", "kairo.sandbox.network=allow-list",
					"kairo.sandbox.network-allow=*.com")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.network-allow", "'*.com' covers too many hosts"));
	}

	@Test
	void networkThatContainersDoNotHaveFailsStartup() {
		application().withPropertyValues("kairo.sandbox.type=docker", "kairo.sandbox.network=host")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.network", "'host'", "'docker'", "no network"));
		application()
			.withPropertyValues("kairo.sandbox.type=process", "kairo.sandbox.tenants.acme.type=docker",
					"kairo.sandbox.tenants.acme.network=host")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("kairo.sandbox.tenants.acme.network", "tenant 'acme'", "no network"));
	}

	@Test
	void missingImageIsReportedWithName() {
		application()
			.withPropertyValues("kairo.sandbox.type=docker", "kairo.sandbox.docker.image=kairo-no-such-image:1")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContainingAll("image_missing", "kairo-no-such-image:1", "build or pull"));
	}

	@Test
	void imageThatCannotBePulledIsReportedInTheWordsOfTheEngine() {
		application()
			.withPropertyValues("kairo.sandbox.type=docker", "kairo.sandbox.docker.image=127.0.0.1:1/kairo/none",
					"kairo.sandbox.docker.pull=if-missing")
			.run((context) -> {
				Throwable failure = context.getStartupFailure();
				assertThat(failure).isNotNull();
				FailureAnalysis analysis = new SandboxFailureAnalyzer().analyze(failure);
				assertThat(analysis.getDescription()).contains("image_not_pulled", "127.0.0.1:1/kairo/none",
						"connection refused");
				assertThat(analysis.getAction()).contains("credentials", "load the image into the engine");
			});
	}

	@Test
	void commandsInContainersAreOfferedOverMcp() {
		configured(new WebApplicationContextRunner())
			.withConfiguration(AutoConfigurations.of(KairoMcpAutoConfiguration.class))
			.withPropertyValues("kairo.sandbox.type=docker", "kairo.mcp.expose=Bash")
			.run((context) -> assertThat(context.getBean(McpSyncServer.class).listTools()).extracting(Tool::name)
				.containsExactly("Bash"));
	}

}
