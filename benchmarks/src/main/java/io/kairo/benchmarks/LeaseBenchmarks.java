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

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.routing.LeaseBounds;
import io.kairo.workspace.routing.RoutingWorkspaceProvider;

/**
 * Acquiring and releasing workspaces from many threads, with the bounds of an
 * application, compared with a map that only checks that the directory exists and counts
 * its leases.
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
		this.router = new RoutingWorkspaceProvider("local",
				List.of(new WorkspaceProviderRegistration("local", new LocalDirectoryWorkspaceProvider(this.directory),
						new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS))),
				List.of(), new LeaseBounds(Duration.ofHours(1), (tenant) -> 1000, Duration.ofSeconds(1)));
	}

	List<Comparison> comparisons() {
		return List.of(
				new Comparison("acquire and release a workspace each, 16 threads", "toRealPath, ConcurrentHashMap", 3,
						() -> together((i) -> lease("d" + i)), () -> together((i) -> put("d" + i, String.valueOf(i)))),
				new Comparison("acquire and release one workspace, 16 threads", "toRealPath, ConcurrentHashMap", 3,
						() -> together((i) -> lease("d0")), () -> together((i) -> put("d0", "0"))),
				new Comparison("acquire and release a workspace each, 16 threads once more", "one thread", 1.2,
						() -> together((i) -> lease("d" + i)), this::alone));
	}

	private int alone() throws Exception {
		int done = 0;
		for (int i = 0; i < THREADS; i++) {
			done += lease("d" + i);
		}
		return done;
	}

	private int together(Task task) throws Exception {
		List<Callable<Integer>> tasks = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			int thread = i;
			tasks.add(() -> task.run(thread));
		}
		int done = 0;
		for (Future<Integer> result : this.threads.invokeAll(tasks)) {
			done += result.get();
		}
		return done;
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
	 * What one of the threads does.
	 */
	@FunctionalInterface
	private interface Task {

		int run(int thread) throws Exception;

	}

}
