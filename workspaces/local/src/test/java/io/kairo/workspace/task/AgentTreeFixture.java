package io.kairo.workspace.task;

import java.time.Duration;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePathException;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * An {@link AgentTree} with the agents of the single tenant.
 */
final class AgentTreeFixture {

	private final InMemoryAgentRegistry registry = new InMemoryAgentRegistry();

	private final AgentTree tree = new AgentTree(this.registry);

	InMemoryAgentRegistry registry() {
		return this.registry;
	}

	AgentTree tree() {
		return this.tree;
	}

	@Nullable String found(String agent) {
		try {
			return this.tree.workspaceOf(TenantContext.SINGLE, agent);
		}
		catch (WorkspacePathException ex) {
			return null;
		}
	}

	void assertNotAssigned(String agent, String reason) {
		assertTimeoutPreemptively(Duration.ofSeconds(30),
				() -> assertThatExceptionOfType(WorkspacePathException.class)
					.isThrownBy(() -> this.tree.workspaceOf(TenantContext.SINGLE, agent))
					.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED))
					.withMessageContaining(reason));
	}

}
