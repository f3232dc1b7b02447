package io.kairo.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

import static io.kairo.sample.AgentClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Lets a scripted agent repair a small Maven project: through a real MCP client, with
 * commands that run in bubblewrap, in the background and without a network.
 */
@Tag("bubblewrap")
@Timeout(300)
class RepairedProjectTests {

	private static final String USER = "65534";

	private static final boolean ROOT = System.getProperty("user.name").equals("root");

	@TempDir
	Path temp;

	private Path root;

	private AgentClient client;

	@BeforeEach
	void requireBubblewrap() throws Exception {
		boolean required = List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("bubblewrap");
		assumeThat(required || isUsable()).as("SKIPPED: bwrap is not installed, or cannot create namespaces").isTrue();
		// commands of another user pass through
		Files.setPosixFilePermissions(this.temp, PosixFilePermissions.fromString("rwx--x--x"));
		this.temp = this.temp.toRealPath();
		this.root = this.temp.resolve("workspace");
	}

	private static boolean isUsable() throws Exception {
		Path bwrap = Path.of("/usr/bin/bwrap");
		return Files.isExecutable(bwrap)
				&& new ProcessBuilder(bwrap.toString(), "--unshare-all", "--ro-bind", "/", "/", "true").start()
					.waitFor() == 0;
	}

	@Test
	void agentRepairsFailingTestWithTestsInBackground() throws Exception {
		MavenProject project = MavenProject.prepare(this.temp);
		project.write(this.root);
		Files.writeString(this.root.resolve("Prices.java.orig"), "left over\n");
		handOver();
		try (ConfigurableApplicationContext context = SpringApplication.run(SampleApplication.class,
				properties(project));
				AgentClient client = AgentClient
					.connect(context.getEnvironment().getRequiredProperty("local.server.port", Integer.class))) {
			this.client = client;
			look();
			assertThat(call("Checkpoint", "name", "begin")).startsWith("Checkpoint 'begin' of ");
			String failed = runTests(project, 1);
			assertThat(call("Read", "file_path", "target/surefire-reports/demo.PricesTests.txt"))
				.contains("totalIsPriceTimesCount", "expected: <6> but was: <5>");
			repair();
			String passed = runTests(project, 0);
			assertThat(call("Read", "file_path", "target/surefire-reports/demo.PricesTests.txt"))
				.contains("Tests run: 1, Failures: 0, Errors: 0");
			assertThat(call("BashList").lines()).hasSize(2)
				.anySatisfy((line) -> assertThat(line).startsWith(failed).contains("exit code 1", "mvn -o -q"))
				.anySatisfy((line) -> assertThat(line).startsWith(passed).contains("exit code 0", "mvn -o -q"));
			removeLeftover();
			rewind();
		}
		assertThat(this.root.resolve(MavenProject.MAIN)).content().contains("return price * count;");
	}

	private void look() {
		assertThat(call("List", "path", ".", "depth", 5)).contains("pom.xml", MavenProject.MAIN, MavenProject.TEST);
		assertThat(call("Grep", "pattern", "total\\(", "output_mode", "content")).contains(
				MavenProject.MAIN + ":5:\tstatic int total(",
				MavenProject.TEST + ":11:\t\tassertEquals(6, Prices.total(2, 3))");
		assertThat(call("Read", "file_path", MavenProject.MAIN)).contains("     6\t\t\treturn price + count;");
	}

	/**
	 * Runs the tests in the background.
	 * @return the id of the command
	 */
	private String runTests(MavenProject project, int exitCode) {
		CallToolResult started = succeed("Bash", "command", project.testCommand(), "run_in_background", true);
		String id = firstMatch("bash_\\w+", text(started));
		assertThat(call("BashList")).contains(id);
		String output = "";
		if (exitCode != 0) {
			CallToolResult failure = succeed("BashOutput", "bash_id", id, "wait_for", "Failures: [1-9]");
			output = text(failure);
			assertThat(output).contains("a line matches wait_for");
		}
		CallToolResult ended = succeed("BashOutput", "bash_id", id, "timeout", 120_000);
		assertThat(text(ended)).as(output).containsPattern("ended after .* exit code " + exitCode);
		return id;
	}

