package io.kairo.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.file.ReadTool;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.routing.RoutingWorkspaceProvider;

/**
 * The heap, threads, descriptors and processes of one open workspace, idle session and
 * running command: the difference between many of them and none, divided by their number.
 *
 * @param sizes the amount of work
 */
record Costs(Sizes sizes) {

	static final String HEADING = """
			| each | heap, KB | threads | descriptors | processes | JDK |
			|---|---|---|---|---|---|""";

	private static final int WARM_UPS = 5;

	/**
	 * Returns the names, and what measures them.
	 */
	List<Cost> all() {
		List<Cost> costs = new ArrayList<>();
		costs.add(new Cost("open workspace", this::workspace));
		backends().forEach((name, backend) -> costs
			.add(new Cost("idle session after a Read and a Bash, " + name, (scratch) -> session(scratch, backend))));
		backends().forEach((name, backend) -> costs
			.add(new Cost("running command, " + name, (scratch) -> command(scratch, backend))));
		return costs;
	}

	private static Map<String, Backend> backends() {
		return new TreeMap<>(Map.of("process backend", (scratch) -> scratch.closing(new LocalProcessSandbox()),
				"bubblewrap backend", (scratch) -> CommandBenchmarks.bubblewrapSandbox(scratch, null),
				"landlock backend", CommandBenchmarks::landlockSandbox));
	}

	private String workspace(Scratch scratch) throws Exception {
		Path directory = scratch.directory("workspaces");
		for (int i = 0; i < this.sizes.held() + WARM_UPS; i++) {
			Files.createDirectory(directory.resolve("d" + i));
		}
		RoutingWorkspaceProvider provider = scratch.closing(LeaseBenchmarks.router(directory));
		LocalWorkspaceFilesFactory factory = factory(scratch);
		return measure((i) -> {
			Workspace workspace = provider.acquire(new WorkspaceRequest("d" + i, TenantContext.SINGLE, true));
			WorkspaceFiles files = factory.open(workspace);
			return new Held(files, () -> provider.release(workspace.id()));
		});
	}

	private String session(Scratch scratch, Backend backend) throws Exception {
		Path directory = scratch.directoryOfCommands();
		Files.writeString(directory.resolve("small.txt"), "one line\n");
		AgentSessions sessions = scratch
			.closing(new AgentSessions(LeaseBenchmarks.router(directory), factory(scratch), backend.create(scratch)));
		ToolCatalog tools = ToolCatalog.of(List.of(new ReadTool(), new BashTool()), List.of());
		return measure((i) -> {
			sessions.runInSession(TenantContext.SINGLE, "s" + i, (context) -> {
				check(tools.call("Read", Map.of("file_path", "small.txt"), context));
				check(tools.call("Bash", Map.of("command", "true"), context));
			});
			return new Held(sessions, () -> sessions.end(TenantContext.SINGLE, "s" + i));
		});
	}

	private static void check(ToolResult result) {
		if (result.error() != null) {
			throw new IllegalStateException(result.text());
		}
	}

	private String command(Scratch scratch, Backend backend) throws Exception {
		Path directory = scratch.directoryOfCommands();
		ExecutionSandbox sandbox = backend.create(scratch);
		return measure((i) -> {
			SandboxHandle handle = CommandBenchmarks.start(sandbox, directory, "echo; exec sleep 100");
			Objects.requireNonNull(handle.output().blockFirst());
			return new Held(handle, handle::close);
		});
	}

	static LocalWorkspaceFilesFactory factory(Scratch scratch) throws IOException {
		return new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withStateDirectory(scratch.directory("state")));
	}

	/**
	 * Opens some, so that what they share exists, then many more.
	 */
	private String measure(IntFunction<Held> open) throws IOException {
		List<Held> held = new ArrayList<>();
		for (int i = 0; i < WARM_UPS; i++) {
			held.add(open.apply(i));
		}
		double[] before = usage();
		for (int i = 0; i < this.sizes.held(); i++) {
			held.add(open.apply(WARM_UPS + i));
		}
		double[] after = usage();
		held.forEach((each) -> each.release().run());
		double[] each = new double[after.length];
		for (int i = 0; i < each.length; i++) {
			each[i] = (after[i] - before[i]) / this.sizes.held();
		}
		return String.format(Locale.ROOT, "%.1f | %.2f | %.2f | %.2f", each[0] / 1024, each[1], each[2], each[3]);
	}

	private static double[] usage() throws IOException {
		for (int i = 0; i < 4; i++) {
			System.gc();
		}
		return new double[] { ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
				count("/proc/self/task"), count("/proc/self/fd"), ProcessHandle.current().descendants().count() };
	}

	private static long count(String directory) throws IOException {
		try (Stream<Path> entries = Files.list(Path.of(directory))) {
			return entries.count();
		}
	}

	/**
	 * A row of the table.
	 *
	 * @param name the name of what is held
	 * @param measurement measures it
	 */
	record Cost(String name, Measured measurement) {

		/**
		 * Returns the row.
		 * @param scratch a directory of the row alone
		 */
		String row(Scratch scratch) throws Exception {
			String figures;
			try {
				figures = this.measurement.in(scratch);
			}
			catch (NotMeasuredException ex) {
				figures = "not measured: " + ex.reason() + " | | |";
			}
			return "| " + this.name + " | " + figures + " | " + Jdk.name() + " |";
		}

	}

	/**
	 * Something that is held open.
	 *
	 * @param kept kept from the garbage collector
	 * @param release releases it
	 */
	private record Held(Object kept, Runnable release) {
	}

	/**
	 * Measures the figures of a row.
	 */
	@FunctionalInterface
	interface Measured {

		String in(Scratch scratch) throws Exception;

	}

	/**
	 * Creates a sandbox.
	 */
	@FunctionalInterface
	private interface Backend {

		ExecutionSandbox create(Scratch scratch) throws NotMeasuredException;

	}

}
