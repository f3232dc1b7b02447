package io.kairo.workspace.routing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the {@link LeaseBounds} of a {@link RoutingWorkspaceProvider}.
 */
@Timeout(60)
class LeaseBoundsTests {

	private static final Duration HOUR = Duration.ofHours(1);

	private final AtomicLong time = new AtomicLong();

	private final InMemoryWorkspaceProvider memory = new InMemoryWorkspaceProvider();

	private final List<String> events = new ArrayList<>();

	@Nested
	class IdleTimeout {

		private final RoutingWorkspaceProvider router = router(new LeaseBounds(HOUR, (tenant) -> 100, HOUR));

		@Test
		void takesBackWhatNobodyHasUsed() {
			Workspace workspace = this.router.acquire(WorkspaceRequest.writable("memory:a"));
			this.router.acquire(WorkspaceRequest.writable("memory:a"));
			pass(Duration.ofMinutes(59));
			assertThat(this.router.releaseIdle()).isEmpty();
			pass(Duration.ofMinutes(1));
			assertThat(this.router.releaseIdle()).singleElement().satisfies((lease) -> {
				assertThat(lease.workspace()).isEqualTo(workspace);
				assertThat(lease.holders()).isEqualTo(2);
			});
			assertThat(this.router.leases()).isEmpty();
			assertThat(LeaseBoundsTests.this.events).containsExactly("acquired memory:a", "acquired memory:a",
					"released memory:a 1", "released memory:a 0");
			assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> this.router.files().open(workspace));
			assertThatExceptionOfType(WorkspaceException.class)
				.isThrownBy(() -> LeaseBoundsTests.this.memory.open(workspace));
			this.router.release(workspace.id());
			assertThat(LeaseBoundsTests.this.events).hasSize(4);
		}

		@Test
		void beginsAnewWithEveryUse() {
			Workspace workspace = this.router.acquire(WorkspaceRequest.writable("memory:a"));
			pass(Duration.ofMinutes(59));
			WorkspaceFiles files = this.router.files().open(workspace);
			pass(Duration.ofMinutes(59));
			assertThat(files.tryWriteFile("a", "x").isOk()).isTrue();
			pass(Duration.ofMinutes(59));
			assertThat(this.router.releaseIdle()).isEmpty();
			assertThat(files.tryReadFile("a").isOk()).isTrue();
			pass(Duration.ofMinutes(59));
			assertThat(this.router.releaseIdle()).isEmpty();
			this.router.acquire(WorkspaceRequest.writable("memory:a"));
			pass(Duration.ofMinutes(59));
			assertThat(this.router.releaseIdle()).isEmpty();
			pass(Duration.ofMinutes(1));
			assertThat(this.router.releaseIdle()).hasSize(1);
		}

