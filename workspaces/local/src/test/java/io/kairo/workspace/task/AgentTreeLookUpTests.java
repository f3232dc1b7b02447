package io.kairo.workspace.task;

import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the queries of an {@link AgentTree} to its registry.
 */
class AgentTreeLookUpTests {

	private final AgentTreeFixture fixture = new AgentTreeFixture();

	private final AgentTree tree = this.fixture.tree();

	private final AtomicInteger lookUps = new AtomicInteger();

	private final AgentTree counted = new AgentTree(new AgentRegistry() {

		@Override
		public @Nullable AgentRecord find(String tenantId, String agentId) {
			AgentTreeLookUpTests.this.lookUps.incrementAndGet();
			return AgentTreeLookUpTests.this.fixture.registry().find(tenantId, agentId);
		}

		@Override
		public AgentRecord add(String tenantId, AgentRecord agent) {
			return AgentTreeLookUpTests.this.fixture.registry().add(tenantId, agent);
		}

	}, new Assignments(60), System::nanoTime);

	private void registerChain(String prefix, int length) {
		for (int i = 0; i < length; i++) {
			this.tree.register(prefix + i, (i == 0) ? "root" : prefix + (i - 1));
		}
	}

	@Test
	void registryIsQueriedOncePerAgent() {
		registerChain("a", 50);
		assertThat(this.counted.workspaceOf(TenantContext.SINGLE, "a49")).isEqualTo("a0");
		assertThat(this.lookUps).hasValue(50);
		for (int i = 0; i < 50; i++) {
			assertThat(this.counted.workspaceOf(TenantContext.SINGLE, "a" + i)).isEqualTo("a0");
		}
		assertThat(this.lookUps).hasValue(50);
	}

	@Test
	void lookupStopsAtTheNearestCachedAncestor() {
		registerChain("a", 30);
		this.counted.workspaceOf(TenantContext.SINGLE, "a19");
		this.counted.workspaceOf(TenantContext.SINGLE, "a29");
		assertThat(this.lookUps).hasValue(30);
	}

	@Test
	void agentsWithoutWorkspaceAreNotCached() {
		for (int i = 0; i < 3; i++) {
			assertThatIllegalArgumentException()
				.isThrownBy(() -> this.counted.workspaceOf(TenantContext.SINGLE, "late"));
		}
		assertThat(this.lookUps).hasValue(3);
		this.tree.register("late", "root"); // as by another process
		assertThat(this.counted.workspaceOf(TenantContext.SINGLE, "late")).isEqualTo("late");
	}

	@Test
	void recordOfAnotherAgentIsNotTrusted() {
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
