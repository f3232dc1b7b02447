package io.kairo.sandbox.docker;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import com.sun.net.httpserver.HttpServer;
import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.Secret;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.support.proxy.AllowList;
import io.kairo.sandbox.support.proxy.InjectedHeader;
import io.kairo.sandbox.support.proxy.LoopbackProxy;
import io.kairo.sandbox.support.proxy.RequestRule;
import io.kairo.sandbox.support.proxy.RequestRules;
import io.kairo.sandbox.support.proxy.TlsHost;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the network access of commands in containers with an allow-list. The list has one
 * host, on the loopback interface of this machine.
 */
@RequiresDocker
@Timeout(120)
class DockerAllowListTests {

	private static final int LARGE = 20 << 20;

	/**
	 * A function of the shell that sends a request for a URL through a port on the
	 * loopback interface, and prints the response: {@code get PORT URL}.
	 */
	private static final String GET = """
			get() {
				local host=${2#http://}
				exec 3<>/dev/tcp/127.0.0.1/$1 || return
				printf 'GET %s HTTP/1.1\\r\\nHost: %s\\r\\nConnection: close\\r\\n\\r\\n' "$2" "${host%%/*}" >&3
				cat <&3
				exec 3>&-
			}
			""";

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private HttpServer server;

	private ExecutionSandbox sandbox;

	@TempDir
	Path workspace;

	@BeforeEach
	void start() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
		this.server.createContext("/", (exchange) -> {
			byte[] answer = exchange.getRequestURI().getPath().equals("/large") ? new byte[LARGE]
					: "reached\n".getBytes(StandardCharsets.US_ASCII);
			exchange.sendResponseHeaders(200, answer.length);
			exchange.getResponseBody().write(answer);
			exchange.close();
		});
		this.server.createContext("/echo", (exchange) -> {
			byte[] body = exchange.getRequestBody().readAllBytes();
			exchange.sendResponseHeaders(200, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		});
		this.server.setExecutor(this.threads);
		this.server.start();
		this.sandbox = TestContainers.sandbox(TestContainers.options(), LoopbackProxy.allowing(List.of(host())));
	}

	@AfterEach
	void stop() throws Exception {
		((AutoCloseable) this.sandbox).close();
		this.server.stop(0);
		this.threads.shutdownNow();
	}

	private String host() {
		return "allowed.test:" + this.server.getAddress().getPort();
	}

	private SandboxHandle start(String command, UnaryOperator<SandboxRequest.Builder> changes) throws IOException {
		return this.sandbox
			.start(changes.apply(new SandboxRequest.Builder(GET + command, this.workspace.toRealPath())).build());
	}

	private Outcome run(String command) throws IOException {
		return run(command, UnaryOperator.identity());
	}

	private Outcome run(String command, UnaryOperator<SandboxRequest.Builder> changes) throws IOException {
		try (SandboxHandle handle = start(command, changes)) {
			StringBuilder out = new StringBuilder();
			StringBuilder err = new StringBuilder();
			for (SandboxOutputChunk chunk : handle.output().toIterable()) {
				((chunk instanceof SandboxOutputChunk.Stdout) ? out : err)
					.append(new String(chunk.data(), StandardCharsets.ISO_8859_1));
			}
			return new Outcome(handle.exit().block(), out.toString(), err.toString());
		}
	}

	@Test
	void commandWithoutNetworkDoesNotReachTheProxy() throws Exception {
		String command = "env | grep -i _proxy; get 3128 http://" + host() + "/; echo ran";
		SandboxAttributes offline = SandboxAttributes.builder().withoutNetwork(true).build();
		assertThat(run(command, (request) -> request.attributes(offline)).out()).isEqualTo("ran\n");
		assertThat(run(command).out()).contains("reached\n");
	}