		@Test
		void neverEndsAWorkspaceDuringAnOperationOnItsFiles() {
			Workspace workspace = this.router.acquire(WorkspaceRequest.writable("memory:a"));
			WorkspaceFiles files = this.router.files().open(workspace);
			files.tryWriteFile("a", "x");
			AtomicInteger released = new AtomicInteger(-1);
			files.walk(files.root(), new WorkspaceVisitor() {

				@Override
				public Next directory(WorkspacePath directory) {
					return Next.CONTINUE;
				}

				@Override
				public Next file(Entry entry) {
					pass(Duration.ofHours(3));
					released.set(IdleTimeout.this.router.releaseIdle().size());
					return Next.CONTINUE;
				}

			});
			assertThat(released).hasValue(0);
			pass(HOUR);
			assertThat(this.router.releaseIdle()).hasSize(1);
			assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> files.fileExists("a"))
				.withMessageContaining("taken back");
		}

		@Test
		void isNoneForHoldersWithABoundOfTheirOwn() {
			Workspace kept = this.router.keeping().acquire(WorkspaceRequest.writable("memory:a"));
			this.router.acquire(WorkspaceRequest.writable("memory:a"));
			pass(Duration.ofHours(9));
			assertThat(this.router.releaseIdle()).isEmpty();
			this.router.keeping().release(kept.id());
			assertThat(this.router.releaseIdle()).hasSize(1);
		}

		@Test
		void releaseOfOneKindTakesNothingFromTheOther() {
			Workspace kept = this.router.keeping().acquire(WorkspaceRequest.writable("memory:a"));
			this.router.release(kept.id());
			assertThat(this.router.leases()).singleElement()
				.satisfies((lease) -> assertThat(lease.holders()).isEqualTo(1));
			this.router.keeping().release(kept.id());
			assertThat(this.router.leases()).isEmpty();
		}

	}

	@Nested
	class MaximumPerTenant {

		private final AtomicInteger made = new AtomicInteger();

		private final AtomicInteger asked = new AtomicInteger();

		private final RoutingWorkspaceProvider router = router(
				new LeaseBounds(null, (tenant) -> tenant.equals("acme") ? 2 : 1, HOUR), new FreshProvider());

		@Test
		void countsWorkspacesAndNotHolders() {
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
			assertThat(LeaseBoundsTests.this.events).contains("refused memory:c");
		}

		@Test
		void makesNothingThatWouldBeOneTooMany() {
			acquire("globex", "fresh:a");
			assertThatExceptionOfType(TooManyWorkspacesException.class).isThrownBy(() -> acquire("globex", "fresh:b"));
			assertThat(this.asked).hasValue(1);
		}

		@Test
		void givesBackWhatTurnsOutToBeOneTooMany() {
			acquire("globex", "fresh:a");
			assertThatExceptionOfType(TooManyWorkspacesException.class).isThrownBy(() -> acquire("globex", "fresh:a"));
			assertThat(this.made).hasValue(1);
			assertThat(this.router.open()).isEqualTo(Map.of("globex", 1));
		}

		@Test
		void holdsForManyAtOnce() throws Exception {
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
				Workspace workspace = new NamedWorkspace("fresh:" + MaximumPerTenant.this.asked.incrementAndGet());
				this.live.add(workspace.id());
				MaximumPerTenant.this.made.incrementAndGet();
				return workspace;
			}

			@Override
			public void release(String workspaceId) {
				assertThat(this.live.remove(workspaceId)).isTrue();
				MaximumPerTenant.this.made.decrementAndGet();
			}

		}

	}

	@Nested
	class Closing {

		@Test
		void givesEverythingBackAndLetsNothingBegin() {
			RoutingWorkspaceProvider router = router(LeaseBounds.UNBOUNDED);
			Workspace workspace = router.acquire(WorkspaceRequest.writable("memory:a"));
			router.keeping().acquire(WorkspaceRequest.writable("memory:b"));
			router.close();
			assertThat(LeaseBoundsTests.this.events).hasSize(4).contains("released memory:a 0", "released memory:b 0");
			assertThat(router.leases()).isEmpty();
			assertThatExceptionOfType(WorkspaceException.class)
				.isThrownBy(() -> LeaseBoundsTests.this.memory.open(workspace));
			assertThatIllegalStateException().isThrownBy(() -> router.acquire(WorkspaceRequest.writable("memory:a")));
			router.release(workspace.id());
			router.close();
		}

		@Test
		void waitsForNoProviderThatTakesTooLong() {
			CountDownLatch never = new CountDownLatch(1);
			AtomicInteger released = new AtomicInteger();
			RoutingWorkspaceProvider router = router(new LeaseBounds(null, (tenant) -> 100, Duration.ofMillis(200)),
					new WorkspaceProvider() {

						@Override
						public Workspace acquire(WorkspaceRequest request) {
							return new NamedWorkspace(String.valueOf(request.hint()));
						}

						@Override
						public void release(String workspaceId) {
							if (workspaceId.equals("fresh:stuck")) {
								await(never);
							}
							if (workspaceId.equals("fresh:broken")) {
								throw new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED, "Broken", null);
							}
							released.incrementAndGet();
						}

					});
			for (String hint : List.of("fresh:stuck", "fresh:broken", "fresh:c", "fresh:d")) {
				router.acquire(WorkspaceRequest.writable(hint));
			}
			router.close();
			assertThat(released).hasValue(2);
			never.countDown();
		}

		@Test
		void givesBackWhatIsBeingMade() throws Exception {
			CountDownLatch making = new CountDownLatch(1);
			CountDownLatch closed = new CountDownLatch(1);
			Set<String> live = ConcurrentHashMap.newKeySet();
			RoutingWorkspaceProvider router = router(LeaseBounds.UNBOUNDED, new WorkspaceProvider() {

				@Override
				public Workspace acquire(WorkspaceRequest request) {
					live.add("fresh:late");
					making.countDown();
					await(closed);
					return new NamedWorkspace("fresh:late");
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
			await(making);
			router.close();
			closed.countDown();
			thread.join();
			assertThat(failures).hasSize(1);
			assertThat(live).isEmpty();
		}

	}

	@Nested
	class Listeners {

		@Test
		void thatFailKeepNobodyFromAWorkspaceNorOthersFromLearningOfIt() {
			RoutingWorkspaceProvider router = new RoutingWorkspaceProvider("memory", registrations(new Failing()),
					List.of(new FailingListener(), new Recording()), LeaseBounds.UNBOUNDED);
			Workspace workspace = router.acquire(WorkspaceRequest.writable("memory:a"));
			assertThat(router.leases()).hasSize(1);
			router.release(workspace.id());
			assertThat(router.leases()).isEmpty();
			assertThatExceptionOfType(WorkspaceException.class)
				.isThrownBy(() -> router.acquire(WorkspaceRequest.writable("fresh:x")))
				.withMessage("No");
			assertThat(LeaseBoundsTests.this.events).containsExactly("acquired memory:a", "released memory:a 0",
					"refused fresh:x");
		}

		@Test
		void learnOfAReleaseThatFailed() {
			RoutingWorkspaceProvider router = router(LeaseBounds.UNBOUNDED, new Failing() {

				@Override
				public Workspace acquire(WorkspaceRequest request) {
					return new NamedWorkspace("fresh:x");
				}

			});
			router.acquire(WorkspaceRequest.writable("fresh:x"));
			assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> router.release("fresh:x"));
			assertThat(LeaseBoundsTests.this.events).containsExactly("acquired fresh:x", "released fresh:x 0");
			assertThat(router.leases()).isEmpty();
		}

		private static class Failing implements WorkspaceProvider {

			@Override
			public Workspace acquire(WorkspaceRequest request) {
				throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED, "No", null);
			}

			@Override
			public void release(String workspaceId) {
				throw new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED, "No", null);
			}

		}

		private static final class FailingListener implements WorkspaceListener {

			@Override
			public void acquired(Workspace workspace, TenantContext tenant, Duration took) {
				throw new IllegalStateException("listener");
			}

			@Override
			public void refused(WorkspaceRequest request, RuntimeException failure, Duration took) {
				throw new IllegalStateException("listener");
			}

			@Override
			public void released(Workspace workspace, TenantContext tenant, int remaining) {
				throw new IllegalStateException("listener");
			}

		}

	}

	private void pass(Duration duration) {
		this.time.addAndGet(duration.toNanos());
	}

	private RoutingWorkspaceProvider router(LeaseBounds bounds) {
		return router(bounds, this.memory);
	}

	private RoutingWorkspaceProvider router(LeaseBounds bounds, WorkspaceProvider fresh) {
		return new RoutingWorkspaceProvider("memory", registrations(fresh), List.of(new Recording()), bounds,
				this.time::get);
	}

	private List<WorkspaceProviderRegistration> registrations(WorkspaceProvider fresh) {
		return List.of(new WorkspaceProviderRegistration("memory", this.memory, this.memory),
				new WorkspaceProviderRegistration("fresh", fresh, this.memory));
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private final class Recording implements WorkspaceListener {

		@Override
		public void acquired(Workspace workspace, TenantContext tenant, Duration took) {
			add("acquired " + workspace.id());
		}

		@Override
		public void refused(WorkspaceRequest request, RuntimeException failure, Duration took) {
			add("refused " + request.hint());
		}

		@Override
		public void released(Workspace workspace, TenantContext tenant, int remaining) {
			add("released " + workspace.id() + " " + remaining);
		}

		private void add(String event) {
			synchronized (LeaseBoundsTests.this.events) {
				LeaseBoundsTests.this.events.add(event);
			}
		}

	}

	private record NamedWorkspace(String id) implements Workspace {

		@Override
		public Path root() {
			return Path.of("/nowhere").toAbsolutePath();
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.EPHEMERAL;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

	}

}
