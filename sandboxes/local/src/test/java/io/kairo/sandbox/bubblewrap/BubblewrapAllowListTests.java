package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.proxy.AllowList;
import io.kairo.sandbox.support.proxy.LoopbackProxy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the network access of commands with an allow-list. The list has one host, on the
 * loopback interface of this machine.
 */
@RequiresBubblewrap
@Tag("alone")
class BubblewrapAllowListTests {

	@RegisterExtension
	final LoopbackServer server = new LoopbackServer();

	@RegisterExtension
	final BubblewrapFixture restricted = new BubblewrapFixture((options) -> options
		.with((changes) -> changes.commands((commands) -> commands.allowList(AllowList.of(List.of("example.org"))))),
			(options) -> new BubblewrapSandbox(options,
					new Networks(LoopbackProxy.allowing(List.of(this.server.allowedHost())), RelayProgram.find(),
							options.commands().runAs())));

	@RegisterExtension
	final BubblewrapFixture offline = new BubblewrapFixture();

	private String url() {
		return "http://" + this.server.allowedHost() + "/";
	}

	@Test
	void commandReachesAnAllowedHost() {
		BubblewrapFixture.Outcome outcome = this.restricted.run("curl -sS " + url());
		assertThat(outcome.out()).isEqualTo("reached\n");
		assertThat(outcome.err()).isEmpty();
		assertThat(outcome.exit().exitCode()).isZero();
		assertThat(this.offline.run("curl -sS " + url() + " || echo not reached").out()).isEqualTo("not reached\n");
	}

	@Test
	void commandWithoutNetworkDoesNotReachTheProxyOfItsSession() throws Exception {
		try (SandboxHandle other = this.restricted.start("echo up; exec cat",
				(request) -> request.attributes(SandboxAttributes.builder().sessionId("a").stdin(true).build()))) {
			assertThat(other.output().blockFirst()).isNotNull();
			String command = "env | grep -i _proxy; curl -sS -x http://127.0.0.1:3128 " + url() + " || echo none";
			assertThat(this.restricted.runWith((attributes) -> attributes.withoutNetwork(true), command).out())
				.isEqualTo("none\n");
		}
		assertThat(this.restricted.run("curl -sS " + url()).out()).isEqualTo("reached\n");
	}

	@Test
	void commandOpensATunnelToAnAllowedHost() {
		String command = "exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT " + this.server.allowedHost()
				+ " HTTP/1.1\\r\\n\\r\\nGET / HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3";
		assertThat(this.restricted.run(command).out()).startsWith("HTTP/1.1 200 Connection established")
			.endsWith("reached\n");
		assertThat(this.restricted.run("curl -sS --proxytunnel " + url()).out()).isEqualTo("reached\n");
	}

	@Test
	void unlistedHostIsRefusedAndNamedInTheErrorOutput() {
		BubblewrapFixture.Outcome outcome = this.restricted
			.run("curl -s -o /dev/null -w '%{http_code}' http://evil.test:" + this.server.port() + "/");
		assertThat(outcome.out()).isEqualTo("403");
		assertThat(outcome.err())
			.isEqualTo("kairo: the network refused evil.test:" + this.server.port() + " (not_listed)\n");
		assertThat(this.restricted.run("curl -sS https://evil.test/").err()).contains("evil.test:443 (not_listed)");
	}

	@Test
	void otherServicesOfTheHostAreUnreachable() {
		try (LoopbackServer other = new LoopbackServer()) {
			String elsewhere = "http://127.0.0.1:" + other.port() + "/";
			assertThat(this.restricted.run("curl -s http://allowed.test:" + other.port() + "/").out())
				.contains("(not_listed)");
			assertThat(this.restricted.run("curl -s --noproxy '' -x http://127.0.0.1:3128 " + elsewhere).out())
				.contains("(not_listed)");
			for (String direct : List.of(elsewhere, "http://127.0.0.1:" + this.server.port() + "/")) {
				assertThat(this.restricted.run("curl -s --noproxy '*' " + direct + " || echo none").out()).as(direct)
					.isEqualTo("none\n");
			}
		}
	}

	@Test
	void sandboxHasOnlyALoopbackInterfaceAndNoNameResolution() {
		assertThat(
				this.restricted.run("grep -c : /proc/net/dev; cat /proc/net/route | wc -l; ls /etc/resolv.conf").out())
			.isEqualTo("1\n1\n");
		assertThat(this.restricted.run("getent hosts allowed.test || echo unknown").out()).isEqualTo("unknown\n");
	}

