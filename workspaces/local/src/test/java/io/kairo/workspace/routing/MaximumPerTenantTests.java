package io.kairo.workspace.routing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for how many workspaces a {@link RoutingWorkspaceProvider} lets a tenant have
 * open.
 */
@Timeout(60)
class MaximumPerTenantTests {

	private final LeaseFixture fixture = new LeaseFixture();

	private final AtomicInteger made = new AtomicInteger();

	private final AtomicInteger asked = new AtomicInteger();

	private final RoutingWorkspaceProvider router = this.fixture.router(
			new LeaseBounds(null, (tenant) -> tenant.equals("acme") ? 2 : 1, Duration.ofHours(1)), new FreshProvider());

	@Test
	void maximumCountsWorkspacesInsteadOfHolders() {
		acquire("acme", "memory:a");
		acquire("acme", "memory:b");
		acquire("acme", "memory:a");
		assertThatExceptionOfType(TooManyWorkspacesException.class).isThrownBy(() -> acquire("acme", "memory:c"))
			.satisfies((ex) -> {
				assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.TOO_MANY_WORKSPACES);
				assertThat(ex.maximum()).isEqualTo(2);
				assertThat(ex.retryAfter()).isPositive();
			})
			.withMessageContaining("2 workspaces");
		acquire("globex", "memory:c");
		assertThat(this.router.open()).isEqualTo(Map.of("acme", 2, "globex", 1));
		this.router.release("memory:b#acme");
		acquire("acme", "memory:c");
		assertThat(this.fixture.events()).contains("refused memory:c");
	}

	@Test
	void providerIsNotCalledBeyondMaximum() {
		acquire("globex", "fresh:a");
		assertThatExceptionOfType(TooManyWorkspacesException.class).isThrownBy(() -> acquire("globex", "fresh:b"));
		assertThat(this.asked).hasValue(1);
	}

	@Test
	void workspaceThatExceedsMaximumIsReleased() {
		acquire("globex", "fresh:a");
		assertThatExceptionOfType(TooManyWorkspacesException.class).isThrownBy(() -> acquire("globex", "fresh:a"));
		assertThat(this.made).hasValue(1);
		assertThat(this.router.open()).isEqualTo(Map.of("globex", 1));
	}

	@Test
	void failureToDetermineMaximumReleasesWorkspace() {
		AtomicInteger told = new AtomicInteger();
		RoutingWorkspaceProvider failing = this.fixture.router(new LeaseBounds(null, (tenant) -> {
			if (told.incrementAndGet() > 1) {
				throw new IllegalStateException("the tenants' database is gone");
			}
			return 5;
		}, Duration.ofHours(1)), new FreshProvider());
		failing.acquire(WorkspaceRequest.writable("fresh:a"));
		assertThatIllegalStateException().isThrownBy(() -> failing.acquire(WorkspaceRequest.writable("fresh:b")))
			.withMessageContaining("database is gone");
		assertThat(this.made).hasValue(1);
		assertThat(failing.leases()).hasSize(1);
	}

	@Test
	void maximumHoldsForConcurrentCallers() throws Exception {
		AtomicInteger granted = new AtomicInteger();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 16; i++) {
			threads.add(new Thread(() -> {
				try {
					acquire("acme", "fresh:x");
					granted.incrementAndGet();
				}
				catch (TooManyWorkspacesException ex) {
					// as it should be
				}
			}));
		}
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(granted).hasValue(2);
		assertThat(this.made).hasValue(2);
	}

	private Workspace acquire(String tenant, String hint) {
		return this.router.acquire(new WorkspaceRequest(hint, new TenantContext(tenant, "ann"), true));
	}

	/**
	 * Makes another workspace for every acquire, and counts those that are there.
	 */
	private final class FreshProvider implements WorkspaceProvider {

		private final Set<String> live = ConcurrentHashMap.newKeySet();

		@Override
		public Workspace acquire(WorkspaceRequest request) {
			Workspace workspace = new LeaseFixture.NamedWorkspace(
					"fresh:" + MaximumPerTenantTests.this.asked.incrementAndGet());
			this.live.add(workspace.id());
			MaximumPerTenantTests.this.made.incrementAndGet();
			return workspace;
		}

		@Override
		public void release(String workspaceId) {
			assertThat(this.live.remove(workspaceId)).isTrue();
			MaximumPerTenantTests.this.made.decrementAndGet();
		}

	}

}
