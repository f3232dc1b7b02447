package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import com.sun.net.httpserver.HttpServer;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.Secret;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.microvm.MicroVmFixture.Outcome;
import io.kairo.sandbox.support.proxy.AllowList;
import io.kairo.sandbox.support.proxy.InjectedHeader;
import io.kairo.sandbox.support.proxy.LoopbackProxy;
import io.kairo.sandbox.support.proxy.RequestRule;
import io.kairo.sandbox.support.proxy.RequestRules;
import io.kairo.sandbox.support.proxy.TlsHost;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the network access of commands in virtual machines with an allow-list. The list
 * has one host, on the loopback interface of this machine.
 */
@RequiresMicroVm
@Timeout(120)
@TestInstance(Lifecycle.PER_CLASS)
class MicroVmAllowListTests {

	private static final String LARGE = "x".repeat(3_000_000);

	private Path workspace;

	private HttpServer server;

	private MicroVmSandbox sandbox;

	@BeforeAll
	void open(@TempDir Path directory) throws IOException {
		this.workspace = directory;
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.server.createContext("/", (exchange) -> {
			byte[] sent = exchange.getRequestBody().readAllBytes();
			String path = exchange.getRequestURI().getPath();
			byte[] answer = (path.equals("/large") ? LARGE : "reached " + sent.length + "\n")
				.getBytes(StandardCharsets.US_ASCII);
			exchange.sendResponseHeaders(200, answer.length);
			exchange.getResponseBody().write(answer);
			exchange.close();
		});
		this.server.start();
		MicroVmFixture.grantAccess(this.workspace);
		this.sandbox = MicroVmFixture.sandbox(MicroVmFixture.options(), LoopbackProxy.allowing(List.of(host())));
	}

	@AfterAll
	void close() {
		this.sandbox.close();
		this.server.stop(0);
	}

	private String host() {
		return "allowed.test:" + this.server.getAddress().getPort();
	}

	private Outcome run(String command) {
		return MicroVmFixture.run(this.sandbox, new SandboxRequest.Builder(command, this.workspace).build());
	}

	@Test
	void commandWithoutNetworkDoesNotReachTheProxy() {
		String command = "env | grep -i _proxy; curl -sS -x http://127.0.0.1:3128 http://" + host() + "/ || echo none";
		SandboxRequest.Builder request = new SandboxRequest.Builder(command, this.workspace);
		request.attributes(SandboxAttributes.builder().sessionId("a").withoutNetwork(true).build());
		assertThat(MicroVmFixture.run(this.sandbox, request.build()).out()).isEqualTo("none\n");
		assertThat(run(command).out()).contains("reached");
	}

	@Test
	void commandReachesAnAllowedHost() {
		Outcome outcome = run("head -c 500000 /dev/zero > data; curl -sS --data-binary @data http://" + host() + "/");
		assertThat(outcome.out()).as(outcome.err()).isEqualTo("reached 500000\n");
		assertThat(this.sandbox.capabilities().has(SandboxCapability.NETWORK_ALLOW_LIST)).isTrue();
	}

	@Test
	void commandUsesSecretOfItsTenantThatItDoesNotFind() {
		String value = "s3cret-of-acme-0123456789";
		try (TlsHost host = new TlsHost()) {
			String authority = "ok.com:" + host.port();
			RequestRules rules = RequestRules
				.of(List
					.of(RequestRule.inject(authority, InjectedHeader.of("token", "Authorization", "Bearer {secret}"))),
						(name, tenant) -> tenant.tenantId().equals("acme") ? Secret.of(value) : null,
						Duration.ofSeconds(5))
				.withSsl(host.ssl());
			try (MicroVmSandbox own = MicroVmFixture.sandbox(MicroVmFixture.options(),
					LoopbackProxy.allowing(AllowList.of(List.of(authority)).withRules(rules)))) {
				SandboxRequest.Builder request = new SandboxRequest.Builder(
						"curl -sS http://" + authority + "/x; env; cat /proc/*/environ /proc/*/cmdline",
						this.workspace);
				Outcome outcome = MicroVmFixture.run(own, request.tenant(new TenantContext("acme", "ann")).build());
				assertThat(outcome.out()).as(outcome.err()).startsWith("GET /x 0").contains("GIT_CONFIG_COUNT=1");
				assertThat(outcome.out() + outcome.err()).doesNotContain(value);
				assertThat(host.requests()).singleElement().asString().contains("Authorization: Bearer " + value);
				assertThat(MicroVmFixture.run(own, request.tenant(new TenantContext("globex", "gus")).build()).out())
					.contains("(secret_unavailable)");
				assertThat(host.requests()).hasSize(1);
			}
		}
	}

	@Test
	void largeAnswersArriveWhole() {
		assertThat(run("for i in 1 2 3; do curl -sS http://" + host() + "/large | wc -c & done; wait").out())
			.isEqualTo("3000000\n".repeat(3));
	}

	@Test
	void unlistedHostIsRefusedAndNamedInTheErrorOutput() {
		Outcome outcome = run("curl -s -o /dev/null -w '%{http_code}' http://evil.test/");
		assertThat(outcome.out()).isEqualTo("403");
		assertThat(outcome.err()).isEqualTo("kairo: the network refused evil.test:80 (not_listed)\n");
	}

	@Test
	void serviceOfTheHostIsUnreachableWithoutTheProxy() {
		assertThat(run("curl -sS --noproxy '*' --max-time 5 http://127.0.0.1:" + this.server.getAddress().getPort()
				+ "/ || echo not reached")
			.out()).isEqualTo("not reached\n");
	}

	@Test
	void commandThatReadsNothingHoldsUpNoOther() {
		SandboxRequest slow = new SandboxRequest.Builder("exec 3<>/dev/tcp/127.0.0.1/3128; printf 'GET http://" + host()
				+ "/large HTTP/1.0\\r\\n\\r\\n' >&3; sleep 60", this.workspace)
			.build();
		try (SandboxHandle reading = this.sandbox.start(slow)) {
			assertThat(run("curl -sS http://" + host() + "/").out()).isEqualTo("reached 0\n");
			reading.cancel();
			assertThat(MicroVmFixture.outcome(reading).exit().signal()).isEqualTo("CANCELLED");
		}
	}

}
