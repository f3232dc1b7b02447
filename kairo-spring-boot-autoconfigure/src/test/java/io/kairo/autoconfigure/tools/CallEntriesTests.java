package io.kairo.autoconfigure.tools;

import java.util.List;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.SessionRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link CallEntries}.
 */
class CallEntriesTests {

	private static final TenantContext BOUND = new TenantContext("acme", "ann", Map.of("trace", "1"));

	@Test
	void emptyContextRequestsOwnSessionForBoundTenant() {
		assertThat(session(Map.of())).isEqualTo(SessionRequest.of(BOUND, null));
	}

	@Test
	void entriesNameSessionWorkspaceAndSubAgent() {
		SessionRequest session = session(Map.of("kairo.session.id", "s1", "conversation", "ignored",
				"kairo.session.child", "helper", "kairo.workspace", "memory:notes", "kairo.workspace.read-only", true));
		assertThat(session).isEqualTo(new SessionRequest(BOUND, "s1", "memory:notes", false, "helper"));
		assertThat(session(Map.of("kairo.workspace.read-only", false)).writable()).isTrue();
		assertThat(session(Map.of("conversation", 7)).sessionId()).isEqualTo("7");
	}

	@Test
	void agentIsAddedToAttributesOfTheTenant() {
		assertThat(session(Map.of("agent.id", "a1")).tenant())
			.isEqualTo(new TenantContext("acme", "ann", Map.of("trace", "1", "agent.id", "a1")));
		assertThat(session(Map.of("tenant.id", "globex", "agent.id", 7)).tenant())
			.isEqualTo(new TenantContext("globex", "globex", Map.of("agent.id", "7")));
	}

	@Test
	void entriesOfWrongTypeAreRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> session(Map.of("kairo.workspace", Map.of("git", "x"))))
			.withMessageContainingAll("kairo.workspace", "String");
		assertThatIllegalArgumentException().isThrownBy(() -> session(Map.of("kairo.session.child", List.of())))
			.withMessageContainingAll("kairo.session.child", "String");
		assertThatIllegalArgumentException().isThrownBy(() -> session(Map.of("kairo.session.child", " ")))
			.withMessageContainingAll("kairo.session.child", "blank");
		assertThatIllegalArgumentException().isThrownBy(() -> session(Map.of("kairo.workspace.read-only", "true")))
			.withMessageContainingAll("kairo.workspace.read-only", "Boolean");
	}

	private static SessionRequest session(Map<String, Object> entries) {
		return new CallEntries(entries, "the tool context").session(() -> BOUND, entries.get("conversation"));
	}

}
