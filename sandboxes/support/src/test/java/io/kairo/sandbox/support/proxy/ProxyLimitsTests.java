package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the {@link ProxyLimits} of an {@link AllowListProxy}.
 */
@Timeout(120)
class ProxyLimitsTests {

	@RegisterExtension
	final ProxyFixture proxy = new ProxyFixture(ProxyFixture.limits(3, Duration.ofSeconds(1)));

	@RegisterExtension
	final ProxyFixture patient = new ProxyFixture(ProxyFixture.limits(3, Duration.ofMinutes(5)));

	private static String tunnel(ProxyFixture proxy) {
		return "CONNECT ok.com:" + proxy.port() + " HTTP/1.1\r\n\r\n";
	}

	@Test
	void incompleteHeadTimesOut() throws IOException {
		try (ProxyFixture.Connection slow = this.proxy.connect()) {
			slow.send("CONNECT ok.com");
			assertThat(slow.readHead()).startsWith("HTTP/1.1 408 head_timeout\r\n");
		}
	}

	@Test
	void headTimeoutIsNotExtendedByEachByte() throws IOException {
		try (ProxyFixture.Connection slow = this.proxy.connect()) {
			assertThatIOException().isThrownBy(() -> {
				while (true) {
					slow.send("x");
					LockSupport.parkNanos(10_000_000);
				}
			});
		}
	}

	@Test
	void longHeadIsRefused() throws IOException {
		try (ProxyFixture.Connection talkative = this.proxy.connect()) {
			talkative.send("GET " + this.proxy.url("/" + "x".repeat(3000)));
			assertThat(talkative.readHead()).startsWith("HTTP/1.1 431 ");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "CONNECT ok.com:443 HTTP/1.1\n\n", "CONNECT ok.com:443\0 HTTP/1.1\r\n\r\n",
			"GET http://ok.com/ HTTP/1.1\r\nHost: ok.com\nX: y\r\n\r\n", "\n", "\0" })
	void malformedHeadIsRefusedImmediately(String head) throws IOException {
		assertThat(this.patient.ask(head)).startsWith("HTTP/1.1 400 bad_request\r\n");
	}

	@Test
	void idleTunnelIsClosed() throws IOException {
		try (ProxyFixture.Connection idle = this.proxy.connect()) {
			idle.send(tunnel(this.proxy));
			assertThat(idle.readHead()).contains("200");
			assertThat(idle.readAll()).isEmpty();
		}
	}

	@Test
	void furtherConnectionWaitsUntilAnotherEnds() throws IOException {
		List<ProxyFixture.Connection> open = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			open.add(this.patient.connect());
			open.get(i).send(tunnel(this.patient));
			assertThat(open.get(i).readHead()).contains("200");
		}
		try (ProxyFixture.Connection waiting = this.patient.connect()) {
			waiting.send(tunnel(this.patient));
			assertThat(this.patient.listener().report().allowed()).isEqualTo(3);
			open.get(0).close();
			assertThat(waiting.readHead()).contains("200");
		}
		finally {
			for (ProxyFixture.Connection each : open) {
				each.close();
			}
		}
	}

	@Test
	void closeOfListenerEndsConnectionsAndThreads() throws IOException {
		// silent is accepted before tunnel, which is answered
		try (ProxyFixture.Connection silent = this.patient.connect();
				ProxyFixture.Connection tunnel = this.patient.connect()) {
			tunnel.send(tunnel(this.patient));
			assertThat(tunnel.readHead()).contains("200");
			this.patient.listener().close();
			assertThat(tunnel.readAll()).isEmpty();
			// the system may complete a connection until the accepting thread has woken
			// up
			await().untilAsserted(() -> assertThatIOException().isThrownBy(() -> this.patient.connect().close()));
			await().untilAsserted(() -> assertThat(threads()).isEmpty());
			assertThat(silent.readAll()).isEmpty();
		}
	}

	private List<String> threads() {
		this.proxy.listener().close();
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.map(Thread::getName)
			.filter((name) -> name.startsWith("kairo-proxy"))
			.toList();
	}

}
