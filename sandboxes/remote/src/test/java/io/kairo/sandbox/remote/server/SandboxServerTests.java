package io.kairo.sandbox.remote.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.remote.protocol.LeaseMessage;
import io.kairo.sandbox.remote.protocol.Messages;
import io.kairo.sandbox.remote.protocol.StartMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link SandboxServer}, with requests as any client may send them.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class SandboxServerTests {

	private static final String ONE = "the token of client one";

	private static final String TWO = "the token of client two";

	private static final HttpClient http = HttpClient.newHttpClient();

	@TempDir
	Path directory;

	private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	private SandboxServer server;

	private Path workspace;

	@BeforeEach
	void open() throws Exception {
		this.workspace = Files.createDirectories(this.directory.resolve("roots/a/work"));
		Files.createDirectories(this.directory.resolve("roots/b/work"));
		String root = this.directory.resolve("roots/{tenant}").toString();
		this.server = new SandboxServer(this.sandbox,
				SandboxServerOptions
					.of(new RemoteClient("one", ONE, Set.of("a"), List.of(root)),
							new RemoteClient("two", TWO, Set.of(), List.of(root)))
					.withMaxCommands(3));
	}

	@AfterEach
	void close() {
		this.server.close();
		this.sandbox.close();
	}

	private HttpResponse<String> send(String token, String method, String path, byte[] body) throws Exception {
		int port = Objects.requireNonNull((InetSocketAddress) this.server.address()).getPort();
		return http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/" + path))
			.header("Authorization", "Bearer " + token)
			.method(method, BodyPublishers.ofByteArray(body))
			.build(), BodyHandlers.ofString(StandardCharsets.ISO_8859_1));
	}

	private HttpResponse<String> send(String token, String method, String path) throws Exception {
		return send(token, method, path, new byte[0]);
	}

	private String lease(String token) throws Exception {
		HttpResponse<String> response = send(token, "POST", "leases");
		assertThat(response.statusCode()).isEqualTo(201);
		return "leases/" + Messages.read(response.body().getBytes(StandardCharsets.UTF_8), LeaseMessage.class).lease();
	}

	private byte[] start(String command, String tenant, Path workspace) {
		return Messages.write(new StartMessage(command, workspace.toString(), null, null, Map.of(), 30_000, 1 << 20, 0,
				new StartMessage.TenantMessage(tenant, "someone", Map.of()), false, List.of(), List.of(), true, false,
				null, false, false, List.of()));
	}

	private byte[] start(String command) {
		return start(command, "a", this.workspace);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "another token entirely", "the token of client tw", "the token of client twoo" })
	void clientWithoutATokenIsRefused(String token) throws Exception {
		HttpResponse<String> response = send(token, "POST", "leases");
		assertThat(response.statusCode()).isEqualTo(401);
		assertThat(response.body()).contains("unauthorized").doesNotContain(ONE, TWO);
	}

	@Test
	void requestThatIsRepeatedStartsNothing() throws Exception {
		String lease = lease(ONE);
		byte[] body = start("echo ran >> ran; read x");
		assertThat(send(ONE, "PUT", lease + "/commands/1", body).statusCode()).isEqualTo(201);
		assertThat(send(ONE, "PUT", lease + "/commands/1", body).statusCode()).isEqualTo(200);
		assertThat(send(ONE, "PUT", lease + "/commands/1", start("echo other")).statusCode()).isEqualTo(409);
		await().until(() -> Files.exists(this.workspace.resolve("ran")));
		assertThat(send(ONE, "DELETE", lease + "/commands/1").statusCode()).isEqualTo(204);
		assertThat(send(ONE, "PUT", lease + "/commands/1", body).statusCode()).isEqualTo(410);
		assertThat(send(ONE, "GET", lease + "/commands/1/output").statusCode()).isEqualTo(410);
		assertThat(this.workspace.resolve("ran")).hasContent("ran");
	}

	@Test
	void manyRequestsWithOneNumberStartOneCommand() throws Exception {
		String lease = lease(ONE);
		byte[] body = start("echo ran >> ran; read x");
		List<Integer> codes = IntStream.range(0, 16).parallel().mapToObj((i) -> {
			try {
				return send(ONE, "PUT", lease + "/commands/1", body).statusCode();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}).toList();
		assertThat(codes).containsOnly(200, 201).containsOnlyOnce(201);
		await().until(() -> Files.exists(this.workspace.resolve("ran")));
		assertThat(this.workspace.resolve("ran")).hasContent("ran");
	}

	@Test
	void clientNeitherUsesNorSeesTheLeaseOfAnother() throws Exception {
		String lease = lease(ONE);
		send(ONE, "PUT", lease + "/commands/1", start("read x"));
		for (String path : List.of("", "/commands/1", "/commands/1/input", "/commands/2")) {
			HttpResponse<String> response = send(TWO, "PUT", lease + path, start("true"));
			assertThat(response.statusCode()).isEqualTo(404);
			assertThat(response.body()).isEqualTo(send(TWO, "PUT", "leases/00" + path, start("true")).body());
		}
		assertThat(send(TWO, "POST", lease + "/commands/1/cancel").statusCode()).isEqualTo(404);
		assertThat(send(TWO, "GET", lease + "/commands/1/output").statusCode()).isEqualTo(404);
		assertThat(send(ONE, "PUT", lease).body()).contains("\"commands\":1,\"maxCommands\":3,\"draining\":false");
	}

	@Test
	void clientActsForItsTenantsOnly() throws Exception {
		Path other = this.directory.resolve("roots/b/work");
		assertThat(send(ONE, "PUT", lease(ONE) + "/commands/1", start("true", "b", other)).statusCode()).isEqualTo(403);
		assertThat(send(ONE, "GET", "capabilities?tenant=b").statusCode()).isEqualTo(403);
		assertThat(send(ONE, "GET", "capabilities").body()).contains("\"backend\":\"process\"");
		assertThat(send(TWO, "PUT", lease(TWO) + "/commands/1", start("true", "b", other)).statusCode()).isEqualTo(201);
	}

	@ParameterizedTest
	@CsvSource({ "a, roots/b/work", "a, roots/a/../b/work", "a, roots", "b, roots/a/work", "a/../b, roots/b/work",
			".., .", "'.', roots", "a, roots/a/link", "a, roots/a/link/below" })
	void directoryOutsideOfTheRootsIsRefused(String tenant, String path) throws Exception {
		Files.createSymbolicLink(this.directory.resolve("roots/a/link"),
				Files.createDirectories(this.directory.resolve("elsewhere/below")).getParent());
		HttpResponse<String> response = send(TWO, "PUT", lease(TWO) + "/commands/1",
				start("true", tenant, Path.of(this.directory + "/" + path)));
		assertThat(response.statusCode()).isEqualTo(403);
		assertThat(response.body()).contains("forbidden");
	}

	@Test
	void inputIsNeitherLostNorDoubled() throws Exception {
		String lease = lease(ONE);
		send(ONE, "PUT", lease + "/commands/1", start("cat > input"));
		String path = lease + "/commands/1/input";
		assertThat(send(ONE, "PUT", path + "?from=0", "abc".getBytes(StandardCharsets.US_ASCII)).statusCode())
			.isEqualTo(204);
		assertThat(send(ONE, "PUT", path + "?from=0", "abcd".getBytes(StandardCharsets.US_ASCII)).statusCode())
			.isEqualTo(204);
		assertThat(send(ONE, "PUT", path + "?from=6", "g".getBytes(StandardCharsets.US_ASCII)).statusCode())
			.isEqualTo(409);
		assertThat(send(ONE, "PUT", path + "?from=4&end=true", "e".getBytes(StandardCharsets.US_ASCII)).statusCode())
			.isEqualTo(204);
		assertThat(send(ONE, "GET", lease + "/commands/1/output").statusCode()).isEqualTo(200);
		assertThat(this.workspace.resolve("input")).hasContent("abcde");
	}

	@Test
	void outputContinuesFromAnyByte() throws Exception {
		String lease = lease(ONE);
		send(ONE, "PUT", lease + "/commands/1", start("printf 0123456789"));
		assertThat(send(ONE, "GET", lease + "/commands/1/output?from=0").body()).contains("0123456789",
				"\"exitCode\":0");
		assertThat(send(ONE, "GET", lease + "/commands/1/output?from=4").body()).contains("456789")
			.doesNotContain("3456789");
		assertThat(send(ONE, "GET", lease + "/commands/1/output?from=99").body()).startsWith("\4").contains("exitCode");
	}

	@ParameterizedTest
	@ValueSource(strings = { "-1", "x", "", "99999999999999999999" })
	void positionThatIsNoNumberIsRefused(String from) throws Exception {
		String lease = lease(ONE);
		send(ONE, "PUT", lease + "/commands/1", start("echo x"));
		HttpResponse<String> response = send(ONE, "GET", lease + "/commands/1/output?from=" + from);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.body()).contains("'" + from + "'", "from");
	}

	@Test
	void failedStartIsToldToEveryRequest() throws Exception {
		String lease = lease(ONE);
		byte[] body = start("true", "a", this.workspace.resolve("missing"));
		HttpResponse<String> first = send(ONE, "PUT", lease + "/commands/1", body);
		assertThat(first.statusCode()).isEqualTo(422);
		assertThat(first.body()).contains("invalid_directory");
		Thread.sleep(1200); // two sweeps
		assertThat(send(ONE, "PUT", lease + "/commands/1", body).body()).isEqualTo(first.body());
	}

	@Test
	void numberOfCommandsIsLimited() throws Exception {
		String lease = lease(ONE);
		for (int i = 1; i <= 3; i++) {
			assertThat(send(ONE, "PUT", lease + "/commands/" + i, start("read x")).statusCode()).isEqualTo(201);
		}
		assertThat(send(ONE, "PUT", lease + "/commands/4", start("true")).statusCode()).isEqualTo(429);
		send(ONE, "DELETE", lease + "/commands/2");
		assertThat(send(ONE, "PUT", lease + "/commands/5", start("true")).statusCode()).isEqualTo(201);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "{|cannot be read", "null|is null", "{}|is missing", "[]|cannot be read" })
	void messageThatCannotBeReadIsRefused(String body, String reason) throws Exception {
		HttpResponse<String> response = send(ONE, "PUT", lease(ONE) + "/commands/1",
				body.getBytes(StandardCharsets.UTF_8));
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.body()).contains("invalid_request", reason);
	}

	@Test
	void requestThatIsTooLongIsRefused() throws Exception {
		HttpResponse<String> response = send(ONE, "PUT", lease(ONE) + "/commands/1", new byte[5 << 20]);
		assertThat(response.statusCode()).isEqualTo(400);
		assertThat(response.body()).contains("has over 4194304 bytes");
	}

	@Test
	void drainedServerStartsNothing() throws Exception {
		String lease = lease(ONE);
		send(ONE, "PUT", lease + "/commands/1", start("read x"));
		assertThat(this.server.drain(Duration.ofMillis(50))).isFalse();
		assertThat(send(ONE, "PUT", lease + "/commands/2", start("true")).statusCode()).isEqualTo(429);
		send(ONE, "DELETE", lease + "/commands/1");
		assertThat(this.server.drain(Duration.ofSeconds(5))).isTrue();
	}

	@Test
	void connectionThatAClientKeepsIsNotServedAfterTheEnd() throws Exception {
		lease(ONE);
		this.server.close();
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> send(ONE, "POST", "leases"));
	}

	@Test
	void plainHttpIsForLoopbackAddresses() {
		SandboxServerOptions options = SandboxServerOptions.of(new RemoteClient("one", ONE, Set.of(), List.of("/")));
		assertThatIllegalArgumentException().isThrownBy(() -> options.withAddress(new InetSocketAddress("0.0.0.0", 0)))
			.withMessageContaining("encryption");
	}

}