	private void repair() {
		assertThat(call("ApplyPatch", "patch", """
				*** Begin Patch
				*** Update File: %s
				@@ static int total(int price, int count) {
				-		return price + count;
				+		return price * count;
				*** End Patch
				""".formatted(MavenProject.MAIN))).contains(MavenProject.MAIN);
		assertThat(call("Read", "file_path", MavenProject.MAIN)).contains("return price * count;");
	}

	private void removeLeftover() {
		Path leftover = this.root.resolve("Prices.java.orig");
		String id = firstMatch("(?<=in the trash as )\\w+", call("Delete", "path", "Prices.java.orig"));
		assertThat(leftover).doesNotExist();
		// commands see the directory above, but not the trash in it
		CallToolResult search = succeed("Bash", "command",
				"id -u; ls %1$s; cat %1$s/state/trash/*/*/*/*/*; exit 7".formatted(this.temp));
		assertThat(text(search)).contains("exit code 7");
		assertThat(text(search)).doesNotContain("left over");
		assertThat(text(search).lines()).contains("repository", "workspace").doesNotContain("state", "0");
		assertThat(this.temp.resolve("state/trash")).isNotEmptyDirectory();
		assertThat(call("Undelete")).contains(id, "Prices.java.orig");
		assertThat(call("Undelete", "path", "Prices.java.orig")).contains("Restored");
		assertThat(leftover).hasContent("left over");
		assertThat(call("Undelete")).contains("The trash is empty");
	}

	private void rewind() {
		Path target = this.root.resolve("target");
		assertThat(call("Changes", "since", "begin")).contains("-\t\treturn price + count;",
				"created\ttarget/surefire-reports");
		assertThat(call("Rewind", "since", "begin")).startsWith("Undone: ");
		assertThat(this.root.resolve(MavenProject.MAIN)).content().contains("return price + count;");
		assertThat(target).doesNotExist();
		assertThat(call("Rewind", "redo", true)).startsWith("Undone: ");
		assertThat(target).isNotEmptyDirectory();
	}

	private static String firstMatch(String pattern, String text) {
		return Pattern.compile(pattern).matcher(text).results().map(MatchResult::group).findFirst().orElseThrow();
	}

	private String call(String tool, Object... arguments) {
		return text(succeed(tool, arguments));
	}

	private CallToolResult succeed(String tool, Object... arguments) {
		Map<String, Object> named = new HashMap<>();
		for (int i = 0; i < arguments.length; i += 2) {
			named.put((String) arguments[i], arguments[i + 1]);
		}
		CallToolResult result = this.client.call(tool, named);
		assertThat(result.isError()).as("%s %s -> %s", tool, named, text(result)).isNotEqualTo(Boolean.TRUE);
		return result;
	}

	private String[] properties(MavenProject project) {
		List<String> properties = new ArrayList<>(List.of("server.port=0", "kairo.workspace.roots=" + this.root,
				"kairo.state-dir=" + this.temp.resolve("state"), "kairo.sandbox.type=bubblewrap",
				"kairo.sandbox.env.JAVA_HOME=" + System.getProperty("java.home"),
				"kairo.sandbox.env.MAVEN_OPTS=" + MavenProject.JVM_OPTIONS,
				"kairo.sandbox.bubblewrap.read-only-paths=" + project.paths()));
		if (ROOT) {
			properties.add("kairo.sandbox.bubblewrap.run-as=" + USER);
		}
		return properties.stream().map("--"::concat).toArray(String[]::new);
	}

	private void handOver() throws IOException {
		if (ROOT) {
			try (Stream<Path> files = Files.walk(this.root)) {
				for (Path file : files.toList()) {
					Files.setAttribute(file, "unix:uid", Integer.valueOf(USER), LinkOption.NOFOLLOW_LINKS);
				}
			}
		}
	}

}
