package io.kairo.workspace.routing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the leases of a {@link RoutingWorkspaceProvider}.
 */
class WorkspaceLeasesTests {

	private final RouterFixture fixture = new RouterFixture();

	@Test
	void workspaceIsKeptUntilLastLeaseIsReleased() {
		RoutingWorkspaceProvider router = this.fixture.router("memory");
		Workspace first = router.acquire(WorkspaceRequest.writable("memory:notes"));
		router.acquire(WorkspaceRequest.writable("memory:notes"));
		router.files().open(first).tryWriteFile("a", "x");
		router.release(first.id());
		assertThat(router.files().open(first).fileExists("a")).isTrue();
		assertThat(router.leases()).singleElement().satisfies((lease) -> assertThat(lease.holders()).isEqualTo(1));
		router.release(first.id());
		assertThat(router.leases()).isEmpty();
		Workspace again = router.acquire(WorkspaceRequest.writable("memory:notes"));
		assertThat(router.files().open(again).fileExists("a")).isFalse();
	}

	@Test
	void listenersAreNotifiedOfLeases() {
		List<String> events = new ArrayList<>();
		WorkspaceListener listener = new WorkspaceListener() {

			@Override
			public void acquired(Workspace workspace, TenantContext tenant, Duration took) {
				events.add("acquired " + workspace.id() + " " + tenant.tenantId());
			}

			@Override
			public void refused(WorkspaceRequest request, RuntimeException failure, Duration took) {
				events.add("refused " + request.hint());
			}

			@Override
			public void released(Workspace workspace, TenantContext tenant, int remaining) {
				events.add("released " + workspace.id() + " " + tenant.tenantId() + " " + remaining);
			}

		};
		RoutingWorkspaceProvider router = this.fixture.router("memory", List.of(listener));
		TenantContext acme = new TenantContext("acme", "ann");
		router.acquire(new WorkspaceRequest("memory:a", acme, true));
		router.acquire(new WorkspaceRequest("memory:a", acme, true));
		router.release("memory:a#acme");
		router.release("memory:a#acme");
		router.release("memory:a#acme");
		assertThatExceptionOfType(WorkspacePathException.class)
			.isThrownBy(() -> router.acquire(WorkspaceRequest.writable("x-y:")));
		assertThat(events).containsExactly("acquired memory:a#acme acme", "acquired memory:a#acme acme",
				"released memory:a#acme acme 1", "released memory:a#acme acme 0", "refused x-y:");
	}

	@Test
	void leaseIsNeverOnReleasedWorkspace() throws Exception {
		long seed = RandomGenerator.getDefault().nextLong();
		StrictProvider strict = new StrictProvider();
		RoutingWorkspaceProvider router = router("strict", strict);
		Set<String> problems = ConcurrentHashMap.newKeySet();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			RandomGenerator random = new Random(seed + i);
			threads.add(new Thread(() -> {
				for (int n = 0; n < 400; n++) {
					Workspace workspace = router.acquire(WorkspaceRequest.writable("w" + random.nextInt(2)));
					if (random.nextBoolean()) {
						Thread.yield();
					}
					if (!strict.isLive(workspace)) {
						problems.add(workspace.id());
					}
					router.release(workspace.id());
				}
			}));
		}
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(problems).as("seed " + seed).isEmpty();
		assertThat(router.leases()).isEmpty();
		assertThat(strict.live()).isEmpty();
	}

	@Test
	void acquireDuringReleaseWaitsForNewWorkspace() throws Exception {
		CountDownLatch releasing = new CountDownLatch(1);
		CountDownLatch mayRelease = new CountDownLatch(1);
		StrictProvider slow = new StrictProvider() {

			@Override
			public void release(String workspaceId) {
				releasing.countDown();
				LeaseFixture.await(mayRelease);
				super.release(workspaceId);
			}

		};
		RoutingWorkspaceProvider router = router("slow", slow);
		Workspace first = router.acquire(WorkspaceRequest.writable("w"));
		Thread release = new Thread(() -> router.release(first.id()));
		release.start();
		LeaseFixture.await(releasing);
		List<Workspace> second = new CopyOnWriteArrayList<>();
		Thread acquire = new Thread(() -> second.add(router.acquire(WorkspaceRequest.writable("w"))));
		acquire.start();
		assertThat(router.acquire(WorkspaceRequest.writable("memory:other")).id()).isEqualTo("memory:other");
		mayRelease.countDown();
		release.join();
		acquire.join();
		assertThat(second).singleElement().isNotSameAs(first).matches(slow::isLive);
	}

	@Test
	void workspaceOfOneTenantIsNotGivenToAnother() {
		CountingProvider careless = new CountingProvider();
		RoutingWorkspaceProvider router = router("careless", careless);
		router.acquire(new WorkspaceRequest(null, new TenantContext("acme", "ann"), true));
		router.acquire(new WorkspaceRequest(null, new TenantContext("acme", "bob"), true));
		assertThatExceptionOfType(WorkspaceException.class)
			.isThrownBy(() -> router.acquire(new WorkspaceRequest(null, new TenantContext("globex", "x"), true)))
			.withMessageContaining("careless");
		String id = router.leases().get(0).workspace().id();
		router.release(id);
		assertThat(careless.count).as("what the others have is not taken from them").hasValue(3);
		router.release(id);
		assertThat(careless.count).as("a provider that counts gets every call back").hasValue(0);
	}

	@Test
	void workspaceIsReleasedAsOftenAsAcquiredDespiteFailure() {
		CountingProvider counting = new CountingProvider() {

			@Override
			public void release(String workspaceId) {
				super.release(workspaceId);
				if (this.count.get() == 1) {
					throw new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED, "Once", null);
				}
			}

		};
		RoutingWorkspaceProvider router = router("counting", counting);
		String id = router.acquire(WorkspaceRequest.writable(null)).id();
		router.acquire(WorkspaceRequest.writable(null));
		router.release(id);
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> router.release(id)).withMessage("Once");
		assertThat(counting.count).hasValue(0);
	}

	private RoutingWorkspaceProvider router(String scheme, WorkspaceProvider provider) {
		return this.fixture.router(scheme, this.fixture.registration(scheme, provider));
	}

	/**
	 * Makes the same workspace for everybody, and counts who has it.
	 */
	private static class CountingProvider implements WorkspaceProvider {

		final AtomicInteger count = new AtomicInteger();

		@Override
		public Workspace acquire(WorkspaceRequest request) {
			this.count.incrementAndGet();
			return Workspace.cwd();
		}

		@Override
		public void release(String workspaceId) {
			this.count.decrementAndGet();
		}

	}

}
