package io.kairo.autoconfigure.workspace;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.ThisJvm;
import io.kairo.autoconfigure.audit.KairoAuditAutoConfiguration;
import io.kairo.autoconfigure.environment.KairoEnvironmentAutoConfiguration;
import io.kairo.autoconfigure.ledger.KairoBudgetsAutoConfiguration;
import io.kairo.autoconfigure.limits.KairoLimitsAutoConfiguration;
import io.kairo.autoconfigure.policy.KairoPolicyAutoConfiguration;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the application of the README in the directories and for the users that
 * services have.
 */
class StartDirectoryTests {

	private static final String EPHEMERAL = "--kairo.workspace.provider=ephemeral";

	@TempDir
	Path directory;

	@Test
	void startsInRootDirectory() throws Exception {
		assertThat(run(Path.of("/"), home(), EPHEMERAL)).contains("ls: hello.txt", "read: 1\tHello, agent");
	}

	@Test
	void startsInHomeDirectory() throws Exception {
		assertThat(run(home(), home(), EPHEMERAL)).contains("ls: hello.txt", "read: 1\tHello, agent");
		assertThat(home().resolve(".local/state/kairo")).isDirectory();
	}

	@Test
	void rootDirectoryThatWouldBeTheWorkspaceIsExplained() throws Exception {
		assertThat(run(Path.of("/"), home())).contains("kairo.workspace.roots", "no kairo.state-dir can lie outside")
			.doesNotContain("\tat ");
	}

	@Test
	void userWithoutHomeHasPrivateStateBesideTemporaryFiles() throws Exception {
		Path work = Files.createDirectories(this.directory.resolve("work"));
		assertThat(run(work, Path.of("?"), EPHEMERAL)).contains("read: 1\tHello, agent", "has no home directory",
				"Set kairo.state-dir");
		assertThat(work).isEmptyDirectory();
		Path state = state();
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state))).isEqualTo("rwx------");
		Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwxrwx"));
		assertThat(run(work, Path.of("?"), EPHEMERAL)).contains("kairo.state-dir", "without a home directory",
				"other users can change it");
	}

	@Test
	void userWithoutHomeHasNoTilde() throws Exception {
		assertThat(run(this.directory, Path.of("?"), EPHEMERAL, "--add-dir=~/lib")).contains("~/lib",
				"has no home directory: write the whole path");
	}

	private Path home() throws IOException {
		return Files.createDirectories(this.directory.resolve("home"));
	}

	private Path state() throws IOException {
		try (Stream<Path> entries = Files.list(this.directory.resolve("tmp"))) {
			return entries.filter((each) -> each.getFileName().toString().startsWith("kairo-state-"))
				.findFirst()
				.orElseThrow();
		}
	}

	private String run(Path work, Path home, String... arguments) throws Exception {
		Path temporary = Files.createDirectories(this.directory.resolve("tmp"));
		List<String> command = new ArrayList<>(ThisJvm.command());
		command.addAll(List.of("-Duser.home=" + home, "-Djava.io.tmpdir=" + temporary, "-cp",
				System.getProperty("java.class.path"), Application.class.getName()));
		command.addAll(List.of(arguments));
		Path output = this.directory.resolve("output.txt");
		ProcessBuilder builder = new ProcessBuilder(command).directory(work.toFile())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile());
		builder.environment().remove("XDG_STATE_HOME");
		Process process = builder.start();
		try {
			assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
		}
		finally {
			process.destroyForcibly();
		}
		return Files.readString(output, StandardCharsets.UTF_8);
	}

	/**
	 * An application without the auto-configurations of other frameworks, which open no
	 * directories.
	 */
	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KairoTenancyAutoConfiguration.class, KairoEnvironmentAutoConfiguration.class,
			KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class,
			KairoToolsAutoConfiguration.class, KairoLimitsAutoConfiguration.class, KairoPolicyAutoConfiguration.class,
			KairoBudgetsAutoConfiguration.class, KairoAuditAutoConfiguration.class })
	static class Application {

		public static void main(String[] arguments) {
			SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class)
				.web(WebApplicationType.NONE)
				.properties("spring.ai.mcp.server.enabled=false");
			try (ConfigurableApplicationContext context = application.run(arguments)) {
				ToolCatalog tools = context.getBean(ToolCatalog.class);
				context.getBean(AgentSessions.class).runInSession(TenantContext.SINGLE, "demo", (call) -> {
					tools.call("Write", Map.of("file_path", "hello.txt", "content", "Hello, agent\n"), call);
					System.out.println("ls: " + tools.call("Bash", Map.of("command", "ls"), call).text().strip());
					System.out
						.println("read: " + tools.call("Read", Map.of("file_path", "hello.txt"), call).text().strip());
				});
			}
		}

	}

}
