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
import java.util.random.RandomGenerator;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.LocalWorkspaceFilesFactory;
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RoutingWorkspaceProvider}.
 */
class RoutingWorkspaceProviderTests {

	@TempDir
	Path directory;

	private final InMemoryWorkspaceProvider memory = new InMemoryWorkspaceProvider();

	@Nested
	class Hints {

		@Test
		void withASchemeLeadToItsProvider() {
			RoutingWorkspaceProvider router = router();
			Workspace notes = router.acquire(WorkspaceRequest.writable("memory:notes"));
			assertThat(notes.id()).isEqualTo("memory:notes");
			assertThat(router.acquire(WorkspaceRequest.writable("memory:")).kind()).isEqualTo(WorkspaceKind.EPHEMERAL);
		}

		@ParameterizedTest
		@ValueSource(strings = { "", " ", ".", "./a:b/..", "local:." })
		void withoutASchemeLeadToTheDefault(String hint) {
			assertThat(router().acquire(WorkspaceRequest.writable(hint)).root())
				.isEqualTo(RoutingWorkspaceProviderTests.this.directory);
		}

		@Test
		void withASingleLetterNameADrive() {
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> router().acquire(WorkspaceRequest.writable("C:\\work")))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.FILE_NOT_FOUND));
		}

		@Test
		void withAnUnknownSchemeAreRefusedWithTheKnownOnes() {
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> router().acquire(WorkspaceRequest.writable("svn:trunk")))
				.withMessageContainingAll("svn:trunk", "local, memory")
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.UNKNOWN_PROVIDER));
		}

	}

	@Test
	void workspaceOfOneTenantIsNotGivenToAnother() {
		AtomicInteger count = new AtomicInteger();
		WorkspaceProvider careless = new WorkspaceProvider() {

			@Override
			public Workspace acquire(WorkspaceRequest request) {
				count.incrementAndGet();
				return Workspace.cwd();
			}

			@Override
			public void release(String workspaceId) {
				count.decrementAndGet();
			}

		};
		RoutingWorkspaceProvider router = new RoutingWorkspaceProvider("careless",
				List.of(new WorkspaceProviderRegistration("careless", careless, this.memory)), List.of());
		router.acquire(new WorkspaceRequest(null, new TenantContext("acme", "ann"), true));
		router.acquire(new WorkspaceRequest(null, new TenantContext("acme", "bob"), true));
		assertThatExceptionOfType(WorkspaceException.class)
			.isThrownBy(() -> router.acquire(new WorkspaceRequest(null, new TenantContext("globex", "x"), true)))
			.withMessageContaining("careless");
		String id = router.leases().get(0).workspace().id();
		router.release(id);
		assertThat(count).as("what the others have is not taken from them").hasValue(3);
		router.release(id);
		assertThat(count).as("a provider that counts gets every call back").hasValue(0);
	}

	@Test
	void workspaceIsGivenBackAsOftenAsItWasAcquiredThoughThatFailsOnce() {
		AtomicInteger count = new AtomicInteger();
		WorkspaceProvider counting = new WorkspaceProvider() {

			@Override
			public Workspace acquire(WorkspaceRequest request) {
				count.incrementAndGet();
				return Workspace.cwd();
			}

			@Override
			public void release(String workspaceId) {
				if (count.decrementAndGet() == 1) {
					throw new WorkspaceException(WorkspaceErrorCode.WRITE_FAILED, "Once", null);
				}
			}

		};
		RoutingWorkspaceProvider router = new RoutingWorkspaceProvider("counting",
				List.of(new WorkspaceProviderRegistration("counting", counting, this.memory)), List.of());
		String id = router.acquire(WorkspaceRequest.writable(null)).id();
		router.acquire(WorkspaceRequest.writable(null));
		router.release(id);
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> router.release(id)).withMessage("Once");
		assertThat(count).hasValue(0);
	}

	@Nested
	class Files {

		@Test
		void areThoseOfTheProviderThatMadeTheWorkspace() {
			RoutingWorkspaceProvider router = router();
			Workspace notes = router.acquire(WorkspaceRequest.writable("memory:notes"));
			assertThat(router.files().open(notes).tryWriteFile("a", "x").isOk()).isTrue();
			assertThat(RoutingWorkspaceProviderTests.this.directory.resolve("a")).doesNotExist();
			router.files().open(router.acquire(WorkspaceRequest.writable(null))).tryWriteFile("b", "y");
			assertThat(RoutingWorkspaceProviderTests.this.directory.resolve("b")).hasContent("y");
		}

		@Test
		void areNotOpenedForWhatWasNotAcquiredOrWasReleased() {
			RoutingWorkspaceProvider router = router();
			Workspace released = router.acquire(WorkspaceRequest.writable(null));
			router.release(released.id());
			for (Workspace workspace : List.of(Workspace.cwd(), released)) {
				assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> router.files().open(workspace))
					.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED));
			}
		}

	}

	@Nested
	class Leases {

		@Test
		void keepAWorkspaceUntilTheLastIsReleased() {
			RoutingWorkspaceProvider router = router();
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
		void areToldToListeners() {
			List<String> events = new ArrayList<>();
			RoutingWorkspaceProvider router = router(new WorkspaceListener() {

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

			});
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
		void areNeverOnAWorkspaceThatItsProviderHasTakenBack() throws Exception {
			long seed = RandomGenerator.getDefault().nextLong();
			StrictProvider strict = new StrictProvider();
			RoutingWorkspaceProvider router = router("strict",
					new WorkspaceProviderRegistration("strict", strict, RoutingWorkspaceProviderTests.this.memory));
			Set<String> problems = ConcurrentHashMap.newKeySet();
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				RandomGenerator random = new java.util.Random(seed + i);
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
			assertThat(strict.live).isEmpty();
		}

		@Test
		void onWhatIsBeingTakenBackWaitForAFreshOne() throws Exception {
			CountDownLatch releasing = new CountDownLatch(1);
			CountDownLatch mayRelease = new CountDownLatch(1);
			StrictProvider slow = new StrictProvider() {

				@Override
				public void release(String workspaceId) {
					releasing.countDown();
					await(mayRelease);
					super.release(workspaceId);
				}

			};
			RoutingWorkspaceProvider router = router("slow",
					new WorkspaceProviderRegistration("slow", slow, RoutingWorkspaceProviderTests.this.memory));
			Workspace first = router.acquire(WorkspaceRequest.writable("w"));
			Thread release = new Thread(() -> router.release(first.id()));
			release.start();
			await(releasing);
			List<Workspace> second = new CopyOnWriteArrayList<>();
			Thread acquire = new Thread(() -> second.add(router.acquire(WorkspaceRequest.writable("w"))));
			acquire.start();
			assertThat(router.acquire(WorkspaceRequest.writable("memory:other")).id()).isEqualTo("memory:other");
			mayRelease.countDown();
			release.join();
			acquire.join();
			assertThat(second).singleElement().isNotSameAs(first).matches(slow::isLive);
		}

	}

	@Nested
	class Registrations {

		@Test
		void ofOneSchemeAreAMistake() {
			assertThatExceptionOfType(DuplicateSchemeException.class)
				.isThrownBy(() -> router("local", registration("memory"), registration("memory")))
				.withMessageContaining("memory:")
				.satisfies((ex) -> assertThat(ex.scheme()).isEqualTo("memory"));
		}

		@Test
		void needTheDefaultAmongThem() {
			assertThatIllegalArgumentException().isThrownBy(() -> router("git", registration("mem")))
				.withMessageContainingAll("git", "mem");
		}

		@Test
		void thatMakeTheSameIdsAreFoundOut() {
			RoutingWorkspaceProvider router = router("one", registration("one"), registration("two"));
			router.acquire(WorkspaceRequest.writable("x"));
			assertThatExceptionOfType(WorkspaceException.class)
				.isThrownBy(() -> router.acquire(WorkspaceRequest.writable("two:x")))
				.withMessageContainingAll("'one'", "'two'");
		}

		@Test
		void thatMakeTheSameIdsGetBackWhatNobodyWasGiven() {
			StrictProvider one = new StrictProvider();
			StrictProvider two = new StrictProvider();
			RoutingWorkspaceProvider router = router("one", registration("one", one), registration("two", two));
			Workspace kept = router.acquire(WorkspaceRequest.writable("x"));
			assertThatExceptionOfType(WorkspaceException.class)
				.isThrownBy(() -> router.acquire(WorkspaceRequest.writable("two:x")));
			assertThat(two.live).isEmpty();
			assertThat(one.isLive(kept)).isTrue();
			router.release(kept.id());
			assertThat(one.live).isEmpty();
		}

		@Test
		void thatReturnNoWorkspaceAreNamed() {
			RoutingWorkspaceProvider router = router("none", registration("none", new StrictProvider() {

				@Override
				public Workspace acquire(WorkspaceRequest request) {
					return null;
				}

			}));
			assertThatExceptionOfType(WorkspaceException.class)
				.isThrownBy(() -> router.acquire(WorkspaceRequest.writable("x")))
				.withMessageContaining("'none' returned no workspace");
		}

		private WorkspaceProviderRegistration registration(String scheme) {
			return registration(scheme, new StrictProvider());
		}

		private WorkspaceProviderRegistration registration(String scheme, WorkspaceProvider provider) {
			return new WorkspaceProviderRegistration(scheme, provider, RoutingWorkspaceProviderTests.this.memory);
		}

	}

	private RoutingWorkspaceProvider router(WorkspaceListener... listeners) {
		return new RoutingWorkspaceProvider("local",
				List.of(new WorkspaceProviderRegistration("local", new LocalDirectoryWorkspaceProvider(this.directory),
						new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS)),
						new WorkspaceProviderRegistration("memory", this.memory, this.memory)),
				List.of(listeners));
	}

	private RoutingWorkspaceProvider router(String defaultScheme, WorkspaceProviderRegistration... registrations) {
		List<WorkspaceProviderRegistration> all = new ArrayList<>(List.of(registrations));
		if (all.stream().noneMatch((registration) -> registration.scheme().equals("memory"))) {
			all.add(new WorkspaceProviderRegistration("memory", this.memory, this.memory));
		}
		return new RoutingWorkspaceProvider(defaultScheme, all, List.of());
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Memoises, does not count, and has the workspace destroyed at the first release.
	 */
	private static class StrictProvider implements WorkspaceProvider {

		private final AtomicInteger numbers = new AtomicInteger();

		private final Map<String, Workspace> live = new ConcurrentHashMap<>();

		@Override
		public Workspace acquire(WorkspaceRequest request) {
			String hint = String.valueOf(request.hint());
			String name = hint.substring(hint.indexOf(':') + 1);
			return this.live.computeIfAbsent("made:" + name, (id) -> new Numbered(id, this.numbers.incrementAndGet()));
		}

		@Override
		public void release(String workspaceId) {
			this.live.remove(workspaceId);
		}

		boolean isLive(Workspace workspace) {
			return this.live.get(workspace.id()) == workspace;
		}

	}

	private record Numbered(String id, int number) implements Workspace {

		@Override
		public Path root() {
			return Path.of("").toAbsolutePath();
		}

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
