package io.kairo.sandbox.docker;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Frame;
import com.sun.net.httpserver.HttpServer;
import io.kairo.sandbox.backend.BackendProblem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests {@link DockerEngine} with answers that a Docker engine does not give.
 */
@Timeout(60)
class DockerEngineTests {

	private static final String VERSION = """
			{
			  "Components": [ { "Name": "%s", "Version": "4.3.1" }, { "Name": "Conmon", "Version": "2.1.6" } ],
			  "Version": "4.3.1", "ApiVersion": "1.41", "MinAPIVersion": "1.24"
			}
			""";

	private HttpServer server;

	@BeforeEach
	void startServer() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
		this.server.start();
	}

	@AfterEach
	void stopServer() {
		this.server.stop(0);
	}

	@Test
	void podmanIsRefused() {
		answer("/version", 200, VERSION.formatted("Podman Engine"));
		try (DockerSandbox sandbox = new DockerSandbox(options())) {
			BackendProblem problem = Objects.requireNonNull(sandbox.problem());
			assertThat(problem.code()).isEqualTo(Reason.API_UNSUPPORTED.code());
			assertThat(problem.toException()).hasMessageContaining("the engine at " + options().host())
				.hasMessageContaining("is Podman 4.3.1")
				.hasMessageContaining("use Docker 20.10 or newer");
		}
	}

	@Test
	void anotherEngineOfThatVersionIsUsed() throws Exception {
		answer("/version", 200, VERSION.formatted("Engine"));
		assertThat(new DockerEngine(options()).connect()).isEqualTo("4.3.1");
	}

	@Test
	@Timeout(8)
	void refusedConnectionIsReportedBeforeTheTimeout() {
		answer("/v1.41/containers/one/attach", 409, "{\"message\":\"the container was not prepared\"}");
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> new DockerEngine(options()).attach("one", InputStream.nullInputStream(),
					new ResultCallback.Adapter<Frame>()))
			.withMessageContaining("409 Conflict");
	}

	private DockerOptions options() {
		return DockerOptions.of("agents")
			.with((changes) -> changes.host(URI.create("tcp://127.0.0.1:" + this.server.getAddress().getPort())));
	}

	private void answer(String path, int status, String body) {
		this.server.createContext(path, (exchange) -> {
			try (exchange) {
				byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
				exchange.getResponseHeaders().set("Content-Type", "application/json");
				exchange.sendResponseHeaders(status, bytes.length);
				exchange.getResponseBody().write(bytes);
			}
		});
	}

}
