package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.benchmarks.Comparison.Sides;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.routing.LeaseBounds;
import io.kairo.workspace.routing.RoutingWorkspaceProvider;

/**
 * Acquiring and releasing workspaces from many threads, with the bounds of an
 * application, beside a map that only checks that the directory exists and counts its
 * leases.
 */
final class LeaseBenchmarks implements AutoCloseable {

	private static final int THREADS = 16;

	private static final int CALLS = 100;

	private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

	private final ConcurrentMap<String, Integer> map = new ConcurrentHashMap<>();

	private final RoutingWorkspaceProvider router;

	private final Path directory;

	LeaseBenchmarks(Scratch scratch) throws IOException {
		this.directory = scratch.directory("leases");
		for (int i = 0; i < THREADS; i++) {
			Files.createDirectories(this.directory.resolve("d" + i));
		}
		this.router = router(this.directory);
	}

	static RoutingWorkspaceProvider router(Path directory) {
		return new RoutingWorkspaceProvider("local",
				List.of(new WorkspaceProviderRegistration("local", new LocalDirectoryWorkspaceProvider(directory),
						new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS))),
				List.of(), new LeaseBounds(Duration.ofHours(1), (tenant) -> 1000, Duration.ofSeconds(1)));
	}

	static List<Comparison> comparisons() {
		return List.of(
				comparison("acquire and release a workspace each, 16 threads", "toRealPath, ConcurrentHashMap", 2,
						(leases) -> leases.together((i) -> leases.lease("d" + i)),
						(leases) -> leases.together((i) -> leases.put("d" + i, String.valueOf(i)))),
				comparison("acquire and release one workspace, 16 threads", "toRealPath, ConcurrentHashMap", 2,
						(leases) -> leases.together((i) -> leases.lease("d0")),
						(leases) -> leases.together((i) -> leases.put("d0", "0"))),
				comparison("the same, a workspace each, 16 threads", "one thread", 1.2,
						(leases) -> leases.together((i) -> leases.lease("d" + i)), (leases) -> () -> leases.alone()));
	}

	private static Comparison comparison(String name, String anchorName, double target,
			Function<LeaseBenchmarks, Callable<Integer>> work, Function<LeaseBenchmarks, Callable<Integer>> anchor) {
		return new Comparison(name, anchorName, target, (scratch) -> {
			LeaseBenchmarks leases = scratch.closing(new LeaseBenchmarks(scratch));
			return new Sides(Work.of(work.apply(leases)), Work.of(anchor.apply(leases)));
		});
	}

	private int alone() {
		int done = 0;
		for (int i = 0; i < THREADS; i++) {
			done += lease("d" + i);
		}
		return done;
	}

	private Callable<Integer> together(Task task) {
		List<Callable<Integer>> tasks = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			int thread = i;
			tasks.add(() -> task.run(thread));
		}
		return () -> {
			int done = 0;
			for (Future<Integer> result : this.threads.invokeAll(tasks)) {
				done += result.get();
			}
			return done;
		};
	}

	private int lease(String hint) {
		for (int i = 0; i < CALLS; i++) {
			this.router.release(this.router.acquire(new WorkspaceRequest(hint, TenantContext.SINGLE, true)).id());
		}
		return CALLS;
	}

	private int put(String name, String key) throws IOException {
		for (int i = 0; i < CALLS; i++) {
			Path real = this.directory.resolve(name).toRealPath();
			if (!Files.isDirectory(real) || !Files.isReadable(real)) {
				throw new IOException(name);
			}
			this.map.merge(key, 1, Integer::sum);
			this.map.computeIfPresent(key, (known, holders) -> (holders > 1) ? holders - 1 : null);
		}
		return CALLS;
	}

	@Override
	public void close() {
		this.threads.shutdownNow();
		this.router.close();
	}

	/**
	 * The calls of one of the threads.
	 */
	@FunctionalInterface
	private interface Task {

		int run(int thread) throws Exception;

	}

}
