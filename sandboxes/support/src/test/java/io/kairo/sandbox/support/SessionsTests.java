package io.kairo.sandbox.support;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link Sessions}.
 */
class SessionsTests {

	private final List<String> ended = Collections.synchronizedList(new ArrayList<>());

	private final List<String> idle = new ArrayList<>();

	private final AtomicInteger number = new AtomicInteger();

	private boolean fails;

	private final Sessions<Numbered> sessions = new Sessions<>(Duration.ofHours(1), 2, false, (tenant, deadlines) -> {
		if (this.fails) {
			throw new IOException("no room");
		}
		return new Numbered(tenant.tenantId() + this.number.incrementAndGet());
	}, (tenant) -> this.idle.add(tenant.tenantId()));

	@AfterEach
	void close() {
		this.sessions.close();
	}

	private static SandboxRequest request(String tenant, String session) {
		return new SandboxRequest.Builder("true", Path.of("/")).tenant(new TenantContext(tenant, "principal"))
			.attributes(SandboxAttributes.builder().sessionId(session).build())
			.build();
	}

	private String use(String tenant, String session) throws IOException {
		try (Sessions<Numbered>.Session taken = this.sessions.take(request(tenant, session))) {
			return taken.resource().name();
		}
	}

	@Test
	void commandsOfASessionShareOneValue() throws IOException {
		assertThat(use("a", "x")).isEqualTo(use("a", "x")).isNotEqualTo(use("a", "y"));
		assertThat(this.sessions.take(request("a", null))).isNull();
		assertThat(this.ended).isEmpty();
	}

	@Test
	void onlyTheAgentAmongTheAttributesDistinguishesSessions() throws IOException {
		List<Map<String, String>> attributes = List.of(Map.of("token", "1"), Map.of("token", "2"),
				Map.of(TenantContext.ATTR_AGENT_ID, "agent"));
		List<String> shared = new ArrayList<>();
		List<String> exact = new ArrayList<>();
		List<String> names = new ArrayList<>();
		try (Sessions<Numbered> exactly = new Sessions<>(Duration.ofHours(1), 3, true,
				(tenant, deadlines) -> new Numbered("exact" + this.number.incrementAndGet()), (tenant) -> {
				})) {
			for (Map<String, String> each : attributes) {
				SandboxRequest request = new SandboxRequest.Builder("true", Path.of("/"))
					.tenant(new TenantContext("a", "principal", each))
					.attributes(SandboxAttributes.builder().sessionId("x").build())
					.build();
				names.add(Sessions.nameOf(request));
				try (var one = this.sessions.take(request); var other = exactly.take(request)) {
					shared.add(one.resource().name());
					exact.add(other.resource().name());
				}
			}
		}
		assertThat(shared).element(1).isEqualTo(shared.get(0)).isNotEqualTo(shared.get(2));
		assertThat(exact).doesNotHaveDuplicates();
		assertThat(names).element(1).isEqualTo(names.get(0)).isNotEqualTo(names.get(2));
	}

	@Test
	void longestIdleSessionOfTheTenantWithTheMostEnds() throws IOException {
		for (String tenant : List.of("q", "b", "z")) {
			use(tenant, "x");
		}
		await().untilAsserted(() -> assertThat(this.ended).containsExactly("q1"));
		use("z", "y");
		await().untilAsserted(() -> assertThat(this.ended).containsExactly("q1", "z3"));
		assertThat(use("b", "x")).isEqualTo("b2");
		assertThat(use("z", "y")).isEqualTo("z4");
	}

	@Test
	void sessionWithACommandDoesNotEnd() throws IOException {
		try (Sessions<Numbered>.Session used = this.sessions.take(request("a", "x"))) {
			for (String session : List.of("1", "2", "3")) {
				use("a", session);
			}
			await().untilAsserted(() -> assertThat(this.ended).containsExactly("a2"));
			assertThat(this.idle).isEmpty();
			assertThat(this.sessions.endIdle("a", () -> this.ended.add("meanwhile"))).isFalse();
			assertThat(used.resource().name()).isEqualTo("a1");
		}
		assertThat(this.idle).containsExactly("a");
	}

	@Test
	void idleSessionsOfATenantAreEnded() throws IOException {
		use("a", "x");
		use("b", "x");
		assertThat(this.sessions.endIdle("a", () -> this.ended.add("meanwhile"))).isTrue();
		await().untilAsserted(() -> assertThat(this.ended).containsExactly("meanwhile", "a1"));
		this.sessions.withTenants((tenants) -> assertThat(tenants).containsExactly("b"));
		assertThat(use("a", "x")).isEqualTo("a3");
	}

	@Test
	void sessionThatCannotBeCreatedLeavesNothing() throws IOException {
		use("a", "x");
		use("a", "y");
		this.fails = true;
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> use("b", "x")).withMessage("no room");
		this.sessions.withTenants((tenants) -> assertThat(tenants).containsExactly("a"));
		this.fails = false;
		assertThat(use("b", "x")).isEqualTo("b3");
		await().untilAsserted(() -> assertThat(this.ended).containsExactly("a1"));
	}

	@Test
	void unusableValueIsReplaced() throws IOException {
		try (Sessions<Numbered>.Session taken = this.sessions.take(request("a", "x"))) {
			taken.resource().usable = false;
		}
		assertThat(use("a", "x")).isEqualTo("a2");
		assertThat(this.ended).containsExactly("a1");
	}

	@Test
	void idleSessionExpiresAndClosedSessionsEnd() throws IOException {
		try (Sessions<Numbered> brief = new Sessions<>(Duration.ofMillis(20), 2,
				(tenant, deadlines) -> new Numbered("brief"))) {
			Sessions<Numbered>.Session taken = brief.take(request("a", "x"));
			taken.close();
			await().untilAsserted(() -> assertThat(this.ended).containsExactly("brief"));
		}
		use("a", "x");
		this.sessions.close();
		assertThat(this.ended).containsExactly("brief", "a1");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> use("a", "x")).withMessageContaining("closed");
	}

	@Test
	void bordersAreChecked() {
		assertThatIllegalArgumentException().isThrownBy(() -> Sessions.requireValid(Duration.ZERO, 1))
			.withMessageContaining("PT0S");
		assertThatIllegalArgumentException().isThrownBy(() -> Sessions.requireValid(Duration.ofDays(1), -1))
			.withMessageContaining("-1");
	}

	/**
	 * A resource with a name.
	 */
	private final class Numbered implements SessionResource {

		private final String name;

		private boolean usable = true;

		Numbered(String name) {
			this.name = name;
		}

		String name() {
			return this.name;
		}

		@Override
		public boolean isUsable() {
			return this.usable;
		}

		@Override
		public void close() {
			SessionsTests.this.ended.add(this.name);
		}

	}

}
