package io.kairo.api.sandbox.tck;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;
import io.kairo.api.sandbox.SandboxHandle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks that connect to services of the host. No connection leaves the machine.
 */
final class NetworkAttacks {

	/** Reads from a Unix domain socket; perl creates its address. */
	private static final String UNIX = "perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or die;"
			+ " connect(S, sockaddr_un(%s)) or die; print <S>'";

	/** The loopback address of IPv6. */
	private static final byte[] SIXTH = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 };

	private NetworkAttacks() {
	}

	static List<Attack<SandboxScene>> all() {
		return List.of(
				denied("host-tcp", "connects to a service on the loopback interface of the host", NetworkAttacks::tcp),
				denied("disguised-address", "connects to it by other spellings of the address, and by IPv6",
						NetworkAttacks::disguisedAddress),
				denied("allow-list",
						"connects to a host that is not on the list; without `NETWORK_ALLOW_LIST` there is no network at all",
						NetworkAttacks::tcp),
				denied("host-udp", "sends datagrams, as a resolver of names does", NetworkAttacks::udp),
				denied("interfaces", "has an interface or a route to another host: metadata services, name servers",
						NetworkAttacks::interfaces),
				denied("workspace-socket", "connects to a Unix domain socket in the workspace",
						(scene) -> unix(scene, "workspace/s", "q(s)")),
				denied("host-socket", "connects to a Unix domain socket outside, such as that of a container engine",
						(scene) -> unix(scene, "s", "q(../s)")),
				denied("datagram-pair",
						"sends datagrams to a Unix domain socket outside from one half of a socket pair",
						NetworkAttacks::datagramPair),
				denied("abstract-socket", "connects to an abstract socket of the host", NetworkAttacks::abstractSocket),
				denied("serve", "listens on a port of the host", NetworkAttacks::serve));
	}

	private static Attack<SandboxScene> denied(String id, String description, Attack.Probe<SandboxScene> probe) {
		return new Attack<>(id, AttackGroup.NETWORK, description, AttackOutcome.DENIED, probe);
	}

	private static String bash(String script) {
		return "bash -c '" + script + "'";
	}

	private static Finding tcp(SandboxScene scene) throws Exception {
		try (Listeners listeners = new Listeners(scene.canary().secret())) {
			int port = listeners.tcp(InetAddress.getLoopbackAddress());
			return CommandProbe
				.of(bash("cat < /dev/tcp/127.0.0.1/" + port),
						"perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(q(127.0.0.1:" + port
								+ ")); print <$s>'")
				.attempt(scene);
		}
	}

	private static Finding disguisedAddress(SandboxScene scene) throws Exception {
		Finding finding;
		try (Listeners listeners = new Listeners(scene.canary().secret())) {
			int port = listeners.tcp(InetAddress.getLoopbackAddress());
			finding = CommandProbe
				.of(List.of("127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0.0.0.0", "::ffff:127.0.0.1")
					.stream()
					.map((address) -> bash("cat < /dev/tcp/" + address + "/" + port))
					.toArray(String[]::new))
				.attempt(scene);
		}
		return (finding == Finding.HELD) ? sixth(scene) : finding;
	}

	private static Finding sixth(SandboxScene scene) throws Exception {
		try (Listeners listeners = new Listeners(scene.canary().secret())) {
			int port = listeners.tcp(InetAddress.getByAddress(SIXTH));
			return CommandProbe.of(bash("cat < /dev/tcp/::1/" + port)).attempt(scene);
		}
		catch (SocketException ex) {
			return Finding.HELD; // this host has no IPv6
		}
	}

	private static Finding udp(SandboxScene scene) throws Exception {
		try (Listeners listeners = new Listeners(scene.canary().secret())) {
			int port = listeners.udp();
			return CommandProbe
				.of(bash("exec 3<>/dev/udp/127.0.0.1/" + port
						+ "; echo secret.example.com >&3; timeout 5 head -n 1 <&3"))
				.attempt(scene);
		}
	}

	private static Finding interfaces(SandboxScene scene) {
		String out = scene.attack("grep : /proc/net/dev | grep -v lo:; tail -n +2 /proc/net/route;"
				+ " grep -v ' lo$' /proc/net/ipv6_route; ls /sys/class/net | grep -vx lo");
		return scene.found(Finding.heldIf(out.equals("\nran\n")), out);
	}

	private static Finding unix(SandboxScene scene, String file, String name) throws Exception {
		try (Listeners listeners = new Listeners(scene.canary().secret())) {
			Path socket = scene.workspace().resolveSibling(file);
			listeners.unix(socket);
			String connect = UNIX.formatted(name);
			assertThat(scene.plain().run(connect)).as("success outside of a sandbox").contains(scene.canary().secret());
			return scene.found(Finding.heldIf(!scene.canary().isHarmed(scene.attack(connect))), connect);
		}
	}

	private static Finding datagramPair(SandboxScene scene) throws Exception {
		Process server = scene.plain()
			.start("perl -MSocket -e '$| = 1; socket(S, AF_UNIX, SOCK_DGRAM, 0) or die; bind(S, pack_sockaddr_un(q(s)))"
					+ " or die; chmod 0777, q(s); print qq(up\n);"
					+ " while (defined recv(S, $m, 99, 0)) { print qq($m\n) }'");
		String send = "perl -MSocket -e 'for (SOCK_DGRAM, SOCK_RAW) {"
				+ " socketpair(A, B, AF_UNIX, $_, 0) and send(A, q(%1$s), 0, pack_sockaddr_un(q(s))) }'";
		try (BufferedReader output = server.inputReader()) {
			assertThat(output.readLine()).isEqualTo("up");
			scene.attack(send.formatted("attack"));
			scene.plain().run(send.formatted("control"));
			String first = output.readLine();
			String last = first;
			while (last.equals("attack")) {
				last = output.readLine();
			}
			assertThat(last).as("success outside of a sandbox").isEqualTo("control");
			return scene.found(Finding.heldIf(first.equals("control")), send);
		}
		finally {
			server.destroyForcibly().waitFor();
		}
	}

	private static Finding abstractSocket(SandboxScene scene) throws Exception {
		String address = "qq(\\0kairo-" + scene.canary().secret() + ")";
		Process server = scene.plain()
			.start("perl -MSocket -e '$| = 1; $SIG{PIPE} = q(IGNORE);"
					+ " socket(S, AF_UNIX, SOCK_STREAM, 0) or die; bind(S, pack(q(S), AF_UNIX) . " + address
					+ ") or die; listen(S, 9) or die; print qq(up\\n);"
					+ " while (accept(C, S)) { syswrite(C, $ENV{KAIRO_SECRET}); close(C) }'");
		try (BufferedReader output = server.inputReader()) {
			assertThat(output.readLine()).isEqualTo("up");
			String connect = "perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or die;"
					+ " connect(S, pack(q(S), AF_UNIX) . " + address + ") or die; print qq(connected)'";
			assertThat(scene.plain().run(connect)).as("success outside of a sandbox").contains("connected");
			return scene.found(Finding.heldIf(!scene.attack(connect).contains("connected")), connect);
		}
		finally {
			server.destroyForcibly().waitFor();
		}
	}

	private static Finding serve(SandboxScene scene) throws Exception {
		int port;
		try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			port = free.getLocalPort();
		}
		String listen = "perl -MIO::Socket::INET -e '$| = 1; $s = IO::Socket::INET->new(Listen => 1,"
				+ " LocalAddr => q(127.0.0.1:" + port + "), ReuseAddr => 1) or die; print qq(up\\n); sleep 60'";
		Process control = scene.plain().start(listen);
		try (BufferedReader output = control.inputReader()) {
			assertThat(output.readLine()).isEqualTo("up");
			assertThat(connects(port)).as("success outside of a sandbox").isTrue();
		}
		finally {
			control.destroyForcibly().waitFor();
		}
		try (SandboxHandle handle = scene.trial().start(listen)) {
			// it listens, or is refused
			assertThat(handle.output().blockFirst(Trial.PATIENCE)).isNotNull();
			return scene.found(Finding.heldIf(!connects(port)), listen);
		}
	}

	private static boolean connects(int port) {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
			return socket.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
