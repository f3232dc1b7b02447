package io.kairo.mcp;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.autoconfigure.AutoConfigureApplication;
import io.kairo.tools.AgentSessions;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Opens many sessions at a server in its own JVM, for {@link ManySessionsTests}.
 */
final class ManySessionsProgram {

	/** As long as it may be, and different for each session. */
	private static final String INITIALIZE = """
			{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
			"capabilities":{"experimental":{"x":"%s%08d"}},"clientInfo":{"name":"test","version":"1"}}}""";

	private static final String READ = """
			{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Read","arguments":{"file_path":"a.txt"}}}""";

	private static final int WARM_UP = 300;

	/** A hundredth of 1 MB, so that 10,000 sessions take 100 MB. */
	private static final long MAX_BYTES = 10_000;

	private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final URI endpoint;

	private int opened;

	private ManySessionsProgram(int port) {
		this.endpoint = URI.create("http://localhost:" + port + "/mcp");
	}

	public static void main(String[] arguments) throws Exception {
		Path directory = Path.of(arguments[0]);
		int count = Integer.parseInt(arguments[1]);
		Files.writeString(directory.resolve("a.txt"), "content\n");
		try (ConfigurableApplicationContext context = new SpringApplication(Application.class).run("--server.port=0",
				"--server.address=127.0.0.1", "--spring.ai.mcp.server.protocol=streamable", "--logging.level.root=warn",
				"--kairo.workspace.roots=" + directory, "--kairo.sandbox.type=none",
				"--kairo.mcp.limits.sessions=" + count, "--kairo.mcp.limits.sessions-per-tenant=" + count,
				"--kairo.tenancy.limits.default.calls-per-minute=1000000", "--kairo.state-dir=" + arguments[2])) {
			ManySessionsProgram client = new ManySessionsProgram(
					((WebServerApplicationContext) context).getWebServer().getPort());
			for (int i = 0; i < WARM_UP; i++) {
				client.end(client.open());
			}
			long before = retained();
			List<String> sessions = Stream.generate(client::open).limit(count).toList();
			long each = (retained() - before) / count;
			System.out.printf("%,d bytes are retained for each of %,d sessions%n", each, count);
			assertThat(context.getBean(AgentSessions.class).list()).hasSize(count);
			assertThat(each).isLessThan(MAX_BYTES);
			client.read(sessions.get(0));
			client.read(sessions.get(count - 1));
		}
	}

	private static long retained() {
		System.gc();
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

	private String open() {
		String session = post(null, INITIALIZE.formatted("x".repeat(3800), ++this.opened)).headers()
			.firstValue("Mcp-Session-Id")
			.orElseThrow();
		read(session);
		return session;
	}

	private void read(String session) {
		assertThat(post(session, READ).body()).contains("content");
	}

	private void end(String session) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(this.endpoint).header("Mcp-Session-Id", session).DELETE().build();
		assertThat(this.http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
	}

	private HttpResponse<String> post(String session, String body) {
		HttpRequest.Builder request = HttpRequest.newBuilder(this.endpoint)
			.header("Content-Type", "application/json")
			.header("Accept", "application/json, text/event-stream")
			.POST(BodyPublishers.ofString(body));
		if (session != null) {
			request.header("Mcp-Session-Id", session);
		}
		try {
			HttpResponse<String> response = this.http.send(request.build(), BodyHandlers.ofString());
			assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
			return response;
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Configuration
	@AutoConfigureApplication
	static class Application {

	}

}
