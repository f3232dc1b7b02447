package io.kairo.workspace.task;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
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
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests for {@link AgentTree}.
 */
class AgentTreeTests {

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private final InMemoryAgentRegistry registry = new InMemoryAgentRegistry();

	private final AgentTree tree = new AgentTree(this.registry);

	private void assertNotAssigned(String agent, String reason) {
		assertTimeoutPreemptively(Duration.ofSeconds(30),
				() -> assertThatExceptionOfType(WorkspacePathException.class)
					.isThrownBy(() -> this.tree.workspaceOf(TenantContext.SINGLE, agent))
					.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED))
					.withMessageContaining(reason));
	}

	@Test
	void needsARegistry() {
		assertThatNullPointerException().isThrownBy(() -> new AgentTree(null));
	}

	@Nested
	class Registering {

		@Test
		void isIdempotent() {
			AgentRecord first = AgentTreeTests.this.tree.register("a", "root");
			assertThat(AgentTreeTests.this.tree.register("a", "root")).isEqualTo(first);
			assertThat(AgentTreeTests.this.tree.find(TenantContext.SINGLE, "a")).isEqualTo(first);
		}

		@Test
		void doesNotMoveAnAgent() {
			AgentTreeTests.this.tree.register("a", "root");
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> AgentTreeTests.this.tree.register("a", "b"))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.CONFLICT))
				.withMessageContainingAll("'a'", "'root'", "'b'");
			assertThat(AgentTreeTests.this.tree.workspaceOf(TenantContext.SINGLE, "a")).isEqualTo("a");
		}

		@Test
		void refusesWhatIsNoId() {
			assertThatIllegalArgumentException().isThrownBy(() -> AgentTreeTests.this.tree.register("../a", "root"));
			assertThatIllegalArgumentException().isThrownBy(() -> AgentTreeTests.this.tree.register("root", "user"));
			assertThat(AgentTreeTests.this.tree.find(TenantContext.SINGLE, "../a")).isNull();
			assertThat(AgentTreeTests.this.tree.find(TenantContext.SINGLE, "root")).isNull();
		}

		@Test
		void isPerTenant() {
			AgentTreeTests.this.tree.register("a", "root");
			AgentTreeTests.this.tree.register(ACME, "b", "root");
			AgentTreeTests.this.tree.register(ACME, "a", "b");
			assertThat(AgentTreeTests.this.tree.workspaceOf(TenantContext.SINGLE, "a")).isEqualTo("a");
			assertThat(AgentTreeTests.this.tree.workspaceOf(ACME, "a")).isEqualTo("b");
			assertNotAssigned("b", "it is not registered");
		}

	}

	@Nested
	class AnAgentWithoutWorkspace {

		@Test
		void isUnknown() {
			assertNotAssigned("a", "it is not registered");
			assertNotAssigned("../../etc", "it is not registered");
			assertNotAssigned("x".repeat(300), "it is not registered");
		}

		@Test
		void isNoAgent() {
			assertNotAssigned("root", "it is no agent");
			assertNotAssigned("user", "it is no agent");
		}

		@Test
		void descendsFromTheUser() {
			AgentTreeTests.this.tree.register("a", "user");
			AgentTreeTests.this.tree.register("b", "a");
			assertNotAssigned("b", "it descends from user");
		}

		@Test
		void hasAnUnknownAncestorUntilThatIsRegistered() {
			AgentTreeTests.this.tree.register("c", "b");
			AgentTreeTests.this.tree.register("b", "a");
			assertNotAssigned("c", "its ancestor 'a' is not registered");
			AgentTreeTests.this.tree.register("a", "root");
			assertThat(AgentTreeTests.this.tree.workspaceOf(TenantContext.SINGLE, "c")).isEqualTo("a");
		}

		@Test
		void descendsFromItself() {
			AgentTreeTests.this.tree.register("a", "b");
			AgentTreeTests.this.tree.register("b", "c");
			AgentTreeTests.this.tree.register("c", "a");
			AgentTreeTests.this.tree.register("d", "a");
			assertNotAssigned("a", "form a circle");
			assertNotAssigned("d", "form a circle");
		}

	}

	@Nested
	class Looking {

		private final AtomicInteger lookUps = new AtomicInteger();

		private final AgentTree counted = new AgentTree(new AgentRegistry() {

			@Override
			public @Nullable AgentRecord find(String tenantId, String agentId) {
				Looking.this.lookUps.incrementAndGet();
				return AgentTreeTests.this.registry.find(tenantId, agentId);
			}

			@Override
			public AgentRecord add(String tenantId, AgentRecord agent) {
				return AgentTreeTests.this.registry.add(tenantId, agent);
			}

		}, new Assignments(60), System::nanoTime);

		private void registerChain(String prefix, int length) {
			for (int i = 0; i < length; i++) {
				AgentTreeTests.this.tree.register(prefix + i, (i == 0) ? "root" : prefix + (i - 1));
			}
		}

		@Test
		void goesToTheRegistryOnceForEachAgent() {
			registerChain("a", 50);
			assertThat(this.counted.workspaceOf(TenantContext.SINGLE, "a49")).isEqualTo("a0");
			assertThat(this.lookUps).hasValue(50);
			for (int i = 0; i < 50; i++) {
				assertThat(this.counted.workspaceOf(TenantContext.SINGLE, "a" + i)).isEqualTo("a0");
			}
			assertThat(this.lookUps).hasValue(50);
		}

		@Test
		void startsAtTheNearestAncestorThatIsKnown() {
			registerChain("a", 30);
			this.counted.workspaceOf(TenantContext.SINGLE, "a19");
			this.counted.workspaceOf(TenantContext.SINGLE, "a29");
			assertThat(this.lookUps).hasValue(30);
		}

		@Test
		void keepsNoAgentWithoutWorkspace() {
			for (int i = 0; i < 3; i++) {
				assertThatIllegalArgumentException()
					.isThrownBy(() -> this.counted.workspaceOf(TenantContext.SINGLE, "late"));
			}
			assertThat(this.lookUps).hasValue(3);
			AgentTreeTests.this.tree.register("late", "root"); // as by another process
			assertThat(this.counted.workspaceOf(TenantContext.SINGLE, "late")).isEqualTo("late");
		}

		@Test
		void doesNotTrustARegistryThatFindsAnotherAgent() {
			AgentTree confused = new AgentTree(new AgentRegistry() {

				@Override
				public AgentRecord find(String tenantId, String agentId) {
					return new AgentRecord("other", "root");
				}

				@Override
				public AgentRecord add(String tenantId, AgentRecord agent) {
					return agent;
				}

			});
			assertThatIllegalArgumentException().isThrownBy(() -> confused.workspaceOf(TenantContext.SINGLE, "Other"));
			assertThat(confused.find(TenantContext.SINGLE, "Other")).isNull();
		}

	}

	@Nested
	class Memory {

		@Test
		void isBounded() {
			Assignments assignments = new Assignments(100);
			for (int i = 0; i < 1000; i++) {
				assignments.search().add("t", "agent" + i, "w");
				assertThat(assignments.size()).isLessThanOrEqualTo(200);
				assertThat(assignments.find("t", "agent" + i)).isEqualTo("w");
			}
			assertThat(assignments.find("t", "agent0")).isNull();
		}

		@Test
		void keepsWhatIsUsed() {
			Assignments assignments = new Assignments(100);
			assignments.search().add("t", "used", "w");
			for (int i = 0; i < 1000; i++) {
				assignments.search().add("t", "agent" + i, "w");
				assertThat(assignments.find("t", "used")).isEqualTo("w");
			}
			assertThat(assignments.find("other", "used")).isNull();
		}

	}

	@Nested
	class Removal {

		private final AtomicLong time = new AtomicLong();

		private final AgentTree elsewhere = new AgentTree(AgentTreeTests.this.registry, new Assignments(60),
				this.time::get);

		@Test
		void makesTheIdFreeForAnotherParent() {
			AgentTreeTests.this.tree.register("a", "root");
			AgentTreeTests.this.tree.register("b", "root");
			AgentTreeTests.this.tree.register("c", "a");
			assertThat(found("c")).isEqualTo("a");
			assertThat(AgentTreeTests.this.tree.remove(TenantContext.SINGLE, "c")).isTrue();
			assertNotAssigned("c", "not registered");
			AgentTreeTests.this.tree.register("c", "b");
			assertThat(found("c")).isEqualTo("b");
		}

		@Test
		void leavesDescendantsWithoutAWorkspaceUntilItIsThereAgain() {
			AgentTreeTests.this.tree.register("a", "root");
			AgentTreeTests.this.tree.register("b", "a");
			AgentTreeTests.this.tree.register("c", "b");
			assertThat(found("c")).isEqualTo("a");
			AgentTreeTests.this.tree.remove(TenantContext.SINGLE, "b");
			assertNotAssigned("c", "its ancestor 'b' is not registered");
			assertThat(found("a")).isEqualTo("a");
			AgentTreeTests.this.tree.register("b", "root");
			assertThat(found("c")).isEqualTo("b");
		}

		@Test
		void ofWhatIsNotThereChangesNothing() {
			AgentTreeTests.this.tree.register("a", "root");
			for (String agent : List.of("b", "A", "root", "user", "", "../a")) {
				assertThat(AgentTreeTests.this.tree.remove(TenantContext.SINGLE, agent)).as(agent).isFalse();
			}
			assertThat(AgentTreeTests.this.tree.remove(new TenantContext("acme", "ann"), "a")).isFalse();
			assertThat(found("a")).isEqualTo("a");
		}

		@Test
		void byAnotherTreeIsSeenWithinASecond() {
			AgentTreeTests.this.tree.register("a", "root");
			assertThat(this.elsewhere.workspaceOf(TenantContext.SINGLE, "a")).isEqualTo("a");
			AgentTreeTests.this.tree.remove(TenantContext.SINGLE, "a");
			this.time.addAndGet(Duration.ofSeconds(1).toNanos());
			assertThatIllegalArgumentException()
				.isThrownBy(() -> this.elsewhere.workspaceOf(TenantContext.SINGLE, "a"));
		}

		@Test
		void duringALookUpIsNotForgotten() {
			AgentTreeTests.this.tree.register("a", "root");
			AtomicReference<AgentTree> raced = new AtomicReference<>();
			raced.set(new AgentTree(new AgentRegistry() {

				@Override
				public @Nullable AgentRecord find(String tenantId, String agentId) {
					AgentRecord found = AgentTreeTests.this.registry.find(tenantId, agentId);
					AgentTree tree = raced.getAndSet(null);
					if (tree != null) {
						tree.remove(TenantContext.SINGLE, agentId);
					}
					return found;
				}

				@Override
				public AgentRecord add(String tenantId, AgentRecord agent) {
					return AgentTreeTests.this.registry.add(tenantId, agent);
				}

				@Override
				public boolean remove(String tenantId, String agentId) {
					return AgentTreeTests.this.registry.remove(tenantId, agentId);
				}

			}));
			AgentTree tree = raced.get();
			assertThat(tree.workspaceOf(TenantContext.SINGLE, "a")).isEqualTo("a");
			assertThatIllegalArgumentException().isThrownBy(() -> tree.workspaceOf(TenantContext.SINGLE, "a"));
		}

		@Test
		void isRefusedByARegistryThatKeepsAgentsForEver() {
			AgentTree forEver = new AgentTree(new AgentRegistry() {

				@Override
				public AgentRecord find(String tenantId, String agentId) {
					return new AgentRecord(agentId, "root");
				}

				@Override
				public AgentRecord add(String tenantId, AgentRecord agent) {
					return agent;
				}

			});
			assertThatExceptionOfType(UnsupportedOperationException.class)
				.isThrownBy(() -> forEver.remove(TenantContext.SINGLE, "a"))
				.withMessageContaining("override remove");
			assertThat(forEver.workspaceOf(TenantContext.SINGLE, "a")).isEqualTo("a");
		}

	}

	static LongStream seeds() {
		return LongStream.range(0, 150);
	}

	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void agreesWithAnOracleOnAnyTree(long seed) {
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
			assertThat(found(agent)).as("agent %s after step %d, seed %d", agent, step, seed).isEqualTo(expected);
		}
	}

	private @Nullable String found(String agent) {
		try {
			return this.tree.workspaceOf(TenantContext.SINGLE, agent);
		}
		catch (WorkspacePathException ex) {
			return null;
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