	@Test
	void datagramDoesNotLeaveTheSandbox() throws IOException {
		try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
			this.restricted.run("echo secret > /dev/udp/127.0.0.1/" + socket.getLocalPort());
			byte[] mark = "mark".getBytes(StandardCharsets.US_ASCII);
			socket.send(new DatagramPacket(mark, mark.length, socket.getLocalSocketAddress()));
			DatagramPacket first = new DatagramPacket(new byte[100], 100);
			socket.receive(first);
			assertThat(new String(first.getData(), 0, first.getLength(), StandardCharsets.US_ASCII)).isEqualTo("mark");
		}
	}

	@Test
	void unixDomainSocketsAreDenied() throws IOException {
		Path socket = this.restricted.workspace().resolve("socket");
		String connect = "perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) && connect(S, pack_sockaddr_un($ARGV[0]))"
				+ " and print qq(connected) or print $! + 0' ";
		try (ServerSocketChannel service = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
			service.bind(UnixDomainSocketAddress.of(socket));
			JvmUser.grantAccess(socket);
			assertThat(this.restricted.run(connect + socket).out()).as("EPERM of socket(2)").isEqualTo("1");
			assertThat(
					this.restricted.run("python3 -c 'import socket; socket.socket(socket.AF_UNIX)'").exit().exitCode())
				.isNotZero();
			try (BubblewrapSandbox open = new BubblewrapSandbox(JvmUser.bubblewrapOptions()
				.with((changes) -> changes.unixSockets(BubblewrapOptions.UnixSockets.ALLOWED)))) {
				assertThat(
						BubblewrapFixture
							.outcome(open.start(JvmUser.grantAccess(
									new SandboxRequest.Builder(connect + socket, this.restricted.workspace()).build())))
							.out())
					.as("the attack works without the filter")
					.isEqualTo("connected");
			}
		}
	}

	@Test
	void relayIsInvisibleToTheCommandAndCannotBeKilled() {
		assertThat(this.restricted
			.run("cat /proc/[0-9]*/cmdline | tr '\\0' '\\n' | grep -c -e '[k]airo-relay' -e '[A]F_UNIX'")
			.out()).isEqualTo("0\n");
		assertThat(this.restricted.run("kill -9 -1; curl -sS " + url()).out()).isEqualTo("reached\n");
	}

	@Test
	void fiftyConcurrentClientsAreServed() {
		BubblewrapFixture.Outcome outcome = this.restricted.run(
				"for i in $(seq 50); do curl -sS " + url() + "$i & done; wait",
				(request) -> request.timeout(Duration.ofMinutes(3)));
		assertThat(outcome.err()).isEmpty();
		assertThat(outcome.out().lines()).hasSize(50).containsOnly("reached");
	}

	@Test
	void environmentNamesTheProxyUnlessTheRequestOverridesIt() {
		assertThat(this.restricted.run("env | grep -i proxy | sort -f -s").out().lines()).contains(
				"http_proxy=http://127.0.0.1:3128", "HTTPS_PROXY=http://127.0.0.1:3128",
				"NO_PROXY=localhost,127.0.0.1,::1");
		assertThat(this.restricted.run("echo $HTTP_PROXY", (request) -> request.env(Map.of("HTTP_PROXY", "x"))).out())
			.isEqualTo("x\n");
		assertThat(this.offline.run("env | grep -ic proxy").out()).isEqualTo("0\n");
	}

	@Test
	void commandReceivesSigtermAtItsTimeout() {
		BubblewrapFixture.Outcome outcome = this.restricted.run("trap 'echo asked; exit' TERM; sleep 60 & wait",
				(request) -> request.timeout(Duration.ofSeconds(2)));
		assertThat(outcome.exit().timedOut()).isTrue();
		assertThat(outcome.out()).isEqualTo("asked\n");
	}

	@Test
	void relayEndsWithItsCommand() {
		this.restricted.runWith((attributes) -> attributes.sessionId(null),
				"curl -sS " + url() + "; sleep 100 & exit 3");
		assertThat(ProcessHandle.allProcesses()
			.filter((process) -> process.info().commandLine().orElse("").contains("kairo-relay"))).isEmpty();
	}

	@Test
	void exitCodeIsThatOfTheCommand() {
		assertThat(this.restricted.run("exit 7").exit().exitCode()).isEqualTo(7);
		assertThat(this.restricted.run("kill -9 $$").exit().exitCode()).isEqualTo(137);
		assertThat(this.restricted.run("exit 1").err()).isEmpty();
	}

	@Test
	void onlyEnforcedNetworkCapabilitiesAreClaimed() {
		assertThat(this.restricted.sandbox().capabilities().has(SandboxCapability.NETWORK_ALLOW_LIST)).isTrue();
		assertThat(this.restricted.sandbox().capabilities().has(SandboxCapability.NETWORK_OFF)).isFalse();
		assertThat(this.offline.sandbox().capabilities().has(SandboxCapability.NETWORK_ALLOW_LIST)).isFalse();
	}

	@Test
	void closingTheSandboxEndsOpenConnections() throws Exception {
		SandboxHandle handle = this.restricted.start("exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT "
				+ this.server.allowedHost() + " HTTP/1.1\\r\\n\\r\\n' >&3; read -r line <&3; echo $line; cat <&3",
				(request) -> request);
		handle.output().blockFirst(Duration.ofSeconds(30));
		this.restricted.sandbox().close();
		assertThat(handle.exit().toFuture().get(30, TimeUnit.SECONDS).signal()).isEqualTo("CANCELLED");
	}

}
