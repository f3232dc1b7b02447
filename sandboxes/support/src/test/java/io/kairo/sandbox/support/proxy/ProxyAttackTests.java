package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackColumn;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackKit;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.Secret;
import io.kairo.api.tenant.TenantContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The attacks of commands through the proxy of an allow-list that opens internal hosts,
 * or has an upstream proxy.
 */
class ProxyAttackTests extends AttackKit<ProxyScene> {

	private static final String PASSWORD = "s3cret-of-the-proxy";

	@Override
	protected List<Attack<ProxyScene>> attacks() {
		return List.of(
				denied("rebind-internal",
						"rebinds a name, whose address is an opened internal one, to another internal address",
						ProxyAttackTests::rebind),
				denied("internal-among-public", "adds an internal address to those of a name", ProxyAttackTests::among),
				denied("internal-by-wildcard", "resolves a name below `*.example.org` to an address in an opened range",
						ProxyAttackTests::wildcard),
				denied("internal-port", "connects to another port of an opened internal host",
						ProxyAttackTests::otherPort),
				denied("loopback-by-name", "resolves the name of an opened internal host to the loopback interface",
						ProxyAttackTests::loopback),
				denied("metadata",
						"reaches a metadata service by a listed name, by an opened name, and by an opened range",
						ProxyAttackTests::metadata),
				denied("internal-by-upstream",
						"asks the upstream proxy for internal addresses, and for its own services",
						ProxyAttackTests::internalByUpstream),
				denied("second-request-upstream", "sends a second request behind the first one to the upstream proxy",
						ProxyAttackTests::secondRequest),
				new Attack<>("upstream-credentials", AttackGroup.SECRETS,
						"looks for the credentials of the upstream proxy in its answers, refusals and the environment",
						AttackOutcome.REDACTED, ProxyAttackTests::credentials));
	}

	private static Attack<ProxyScene> denied(String id, String description, Attack.Probe<ProxyScene> probe) {
		return new Attack<>(id, AttackGroup.NETWORK, description, AttackOutcome.DENIED, probe);
	}

	@Override
	protected ProxyScene openScene() throws Exception {
		return new ProxyScene();
	}

	@Override
	protected AttackColumn column() {
		return new AttackColumn(Path.of("..", "..", "docs", "generated", "attacks.md"),
				"Through the proxy of an allow-list", "proxy");
	}

	private static List<InetAddress> addresses(String... texts) throws UnknownHostException {
		InetAddress[] addresses = new InetAddress[texts.length];
		for (int i = 0; i < texts.length; i++) {
			addresses[i] = InetAddress.getByName(texts[i]);
		}
		return List.of(addresses);
	}

	private static Finding rebind(ProxyScene scene) throws Exception {
		String host = "ok.com:" + scene.port();
		AtomicInteger asked = new AtomicInteger();
		AllowListProxy proxy = scene.proxy(AllowList.of(List.of(host), List.of("127.0.0.1:" + scene.port())),
				(name) -> addresses((asked.getAndIncrement() == 0) ? "127.0.0.1" : "127.0.0.2"));
		assertThat(scene.get(proxy, host)).endsWith("open[]");
		assertThat(asked).as("lookups of one request").hasValue(1);
		assertThat(scene.get(proxy, host)).startsWith("HTTP/1.1 403 forbidden_address");
		return scene.unlessSecretIsKnown();
	}

	private static Finding among(ProxyScene scene) throws Exception {
		String host = "ok.com:" + scene.port();
		AllowListProxy proxy = scene.proxy(AllowList.of(List.of(host), List.of("127.0.0.1:" + scene.port())),
				(name) -> addresses("127.0.0.2", "127.0.0.1"));
		scene.get(proxy, host);
		return scene.unlessSecretIsKnown();
	}

	private static Finding wildcard(ProxyScene scene) throws Exception {
		AllowListProxy proxy = scene.proxy(
				AllowList.of(List.of("*.ok.com:" + scene.port()), List.of("127.0.0.0/8:" + scene.port())),
				(name) -> addresses("127.0.0.2"));
		scene.get(proxy, "x.ok.com:" + scene.port());
		return scene.unlessSecretIsKnown();
	}

	private static Finding otherPort(ProxyScene scene) throws Exception {
		int other = (scene.port() == 65535) ? 65534 : scene.port() + 1;
		AllowListProxy proxy = scene.proxy(
				AllowList.of(List.of("ok.com:" + scene.port()),
						List.of("localhost:" + other, "127.0.0.2:" + other, "ok.com:" + other)),
				(name) -> addresses("127.0.0.2"));
		for (String host : List.of("ok.com", "localhost", "127.0.0.2")) {
			scene.get(proxy, host + ":" + scene.port());
		}
		return scene.unlessSecretIsKnown();
	}

