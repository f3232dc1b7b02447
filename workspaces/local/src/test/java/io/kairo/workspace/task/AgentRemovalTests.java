package io.kairo.workspace.task;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for the removal of agents from an {@link AgentTree}.
 */
class AgentRemovalTests {

	private final AgentTreeFixture fixture = new AgentTreeFixture();

	private final AgentTree tree = this.fixture.tree();

	private final AtomicLong time = new AtomicLong();

	private final AgentTree elsewhere = new AgentTree(this.fixture.registry(), new Assignments(60), this.time::get);

	@Test
	void removalFreesTheIdForAnotherParent() {
		this.tree.register("a", "root");
		this.tree.register("b", "root");
		this.tree.register("c", "a");
		assertThat(this.fixture.found("c")).isEqualTo("a");
		assertThat(this.tree.remove(TenantContext.SINGLE, "c")).isTrue();
		this.fixture.assertNotAssigned("c", "not registered");
		this.tree.register("c", "b");
		assertThat(this.fixture.found("c")).isEqualTo("b");
	}

	@Test
	void removalLeavesDescendantsWithoutWorkspaceUntilRegisteredAgain() {
		this.tree.register("a", "root");
		this.tree.register("b", "a");
		this.tree.register("c", "b");
		assertThat(this.fixture.found("c")).isEqualTo("a");
		this.tree.remove(TenantContext.SINGLE, "b");
		this.fixture.assertNotAssigned("c", "its ancestor 'b' is not registered");
		assertThat(this.fixture.found("a")).isEqualTo("a");
		this.tree.register("b", "root");
		assertThat(this.fixture.found("c")).isEqualTo("b");
	}

	@Test
	void removalOfUnknownAgentChangesNothing() {
		this.tree.register("a", "root");
		for (String agent : List.of("b", "A", "root", "user", "", "../a")) {
			assertThat(this.tree.remove(TenantContext.SINGLE, agent)).as(agent).isFalse();
		}
		assertThat(this.tree.remove(new TenantContext("acme", "ann"), "a")).isFalse();
		assertThat(this.fixture.found("a")).isEqualTo("a");
	}

	@Test
	void removalByAnotherTreeIsSeenWithinASecond() {
		this.tree.register("a", "root");
		assertThat(this.elsewhere.workspaceOf(TenantContext.SINGLE, "a")).isEqualTo("a");
		this.tree.remove(TenantContext.SINGLE, "a");
		this.time.addAndGet(Duration.ofSeconds(1).toNanos());
		assertThatIllegalArgumentException().isThrownBy(() -> this.elsewhere.workspaceOf(TenantContext.SINGLE, "a"));
	}

	@Test
	void removalDuringALookupIsNotMissed() {
		this.tree.register("a", "root");
		AtomicReference<AgentTree> raced = new AtomicReference<>();
		raced.set(new AgentTree(new AgentRegistry() {

			@Override
			public @Nullable AgentRecord find(String tenantId, String agentId) {
				AgentRecord found = AgentRemovalTests.this.fixture.registry().find(tenantId, agentId);
				AgentTree tree = raced.getAndSet(null);
				if (tree != null) {
					tree.remove(TenantContext.SINGLE, agentId);
				}
				return found;
			}

			@Override
			public AgentRecord add(String tenantId, AgentRecord agent) {
				return AgentRemovalTests.this.fixture.registry().add(tenantId, agent);
			}

			@Override
			public boolean remove(String tenantId, String agentId) {
				return AgentRemovalTests.this.fixture.registry().remove(tenantId, agentId);
			}

		}));
		AgentTree tree = raced.get();
		assertThat(tree.workspaceOf(TenantContext.SINGLE, "a")).isEqualTo("a");
		assertThatIllegalArgumentException().isThrownBy(() -> tree.workspaceOf(TenantContext.SINGLE, "a"));
	}

	@Test
	void removalIsRefusedByRegistryWithoutRemoval() {
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
