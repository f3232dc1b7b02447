package io.kairo.workspace.routing;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for closing a {@link RoutingWorkspaceProvider}.
 */
@Timeout(60)
class ClosingTests {

	private final LeaseFixture fixture = new LeaseFixture();

	@Test
	void closeReleasesAllWorkspacesAndPreventsNewLeases() {
		RoutingWorkspaceProvider router = this.fixture.router(LeaseBounds.UNBOUNDED);
		Workspace workspace = router.acquire(WorkspaceRequest.writable("memory:a"));
		router.keeping().acquire(WorkspaceRequest.writable("memory:b"));
		router.close();
		assertThat(this.fixture.events()).hasSize(4).contains("released memory:a 0", "released memory:b 0");
		assertThat(router.leases()).isEmpty();
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> this.fixture.memory().open(workspace));
		assertThatIllegalStateException().isThrownBy(() -> router.acquire(WorkspaceRequest.writable("memory:a")));
		router.release(workspace.id());
		router.close();
	}

	@Test
	void closeWaitsUntilTimeout() {
		RoutingWorkspaceProvider router = this.fixture
			.router(new LeaseBounds(null, (tenant) -> 100, Duration.ofSeconds(Long.MAX_VALUE)));
		router.acquire(WorkspaceRequest.writable("memory:a"));
		router.close();
		assertThat(this.fixture.events()).contains("released memory:a 0");
	}

	@Test
	void closeCompletesIfProviderThrowsError() {
		RoutingWorkspaceProvider router = this.fixture
			.router(new LeaseBounds(null, (tenant) -> 100, Duration.ofHours(1)), new WorkspaceProvider() {

				@Override
				public Workspace acquire(WorkspaceRequest request) {
					return new LeaseFixture.NamedWorkspace(String.valueOf(request.hint()));
				}

				@Override
				public void release(String workspaceId) {
					throw new NoClassDefFoundError("Gone");
				}

			});
		router.acquire(WorkspaceRequest.writable("fresh:a"));
		router.close();
		assertThat(this.fixture.events()).contains("released fresh:a 0");
	}

	@Test
	void closeReturnsAfterTimeoutOfSlowProvider() {
		CountDownLatch never = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(2);
		RoutingWorkspaceProvider router = this.fixture
			.router(new LeaseBounds(null, (tenant) -> 100, Duration.ofMillis(200)), new WorkspaceProvider() {

				@Override
				public Workspace acquire(WorkspaceRequest request) {
					return new LeaseFixture.NamedWorkspace(String.valueOf(request.hint()));
				}

				@Override
				public void release(String workspaceId) {
					if (workspaceId.equals("fresh:stuck")) {
						LeaseFixture.await(never);
					}
					if (workspaceId.equals("fresh:broken")) {
						throw new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED, "Broken", null);
					}
					released.countDown();
				}

			});
		for (String hint : List.of("fresh:stuck", "fresh:broken", "fresh:c", "fresh:d")) {
			router.acquire(WorkspaceRequest.writable(hint));
		}
		router.close();
		LeaseFixture.await(released);
		never.countDown();
	}

	@Test
	void closeReleasesWorkspaceThatIsBeingAcquired() throws Exception {
		CountDownLatch making = new CountDownLatch(1);
		CountDownLatch closed = new CountDownLatch(1);
		Set<String> live = ConcurrentHashMap.newKeySet();
		RoutingWorkspaceProvider router = this.fixture.router(LeaseBounds.UNBOUNDED, new WorkspaceProvider() {

			@Override
			public Workspace acquire(WorkspaceRequest request) {
				live.add("fresh:late");
				making.countDown();
				LeaseFixture.await(closed);
				return new LeaseFixture.NamedWorkspace("fresh:late");
			}

			@Override
			public void release(String workspaceId) {
				live.remove(workspaceId);
			}

		});
		List<Throwable> failures = new CopyOnWriteArrayList<>();
		Thread thread = new Thread(() -> {
			try {
				router.acquire(WorkspaceRequest.writable("fresh:late"));
			}
			catch (IllegalStateException ex) {
				failures.add(ex);
			}
		});
		thread.start();
		LeaseFixture.await(making);
		router.close();
		closed.countDown();
		thread.join();
		assertThat(failures).hasSize(1);
		assertThat(live).isEmpty();
	}

}
