package io.kairo.autoconfigure.tools;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.health.KairoHealthAutoConfiguration;
import io.kairo.autoconfigure.limits.KairoLimitsAutoConfiguration;
import io.kairo.autoconfigure.observation.KairoExecutionsAutoConfiguration;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.sandbox.LimitedTenants;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.task.AgentTree;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for an application that runs as root, with commands that run as another user in
 * the directories of tenants, tasks and sessions.
 */
@Tag("bubblewrap")
@ExtendWith(OutputCaptureExtension.class)
class CommandsOfRootTests {

	private static final String ALL = "id -u; echo new > new; mkdir -p a/b && rm -r a; cat new";

	@TempDir
	Path temp;

	private Path tenants;

	@BeforeEach
	void requireRoot() throws Exception {
		assumeThat(System.getProperty("user.name")).as("SKIPPED: only root can run commands as other users")
			.isEqualTo("root");
		boolean required = List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("bubblewrap");
		assumeThat(required || Files.exists(Path.of("/usr/bin/bwrap"))).as("SKIPPED: bwrap is not installed").isTrue();
		Files.setPosixFilePermissions(this.temp, PosixFilePermissions.fromString("rwx--x--x"));
		this.tenants = Files.createDirectory(this.temp.toRealPath().resolve("tenants"));
	}

	private ApplicationContextRunner application(String... properties) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoToolsAutoConfiguration.class,
					KairoTenancyAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class,
					KairoSandboxAutoConfiguration.class, KairoExecutionsAutoConfiguration.class,
					KairoHealthAutoConfiguration.class, KairoLimitsAutoConfiguration.class))
			.withPropertyValues("kairo.state-dir=" + this.tenants.resolveSibling("state"),
					"kairo.workspace.roots=" + this.tenants.resolve("{tenant}"), "kairo.sandbox.type=bubblewrap",
					"kairo.sandbox.bubblewrap.run-as=65534")
			.withPropertyValues(properties);
	}

	private static ToolResult bash(ApplicationContext context, String tenant, String hint, String command) {
		SessionRequest request = SessionRequest.of(new TenantContext(tenant, tenant), null).in(hint);
		return context.getBean(AgentSessions.class)
			.call(request, context.getBean(ToolCatalog.class), new ToolCall("", "Bash", Map.of("command", command)),
					UnaryOperator.identity());
	}

	private static Health health(ApplicationContext context) {
		return context.getBean("kairoSandboxHealthIndicator", HealthIndicator.class).health(true);
	}

	@Test
	void commandsRunInDirectoryOfTenant() {
		application().run((context) -> {
			for (String tenant : List.of("acme", "globex")) {
				ToolResult result = bash(context, tenant, null, ALL);
				assertThat(result.error()).as(result.text()).isNull();
				assertThat(result.text()).isEqualTo("65534\nnew");
				assertThat(Files.getPosixFilePermissions(this.tenants.resolve(tenant)))
					.isEqualTo(PosixFilePermissions.fromString("rwx------"));
			}
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
		});
	}

	@Test
	void commandsRunInEphemeralWorkspaceWithSeed() throws Exception {
		Path seed = Files.createDirectories(this.tenants.resolveSibling("seeds").resolve("app/src"));
		Files.setPosixFilePermissions(Files.writeString(seed.resolve("run.sh"), "echo seeded\n"),
				PosixFilePermissions.fromString("rwx------"));
		Files.createSymbolicLink(seed.resolve("link"), Path.of("/etc/passwd"));
		application("kairo.workspace.ephemeral.seeds=" + seed.getParent().getParent()).run((context) -> {
			ToolResult result = bash(context, "acme", "ephemeral:app",
					"sh src/run.sh && echo more >> src/run.sh && stat -c %u . src src/* | sort -u");
			assertThat(result.text()).isEqualTo("seeded\n65534");
		});
		assertThat(Files.getAttribute(Path.of("/etc/passwd"), "unix:uid")).isEqualTo(0);
		assertThat(Files.getAttribute(seed.resolve("run.sh"), "unix:uid")).isEqualTo(0);
	}

	@Test
	void commandsRunInTaskWorkspace() throws Exception {
		Path tasks = Files.createDirectory(this.tenants.resolveSibling("tasks"));
		application("kairo.workspace.task.data-dir=" + tasks, "kairo.workspace.provider=task").run((context) -> {
			context.getBean(AgentTree.class).register("one", "root");
			assertThat(bash(context, TenantContext.SINGLE.tenantId(), "task:one", ALL).text()).isEqualTo("65534\nnew");
		});
	}

	@Test
	void filesOfToolsBelongToUserOfCommands() {
		application().run((context) -> {
			context.getBean(AgentSessions.class)
				.call(SessionRequest.of(new TenantContext("acme", "acme"), null), context.getBean(ToolCatalog.class),
						new ToolCall("", "Write", Map.of("file_path", "a/b.txt", "content", "written\n")),
						UnaryOperator.identity());
			assertThat(bash(context, "acme", null, "echo more >> a/b.txt && cat a/b.txt").text())
				.isEqualTo("written\nmore");
		});
	}

	@Test
	void limitsHoldForCommandsOfEachTenant() {
		application("kairo.sandbox.require-isolation=true", "kairo.sandbox.limits.memory=256MB",
				"kairo.sandbox.limits.pids=64", "kairo.sandbox.tenants.acme.limits.pids=16",
				"kairo.sandbox.tenants.acme.timeout=30s", "kairo.tenancy.limits.default.concurrent-executions=1")
			.run((context) -> {
				assertThat(bash(context, "acme", null, LimitedTenants.MANY_PROCESSES).text())
					.contains("limit of 16 processes");
				assertThat(bash(context, "globex", null, LimitedTenants.MANY_PROCESSES).text())
					.startsWith("40 processes");
				assertThat(bash(context, "globex", null, LimitedTenants.MUCH_MEMORY).text())
					.contains("limit of 268435456 bytes of memory");
				assertThat(health(context).getDetails()).extracting("notLimited")
					.asInstanceOf(InstanceOfAssertFactories.MAP)
					.containsOnlyKeys("cpus", "file-size");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "acme", "." })
	void directoryThatUserOfCommandsCannotEnterIsReported(String closed, CapturedOutput output) throws Exception {
		Files.createDirectory(this.tenants.resolve("acme"));
		Path barrier = this.tenants.resolve(closed).normalize();
		Files.setPosixFilePermissions(barrier, PosixFilePermissions.fromString("rwx------"));
		application().run((context) -> {
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			ToolResult result = bash(context, "acme", null, "echo ran");
			assertThat(result.error().code()).isEqualTo(SandboxErrorCode.SETUP_FAILED.code());
			assertThat(result.text()).startsWith("setup_failed: The command was not run")
				.doesNotContain(barrier.toString());
			assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
			assertThat(health(context).getDetails().get("problem").toString())
				.contains("since they run as 65534:65534, who may not enter " + barrier);
			bash(context, closed.equals(".") ? "acme" : "globex", null, "true");
			await().until(() -> health(context).getStatus().equals(closed.equals(".") ? Status.DOWN : Status.UP));
		});
		assertThat(output.toString().contains("on the way to " + this.tenants)).isEqualTo(closed.equals("."));
		try (Stream<Path> left = Files.list(this.tenants.resolve("acme"))) {
			assertThat(left).isEmpty();
		}
		assertThat(Files.getAttribute(this.tenants.resolve("acme"), "unix:uid", LinkOption.NOFOLLOW_LINKS))
			.isEqualTo(0);
	}

}
