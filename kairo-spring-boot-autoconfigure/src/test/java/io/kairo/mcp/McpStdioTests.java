package io.kairo.mcp;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.kairo.autoconfigure.AutoConfigureApplication;
import io.kairo.autoconfigure.ThisJvm;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for an MCP server over the standard input and output of its JVM.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
@Timeout(300)
class McpStdioTests {

	private static final String SLEEP = "echo $$ > pid.tmp && mv pid.tmp pid; exec sleep 300";

	@TempDir
	Path directory;

	@ParameterizedTest
	@ValueSource(strings = { "none", "servlet", "reactive" })
	void cancelledCallEndsItsCommandAloneAndEndOfInputTheApplication(String web) throws Exception {
		try (Server server = new Server(web)) {
			server.call("\"a\"", SLEEP);
			ProcessHandle command = command();
			server.send("""
					{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"b"}}""");
			server.call("7", "echo still here");
			assertThat(server.answer("7")).contains("still here");
			assertThat(command.isAlive()).isTrue();
			server.send("""
					{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a","reason":"test"}}""");
			await().atMost(Duration.ofSeconds(30)).until(() -> !command.isAlive());
			server.call("8", "echo and now");
			assertThat(server.answer("8")).contains("and now");
			server.call("9", SLEEP);
			ProcessHandle last = command();
			server.process.getOutputStream().close();
			assertThat(server.process.waitFor(120, TimeUnit.SECONDS)).as("the application has ended").isTrue();
			assertThat(server.process.exitValue()).isZero();
			await().atMost(Duration.ofSeconds(30)).until(() -> !last.isAlive());
			assertThat(Files.readString(this.directory.resolve("log"))).contains("has closed the standard input")
				.doesNotContain("ERROR");
		}
	}

	private ProcessHandle command() throws IOException {
		Path pid = this.directory.resolve("workspace/pid");
		await().atMost(Duration.ofSeconds(120)).until(() -> Files.exists(pid));
		long id = Long.parseLong(Files.readString(pid).strip());
		Files.delete(pid);
		return ProcessHandle.of(id).orElseThrow();
	}

	/**
	 * A server with the settings that the documentation recommends.
	 */
	private final class Server implements AutoCloseable {

		private final Process process;

		private final BufferedReader output;

		Server(String web) throws IOException {
			Path workspace = Files.createDirectories(McpStdioTests.this.directory.resolve("workspace"));
			List<String> command = new ArrayList<>(ThisJvm.command());
			command.addAll(List.of("-cp", System.getProperty("java.class.path"), Application.class.getName(),
					"--spring.ai.mcp.server.stdio=true", "--spring.main.web-application-type=" + web, "--server.port=0",
					"--server.address=127.0.0.1", "--spring.main.banner-mode=off", "--logging.console.enabled=false",
					"--logging.file.name=" + McpStdioTests.this.directory.resolve("log"), "--kairo.mcp.expose=Bash",
					// the class path has Spring Security, and stdio has no users
					"--kairo.tenancy.required=false", "--spring.reactor.context-propagation=auto",
					"--kairo.sandbox.type=process", "--kairo.workspace.roots=" + workspace,
					"--kairo.state-dir=" + McpStdioTests.this.directory.resolve("state")));
			this.process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
			this.output = this.process.inputReader(StandardCharsets.UTF_8);
			send("{\"jsonrpc\":\"2.0\",\"id\":\"up\",\"method\":\"ping\"}");
			assertThat(answer("\"up\"")).contains("\"result\":{}");
			send("{\"jsonrpc\":\"2.0\",\"id\":\"early\",\"method\":\"tools/list\"}");
			assertThat(answer("\"early\"")).contains("send initialize first");
			send("""
					{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
					"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}""");
			answer("0");
			send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
		}

		void call(String id, String command) throws IOException {
			send("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"Bash\","
					+ "\"arguments\":{\"command\":\"" + command + "\"}}}");
		}

		void send(String message) throws IOException {
			this.process.getOutputStream().write((message + "\n").getBytes(StandardCharsets.UTF_8));
			this.process.getOutputStream().flush();
		}

		/**
		 * Returns the answer to a request. Whatever else is printed would break a client.
		 */
		String answer(String id) throws IOException {
			while (true) {
				String line = this.output.readLine();
				assertThat(line).startsWith("{\"jsonrpc\"");
				if (line.contains("\"id\":" + id + ",")) {
					return line;
				}
			}
		}

		@Override
		public void close() {
			this.process.descendants().forEach(ProcessHandle::destroyForcibly);
			this.process.destroyForcibly();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureApplication
	static class Application {

		public static void main(String[] arguments) {
			SpringApplication.run(Application.class, arguments);
		}

	}

}
