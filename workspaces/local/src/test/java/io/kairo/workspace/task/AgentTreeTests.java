package io.kairo.workspace.task;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePathException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link AgentTree}.
 */
class AgentTreeTests {

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private final AgentTreeFixture fixture = new AgentTreeFixture();

	private final AgentTree tree = this.fixture.tree();

	@Test
	void registryMustNotBeNull() {
		assertThatNullPointerException().isThrownBy(() -> new AgentTree(null));
	}

	@Nested
	class Registering {

		@Test
		void registerIsIdempotent() {
			AgentRecord first = AgentTreeTests.this.tree.register("a", "root");
			assertThat(AgentTreeTests.this.tree.register("a", "root")).isEqualTo(first);
			assertThat(AgentTreeTests.this.tree.find(TenantContext.SINGLE, "a")).isEqualTo(first);
		}

		@Test
		void registerRefusesAnotherParent() {
			AgentTreeTests.this.tree.register("a", "root");
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> AgentTreeTests.this.tree.register("a", "b"))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.CONFLICT))
				.withMessageContainingAll("'a'", "'root'", "'b'");
			assertThat(AgentTreeTests.this.tree.workspaceOf(TenantContext.SINGLE, "a")).isEqualTo("a");
		}

		@Test
		void registerRefusesInvalidIds() {
			assertThatIllegalArgumentException().isThrownBy(() -> AgentTreeTests.this.tree.register("../a", "root"));
			assertThatIllegalArgumentException().isThrownBy(() -> AgentTreeTests.this.tree.register("root", "user"));
			assertThat(AgentTreeTests.this.tree.find(TenantContext.SINGLE, "../a")).isNull();
			assertThat(AgentTreeTests.this.tree.find(TenantContext.SINGLE, "root")).isNull();
		}

		@Test
		void registerIsPerTenant() {
			AgentTreeTests.this.tree.register("a", "root");
			AgentTreeTests.this.tree.register(ACME, "b", "root");
			AgentTreeTests.this.tree.register(ACME, "a", "b");
			assertThat(AgentTreeTests.this.tree.workspaceOf(TenantContext.SINGLE, "a")).isEqualTo("a");
			assertThat(AgentTreeTests.this.tree.workspaceOf(ACME, "a")).isEqualTo("b");
			AgentTreeTests.this.fixture.assertNotAssigned("b", "it is not registered");
		}

	}

	@Nested
	class AnAgentWithoutWorkspace {

		@Test
		void unknownAgentHasNoWorkspace() {
			AgentTreeTests.this.fixture.assertNotAssigned("a", "it is not registered");
			AgentTreeTests.this.fixture.assertNotAssigned("../../etc", "it is not registered");
			AgentTreeTests.this.fixture.assertNotAssigned("x".repeat(300), "it is not registered");
		}

		@Test
		void reservedIdHasNoWorkspace() {
			AgentTreeTests.this.fixture.assertNotAssigned("root", "it is no agent");
			AgentTreeTests.this.fixture.assertNotAssigned("user", "it is no agent");
		}

		@Test
		void descendantOfTheUserHasNoWorkspace() {
			AgentTreeTests.this.tree.register("a", "user");
			AgentTreeTests.this.tree.register("b", "a");
			AgentTreeTests.this.fixture.assertNotAssigned("b", "it descends from user");
		}

		@Test
		void agentHasNoWorkspaceUntilItsAncestorIsRegistered() {
			AgentTreeTests.this.tree.register("c", "b");
			AgentTreeTests.this.tree.register("b", "a");
			AgentTreeTests.this.fixture.assertNotAssigned("c", "its ancestor 'a' is not registered");
			AgentTreeTests.this.tree.register("a", "root");
			assertThat(AgentTreeTests.this.tree.workspaceOf(TenantContext.SINGLE, "c")).isEqualTo("a");
		}

		@Test
		void agentThatDescendsFromItselfHasNoWorkspace() {
			AgentTreeTests.this.tree.register("a", "b");
			AgentTreeTests.this.tree.register("b", "c");
			AgentTreeTests.this.tree.register("c", "a");
			AgentTreeTests.this.tree.register("d", "a");
			AgentTreeTests.this.fixture.assertNotAssigned("a", "form a circle");
			AgentTreeTests.this.fixture.assertNotAssigned("d", "form a circle");
		}

	}

	static LongStream seeds() {
		return LongStream.range(0, 150);
	}

	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void randomTreesAgreeWithTheOracle(long seed) {
		Random random = new Random(seed);
		Map<String, String> parents = new HashMap<>();
		int agents = 1 + random.nextInt(60);
		for (int step = 0; step < 120; step++) {
			String agent = "a" + random.nextInt(agents);
			if (random.nextBoolean() && !parents.containsKey(agent)) {
				String parent = switch (random.nextInt(10)) {
					case 0 -> "root";
					case 1 -> (random.nextInt(4) == 0) ? "user" : "root";
					default -> "a" + random.nextInt(agents);
				};
				if (!parent.equals(agent)) {
					this.tree.register(agent, parent);
					parents.put(agent, parent);
				}
			}
			if (random.nextInt(8) == 0) {
				String removed = "a" + random.nextInt(agents);
				assertThat(this.tree.remove(TenantContext.SINGLE, removed)).isEqualTo(parents.remove(removed) != null);
			}
			String expected = nearest(agent, parents);
			assertThat(this.fixture.found(agent)).as("agent %s after step %d, seed %d", agent, step, seed)
				.isEqualTo(expected);
		}
	}

	private static @Nullable String nearest(String agent, Map<String, String> parents) {
		Set<String> seen = new HashSet<>();
		String current = agent;
		while (current != null && seen.add(current)) {
			if ("root".equals(parents.get(current))) {
				return current;
			}
			current = parents.get(current);
		}
		return null;
	}

}
