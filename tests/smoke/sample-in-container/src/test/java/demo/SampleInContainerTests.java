package demo;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.github.dockerjava.api.DockerClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Builds the image of the sample application, runs it as its compose file says, and works
 * in it with a real MCP client.
 */
@RequiresDocker
@Timeout(value = 10, unit = java.util.concurrent.TimeUnit.MINUTES)
class SampleInContainerTests {

	private static final String SECRET = "secret-of-the-container";

	private static final Map<String, String> ENVIRONMENT = Map.of("DATABASE_PASSWORD", SECRET);

	private static final Map<String, String> AUTO = Map.of("DATABASE_PASSWORD", SECRET, "KAIRO_SANDBOX_TYPE", "auto");

	@BeforeAll
	static void build() throws Exception {
		SampleImage.build();
	}

	@AfterAll
	static void nothingIsLeft() {
		DockerClient docker = DockerClientFactory.instance().client();
		assertThat(docker.listContainersCmd().withShowAll(true).withAncestorFilter(List.of(SampleImage.NAME)).exec())
			.isEmpty();
		assertThat(docker.listVolumesCmd().exec().getVolumes()).filteredOn((volume) -> volume.getName().startsWith("kairo-smoke-"))
			.isEmpty();
	}

	/**
	 * As the image is: the commands have the rights of the application in its container.
	 */
	@Nested
	class WithProcess {

		@Test
		void filesAndCommandsWorkOverMcp() throws Exception {
			try (SampleContainer container = SampleContainer.of(ENVIRONMENT)) {
				container.start();
				assertThat(container.sandboxHealth().at("/details/backend").asString()).isEqualTo("process");
				try (AgentClient client = container.connect()) {
					assertThat(client.tools()).contains("Read", "Write", "Edit", "Glob", "Grep", "Rewind", "Bash");
					client.call("Write", Map.of("file_path", "hello.sh", "content", "echo hello; id -u; pwd\n"));
					assertThat(client.text("Read", Map.of("file_path", "hello.sh"))).contains("echo hello");
					assertThat(client.bash("sh hello.sh")).isEqualTo("hello\n10001\n/workspace");
					commandsHaveNoRights(client);
					environmentIsFiltered(client);
				}
				orphansAreReaped(container);
				filesStayWhenTheContainerStops(container);
			}
		}

		private void commandsHaveNoRights(AgentClient client) {
			assertThat(client.bash("grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status").split("\\s+"))
				.startsWith("CapEff:", "0000000000000000", "CapBnd:", "0000000000000000", "NoNewPrivs:", "1", "Seccomp:",
						"2");
			for (String directory : List.of("/application", "/usr/bin", "/etc", "/")) {
				assertThat(client.bash("touch " + directory + "/x && echo changed")).contains("Read-only file system")
					.doesNotContain("changed");
			}
			assertThat(client.bash("touch /tmp/x /var/lib/kairo/x /workspace/x && echo changed")).startsWith("changed");
		}

		/**
		 * What commands can read in {@code /proc} is a documented limit of this sandbox.
		 */
		private void environmentIsFiltered(AgentClient client) {
			assertThat(client.bash("env")).contains("PATH=").doesNotContain(SECRET, "DATABASE_PASSWORD", "KAIRO_STATE_DIR");
			assertThat(client.bash("cat /proc/1/environ | tr '\\0' '\\n'")).contains(SECRET);
		}

		private void orphansAreReaped(SampleContainer container) {
			try (AgentClient client = container.connect()) {
				client.bash("for each in 1 2 3; do (setsid sleep 300 &); done; (setsid true &); sleep 0.2");
			}
			await().atMost(Duration.ofSeconds(10))
				.untilAsserted(() -> assertThat(exec(container, "ps", "-eo", "stat,args").getStdout()).contains("java ")
					.doesNotContain("sleep", "<defunct>", "Z "));
		}

		private void filesStayWhenTheContainerStops(SampleContainer container) throws Exception {
			try (AgentClient client = container.connect()) {
				client.bash("echo kept > kept.txt");
				client.call("Bash", Map.of("command", "sleep 300", "run_in_background", true));
			}
			assertThat(container.stopInTime()).isEqualTo(128 + 15);
			container.startAgain();
			try (AgentClient client = container.connect()) {
				assertThat(client.text("Read", Map.of("file_path", "kept.txt"))).contains("kept");
				assertThat(client.bash("ps -eo args")).doesNotContain("sleep 300");
			}
		}

	}

	@Nested
	class WithAuto {

		/**
		 * The system call filter of the engine denies namespaces. Where it allows Landlock,
		 * commands are confined by that; otherwise they would not be isolated, and are offered
		 * only where the configuration says so by name.
		 */
		@Test
		void landlockOrProcessIsFoundWithTheFilterOfTheEngine() throws Exception {
			try (SampleContainer container = SampleContainer.of(AUTO)) {
				container.start();
				JsonNode health = container.sandboxHealth();
				boolean confined = health.at("/details/backend").asString().equals("landlock");
				assertThat(health.at("/details/backend").asString()).isIn("landlock", "process");
				assertThat(health.at("/details/isolation").asString()).isEqualTo(confined ? "landlock" : "none");
				assertThat(health.at("/details/choice").asString()).contains("bubblewrap cannot be used",
						"user_namespaces_forbidden");
				try (AgentClient client = container.connect()) {
					assertThat(client.tools()).contains("Read", "Write");
					client.call("Write", Map.of("file_path", "hello.txt", "content", "hello\n"));
					assertThat(client.text("Read", Map.of("file_path", "hello.txt"))).contains("hello");
					if (confined) {
						assertThat(client.bash("cat hello.txt; id -u")).isEqualTo("hello\n10001");
						assertThat(client.bash("env; cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'"))
							.contains("PATH=")
							.doesNotContain(SECRET, "DATABASE_PASSWORD", "java -");
						assertThat(client.bash("ls /var/lib/kairo /application")).contains("Permission denied");
						assertThat(client.bash("kill -9 -1; kill -9 1; echo alive")).contains("alive");
					}
					else {
						assertThat(client.tools()).doesNotContain("Bash");
					}
				}
			}
		}

		/**
		 * With {@code --security-opt seccomp=unconfined --security-opt
		 * systempaths=unconfined}, as the command line of Docker spells it.
		 */
		@Test
		void bubblewrapIsFoundWhereNamespacesAreAllowed() throws Exception {
			try (SampleContainer container = SampleContainer.of(AUTO).allowNamespaces()) {
				container.start();
				JsonNode health = container.sandboxHealth();
				assertThat(health.at("/details/backend").asString()).isEqualTo("bubblewrap");
				assertThat(health.at("/details/choice").asString()).isEqualTo("the strongest sandbox that works here");
				try (AgentClient client = container.connect()) {
					client.call("Write", Map.of("file_path", "hello.sh", "content", "echo hello; id -u\n"));
					assertThat(client.bash("sh hello.sh")).isEqualTo("hello\n10001");
					assertThat(client.bash("env; cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'")).contains("PATH=")
						.doesNotContain(SECRET, "DATABASE_PASSWORD", "java");
					assertThat(client.bash("ls /var/lib/kairo /application")).contains("No such file");
					assertThat(client.bash("cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d ' '")).isEqualTo("lo");
				}
			}
		}

	}

	private static ExecResult exec(SampleContainer container, String... command) throws Exception {
		return container.execInContainer(command);
	}

}