	@Test
	void commandReachesAnAllowedHost() throws Exception {
		Outcome outcome = run("get 3128 http://" + host() + "/");
		assertThat(outcome.out()).startsWith("HTTP/1.1 200").endsWith("\r\n\r\nreached\n");
		assertThat(outcome.err()).isEmpty();
		assertThat(outcome.exit().exitCode()).isZero();
		assertThat(run("exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT " + host()
				+ " HTTP/1.1\\r\\n\\r\\nGET / HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3")
			.out()).startsWith("HTTP/1.1 200 Connection established").endsWith("reached\n");
	}

	@Test
	void otherHostsAreRefusedAndNamedInTheErrorOutput() throws Exception {
		Outcome outcome = run("get 3128 http://evil.test/");
		assertThat(outcome.out()).startsWith("HTTP/1.1 403");
		assertThat(outcome.err()).isEqualTo("kairo: the network refused evil.test:80 (not_listed)\n");
		String port = host().substring(host().indexOf(':') + 1);
		Outcome direct = run("get " + port + " http://127.0.0.1:" + port + "/");
		assertThat(direct.out()).isEmpty();
		assertThat(direct.err()).contains("Connection refused");
		assertThat(run("grep -c : /proc/net/dev; cat /proc/net/route | wc -l").out()).isEqualTo("1\n1\n");
	}

	@Test
	void commandUsesSecretOfItsTenantThatItDoesNotFind() throws Exception {
		String value = "s3cret-of-acme-0123456789";
		try (TlsHost host = new TlsHost()) {
			String authority = "ok.com:" + host.port();
			RequestRules rules = RequestRules
				.of(List
					.of(RequestRule.inject(authority, InjectedHeader.of("token", "Authorization", "Bearer {secret}"))),
						(name, tenant) -> tenant.tenantId().equals("acme") ? Secret.of(value) : null,
						Duration.ofSeconds(5))
				.withSsl(host.ssl());
			((AutoCloseable) this.sandbox).close();
			this.sandbox = TestContainers.sandbox(TestContainers.options(),
					LoopbackProxy.allowing(AllowList.of(List.of(authority)).withRules(rules)));
			String command = "get 3128 http://" + authority + "/x; env; cat /proc/*/environ /proc/*/cmdline";
			Outcome outcome = run(command, (request) -> request.tenant(new TenantContext("acme", "ann")));
			assertThat(outcome.out()).startsWith("HTTP/1.1 200").contains("GET /x 0").contains("GIT_CONFIG_COUNT=1");
			assertThat(outcome.out() + outcome.err()).doesNotContain(value);
			assertThat(host.requests()).singleElement().asString().contains("Authorization: Bearer " + value);
			assertThat(run(command, (request) -> request.tenant(new TenantContext("globex", "gus"))).out())
				.startsWith("HTTP/1.1 502 secret_unavailable");
			assertThat(host.requests()).hasSize(1);
		}
	}

	@Test
	void muchDataPassesInBothDirections() throws Exception {
		Outcome down = run("get 3128 http://" + host() + "/large | wc -c");
		assertThat(Integer.parseInt(down.out().strip())).isBetween(LARGE + 1, LARGE + 1000);
		String length = Integer.toString(LARGE);
		Outcome both = run(
				"exec 3<>/dev/tcp/127.0.0.1/3128; { printf 'POST http://" + host() + "/echo HTTP/1.1\\r\\nHost: "
						+ host() + "\\r\\nContent-Length: " + length + "\\r\\nConnection: close\\r\\n\\r\\n'; head -c "
						+ length + " /dev/zero; } >&3 & cat <&3 | wc -c; wait");
		assertThat(Integer.parseInt(both.out().strip())).isBetween(LARGE + 1, LARGE + 1000);
	}