	private static Finding loopback(ProxyScene scene) throws Exception {
		String host = "git.corp.example:" + scene.port();
		scene.get(scene.proxy(AllowList.of(List.of(), List.of(host)), (name) -> addresses("127.0.0.2")), host);
		return scene.unlessSecretIsKnown();
	}

	private static Finding metadata(ProxyScene scene) throws Exception {
		boolean held = true;
		for (String address : List.of("169.254.169.254", "fd00:ec2::254", "100.100.100.200", "192.0.0.192")) {
			AllowListProxy proxy = scene.proxy(
					AllowList.of(List.of("ok.com", "*.ok.com", "169.254.169.254", "100.100.100.200"),
							List.of("git.corp:80", "localhost:80", "100.64.0.0/10:80", "[fc00::/7]:80")),
					(name) -> addresses(name.matches("[\\d.]+") ? name : address));
			for (String host : List.of("ok.com", "x.ok.com", "git.corp", "localhost", "169.254.169.254",
					"100.100.100.200")) {
				held &= scene.get(proxy, host).startsWith("HTTP/1.1 403 forbidden_address");
			}
		}
		return Finding.heldIf(held);
	}

	private static AllowListProxy throughUpstream(ProxyScene scene, String... hosts) {
		return scene.proxy(AllowList.of(List.of(hosts))
			.withUpstream(UpstreamProxy.of(scene.upstream().address()).withCredentials("robot", Secret.of(PASSWORD))),
				(name) -> addresses(name.equals("proxy.test") ? "127.0.0.1" : name));
	}

	private static Finding internalByUpstream(ProxyScene scene) throws Exception {
		String local = "127.0.0.2:" + scene.port();
		AllowListProxy proxy = throughUpstream(scene, local, "localhost:" + scene.port(), "10.0.0.1",
				"169.254.169.254");
		for (String host : List.of(local, "localhost:" + scene.port(), "10.0.0.1", "169.254.169.254")) {
			scene.get(proxy, host);
			scene.send(proxy, "CONNECT " + host + " HTTP/1.1\r\n\r\nGET / HTTP/1.0\r\n\r\n");
		}
		return scene.upstream().heads().isEmpty() ? scene.unlessSecretIsKnown() : Finding.BROKEN;
	}

	private static Finding secondRequest(ProxyScene scene) throws Exception {
		String second = "GET http://127.0.0.2:" + scene.port() + "/ HTTP/1.1\r\nHost: 127.0.0.2\r\n\r\n";
		AllowListProxy proxy = throughUpstream(scene, "ok.com");
		String answer = scene.send(proxy, "GET http://ok.com/ HTTP/1.1\r\nHost: ok.com\r\n\r\n" + second);
		assertThat(answer).startsWith("HTTP/1.1 200 ");
		return Finding
			.heldIf(scene.upstream().heads().size() == 1 && !scene.upstream().heads().get(0).contains("127."));
	}

	private static Finding credentials(ProxyScene scene) throws Exception {
		String credential = Base64.getEncoder()
			.encodeToString(("robot:" + PASSWORD).getBytes(StandardCharsets.US_ASCII));
		AllowListProxy proxy = throughUpstream(scene, "ok.com");
		StringBuilder seen = new StringBuilder(scene.get(proxy, "ok.com"));
		seen.append(scene.send(proxy, "TRACE http://ok.com/ HTTP/1.1\r\nHost: ok.com\r\nMax-Forwards: 0\r\n\r\n"));
		seen.append(scene.send(proxy, "OPTIONS http://ok.com/ HTTP/1.1\r\nHost: ok.com\r\nMax-Forwards: 0\r\n\r\n"));
		assertThat(scene.upstream().heads()).as("requests, which the proxy repeats in its answers")
			.hasSize(2)
			.allSatisfy((head) -> assertThat(head).contains(credential).doesNotContain("Max-Forwards"));
		scene.upstream().refuses("HTTP/1.1 407 " + credential);
		seen.append(scene.get(proxy, "ok.com"));
		seen.append(scene.send(proxy, "CONNECT ok.com:443 HTTP/1.1\r\n\r\n"));
		Map<String, String> environment = new HashMap<>();
		proxy.addVariables(environment,
				new SandboxRequest.Builder("env", Path.of("/")).tenant(TenantContext.SINGLE).build(), 3128);
		seen.append(environment);
		return Finding.heldIf(!seen.toString().contains(credential) && !seen.toString().contains(PASSWORD));
	}

}
