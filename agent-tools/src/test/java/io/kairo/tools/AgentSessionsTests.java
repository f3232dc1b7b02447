package io.kairo.tools;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link AgentSessions}.
 */
class AgentSessionsTests {

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private static final TenantContext GLOBEX = new TenantContext("globex", "ann");

	private final CountingProvider provider = new CountingProvider();

	private final AgentSessions sessions = new AgentSessions(this.provider, (workspace) -> new NoFiles(), (request) -> {
		throw new IllegalStateException("not used");
	});

	@Test
	void callsWithSameSessionIdShareSession() {
		assertThat(session(ACME, "s1")).isSameAs(session(ACME, "s1"));
		assertThat(this.provider.acquired).hasValue(1);
	}

	@Test
	void tenantsNeverShareSession() {
		AgentSession acme = session(ACME, "s1");
		AgentSession globex = session(GLOBEX, "s1");
		assertThat(globex).isNotSameAs(acme);
		assertThat(globex.tenant()).isEqualTo(GLOBEX);
		assertThat(globex.workspace().id()).isNotEqualTo(acme.workspace().id());
	}

	@Test
	void principalsOfSameTenantDoNotShareSession() {
		assertThat(session(new TenantContext("acme", "bob"), "s1")).isNotSameAs(session(ACME, "s1"));
	}

	@Test
	void callWithoutSessionIdOpensSessionThatEndsWithCall() {
		assertThat(session(ACME, null)).isNotSameAs(session(ACME, null));
		assertThat(this.provider.released).hasSize(2);
	}

	@Test
	void evictingSessionReleasesItsWorkspace() {
		String first = session(ACME, "first").workspace().id();
		IntStream.range(0, 10_000).forEach((i) -> session(ACME, "s" + i));
		assertThat(this.provider.released).containsExactly(first);
	}

	@Test
	void workspaceIsReleasedWhenSessionCannotBeCreated() {
		this.provider.root = Path.of("relative");
		assertThatIllegalArgumentException().isThrownBy(() -> session(ACME, "s1"));
		assertThat(this.provider.released).containsExactly("w1");
	}

	@Test
	void closeReleasesEveryWorkspace() {
		session(ACME, "s1");
		session(GLOBEX, "s2");
		this.sessions.close();
		assertThat(this.provider.released).hasSize(2);
	}

	@Test
	void concurrentCallsOpenOneSession() throws Exception {
		Set<AgentSession> opened = ConcurrentHashMap.newKeySet();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 16; i++) {
			threads.add(new Thread(() -> opened.add(session(ACME, "shared"))));
		}
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(opened).hasSize(1);
		assertThat(this.provider.acquired.get() - this.provider.released.size()).isEqualTo(1);
	}

	@Test
	void contextRejectsSessionOfAnotherWorkspaceOrTenant() {
		AgentSession session = session(ACME, "s1");
		assertThatIllegalArgumentException().isThrownBy(() -> ToolContext.builder(null).session(session).build())
			.withMessageContaining("workspace");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> ToolContext.builder(session.workspace()).session(session).tenant(GLOBEX).build())
			.withMessageContaining("tenant");
	}

	@Test
	void callInSessionPassesContextOfSession() {
		AgentSession session = this.sessions.callInSession(ACME, "s1", (context) -> context.session());
		assertThat(session).isSameAs(session(ACME, "s1"));
		assertThat(session.tenant()).isEqualTo(ACME);
	}

	@Test
	void runInSessionPassesContextOfSession() {
		List<AgentSession> seen = new ArrayList<>();
		this.sessions.runInSession(ACME, "s1", (context) -> {
			seen.add(context.session());
			seen.add(context.session());
		});
		assertThat(seen).hasSize(2).containsOnly(session(ACME, "s1"));
	}

	private AgentSession session(TenantContext tenant, String id) {
		return this.sessions.inSession(tenant, id, (context) -> context.build().session());
	}

	private static final class CountingProvider implements WorkspaceProvider {

		private final AtomicInteger acquired = new AtomicInteger();

		private final List<String> released = new CopyOnWriteArrayList<>();

		private Path root = Path.of("").toAbsolutePath();

		@Override
		public Workspace acquire(WorkspaceRequest request) {
			return new NumberedWorkspace("w" + this.acquired.incrementAndGet(), this.root);
		}

		@Override
		public void release(String workspaceId) {
			this.released.add(workspaceId);
		}

	}

	private record NumberedWorkspace(String id, Path root) implements Workspace {

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.LOCAL;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

	}

}