	@Test
	void manyConnectionsAreServedBesideOneThatReadsNothing() throws Exception {
		Outcome outcome = run("exec 4<>/dev/tcp/127.0.0.1/3128; printf 'GET http://" + host()
				+ "/large HTTP/1.1\\r\\nHost: " + host() + "\\r\\n\\r\\n' >&4; sleep 0.5;"
				+ " for i in $(seq 80); do get 3128 http://" + host() + "/ | tail -n 1 & done; wait");
		assertThat(outcome.err()).isEmpty();
		assertThat(outcome.out().lines()).hasSize(80).containsOnly("reached");
	}

	@Test
	void commandCannotHarmTheListenerAndTheNextOneIsServed() throws Exception {
		assertThat(run("kill -9 -1; kill -9 1; get 3128 http://" + host() + "/").out()).endsWith("reached\n");
		// connections that nobody has accepted when the command ends
		run("for i in $(seq 150); do exec {fd}<>/dev/tcp/127.0.0.1/3128; done",
				(request) -> request.timeout(Duration.ofSeconds(2)));
		assertThat(run("get 3128 http://" + host() + "/").out()).endsWith("reached\n");
	}

	@Test
	void connectionsEndWithTheirCommand() throws Exception {
		SandboxHandle handle = start("exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT " + host()
				+ " HTTP/1.1\\r\\n\\r\\n' >&3; read -r line <&3; echo $line; cat <&3", (request) -> request);
		handle.output().blockFirst(Duration.ofSeconds(30));
		assertThat(threads("kairo-proxy")).isPositive();
		handle.close();
		assertThat(handle.exit().toFuture().get(30, TimeUnit.SECONDS).signal()).isEqualTo("CANCELLED");
		await().atMost(Duration.ofSeconds(10)).until(() -> threads("kairo-proxy") == 0);
		assertThat(run("get 3128 http://" + host() + "/").out()).endsWith("reached\n");
		await().atMost(Duration.ofSeconds(10)).until(() -> threads("kairo-proxy") == 0);
	}

	private static long threads(String name) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith(name))
			.count();
	}

	@Test
	void environmentNamesTheProxy() throws Exception {
		assertThat(run("env | grep -i proxy").out().lines()).contains("http_proxy=http://127.0.0.1:3128",
				"HTTPS_PROXY=http://127.0.0.1:3128", "NO_PROXY=localhost,127.0.0.1,::1");
		assertThat(run("echo $HTTP_PROXY", (request) -> request.env(Map.of("HTTP_PROXY", "x"))).out()).isEqualTo("x\n");
	}

	@Test
	void directoryWithAPathTooLongForSocketsIsReported() throws Exception {
		Path directory = this.workspace.toRealPath().resolve("x".repeat(90));
		DockerOptions options = TestContainers.options()
			.with((changes) -> changes.commands((commands) -> commands.directory(directory)));
		try (DockerSandbox confined = new DockerSandbox(options, LoopbackProxy.allowing(List.of(host())), null)) {
			assertThat(confined.problem()).isNotNull()
				.satisfies((problem) -> assertThat(problem.finding()).contains("too long", "shorter"));
			assertThat(confined.capabilities().has(SandboxCapability.NETWORK_ALLOW_LIST)).isFalse();
		}
	}

	@Test
	void onlyEnforcedNetworkCapabilitiesAreClaimed() throws Exception {
		assertThat(this.sandbox.capabilities().has(SandboxCapability.NETWORK_ALLOW_LIST)).isTrue();
		assertThat(this.sandbox.capabilities().has(SandboxCapability.NETWORK_OFF)).isFalse();
		try (AutoCloseable offline = (AutoCloseable) TestContainers.sandbox(TestContainers.options())) {
			assertThat(((ExecutionSandbox) offline).capabilities().has(SandboxCapability.NETWORK_ALLOW_LIST)).isFalse();
			assertThat(((ExecutionSandbox) offline).capabilities().has(SandboxCapability.NETWORK_OFF)).isTrue();
		}
	}

	/**
	 * The result of a command.
	 */
	private record Outcome(SandboxExit exit, String out, String err) {

	}

}
