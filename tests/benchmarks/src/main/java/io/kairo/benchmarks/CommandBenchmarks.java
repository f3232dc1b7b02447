package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.benchmarks.Comparison.Sides;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.sandbox.landlock.LandlockSandbox;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.support.proxy.AllowList;
import org.jspecify.annotations.Nullable;

/**
 * The sandboxes of this machine beside plain processes.
 *
 * @param sizes the amount of work
 */
record CommandBenchmarks(Sizes sizes) {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	List<Comparison> comparisons() {
		String bytes = (this.sizes.outputBytes() >> 20) + " MB";
		int commands = this.sizes.commands();
		return List.of(
				new Comparison("command, process backend, start to exit", "ProcessBuilder bash -c true",
						Jdk.target(0.8, 1.4), CommandBenchmarks::process),
				new Comparison("command, process backend, start to first byte", "ProcessBuilder bash -c echo", 1.5,
						CommandBenchmarks::firstByte),
				new Comparison("command, landlock backend", "process backend", 1.15, CommandBenchmarks::landlock),
				new Comparison("command, bubblewrap backend", "one `bwrap` per command", 1.4,
						(scratch) -> bubblewrap(scratch, null, null)),
				new Comparison("command of a session, bubblewrap backend", "one `bwrap` per command", 1.4,
						(scratch) -> bubblewrap(scratch, null, "session")),
				new Comparison("command, bubblewrap backend with a list of hosts", "one `bwrap` per command", 2,
						(scratch) -> bubblewrap(scratch, AllowList.of(List.of("example.org")), null)),
				new Comparison("`javac` and `java`, bubblewrap backend", "the same without a sandbox", 1.15,
						CommandBenchmarks::build),
				new Comparison("drain " + bytes, "`head -c " + this.sizes.outputBytes() + " /dev/zero | cat`", 1.05,
						this::drain),
				sleeps(commands / 5, 1.2), sleeps(commands, 1.4));
	}

	private static Sides process(Scratch scratch) throws IOException {
		return new Sides(starts(scratch.closing(new LocalProcessSandbox()), scratch.directory("commands")),
				Work.of(() -> Commands.countLines("bash", "-c", "true")));
	}

	private static Sides landlock(Scratch scratch) throws IOException, NotMeasuredException {
		LandlockSandbox landlock = landlockSandbox(scratch);
		Path directory = scratch.directory("commands");
		return new Sides(starts(landlock, directory), starts(scratch.closing(new LocalProcessSandbox()), directory));
	}

	private static Sides bubblewrap(Scratch scratch, @Nullable AllowList hosts, @Nullable String session)
			throws IOException, NotMeasuredException {
		SandboxAttributes attributes = SandboxAttributes.builder().sessionId(session).build();
		return new Sides(runs(bubblewrapSandbox(scratch, hosts), scratch.directoryOfCommands(), "true", attributes),
				Work.of(() -> Commands.countLines("bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/",
						"--proc", "/proc", "--dev", "/dev", "bash", "-c", "true")));
	}

	/**
	 * Compiles and runs a program of some classes.
	 */
	private static Sides build(Scratch scratch) throws IOException, NotMeasuredException {
		Commands.require("javac");
		Path directory = scratch.directoryOfCommands();
		int classes = 200;
		for (int i = 0; i < classes; i++) {
			Files.writeString(directory.resolve("C" + i + ".java"), "class C" + i + " { static int sum() { return " + i
					+ ((i > 0) ? " + C" + (i - 1) + ".sum()" : "") + "; } }\n");
		}
		Files.writeString(directory.resolve("Sum.java"), "class Sum { public static void main(String[] arguments) { "
				+ "System.exit(C" + (classes - 1) + ".sum() == " + classes * (classes - 1) / 2 + " ? 0 : 1); } }\n");
		String build = "o=$(mktemp -d) && javac -d $o *.java && java -cp $o Sum; code=$?; rm -r $o; exit $code";
		return new Sides(
				runs(bubblewrapSandbox(scratch, null), directory, build,
						SandboxAttributes.builder().sessionId("session").build()),
				Work.of(() -> Commands.countLines("bash", "-c", "cd " + directory + " && " + build)));
	}

	static LandlockSandbox landlockSandbox(Scratch scratch) throws NotMeasuredException {
		LandlockSandbox sandbox = scratch.closing(new LandlockSandbox());
		NotMeasuredException.throwIf(sandbox.problem());
		return sandbox;
	}

	static BubblewrapSandbox bubblewrapSandbox(Scratch scratch, @Nullable AllowList hosts) throws NotMeasuredException {
		CommandSettings settings = CommandSettings.DEFAULTS.with((changes) -> {
			changes.runAs(Scratch.isRoot() ? Scratch.NOBODY : null);
			if (hosts != null) {
				changes.allowList(hosts);
			}
		});
		BubblewrapSandbox sandbox = scratch
			.closing(new BubblewrapSandbox(BubblewrapOptions.DEFAULTS.with((options) -> options.commands(settings))));
		NotMeasuredException.throwIf(sandbox.problem());
		return sandbox;
	}

	/**
	 * Returns a command that does nothing, from its start to its exit.
	 * @param protectedPaths protected paths, which are missing in an empty directory
	 */
	static Work<?> starts(ExecutionSandbox sandbox, Path directory, String... protectedPaths) {
		return runs(sandbox, directory, "true",
				SandboxAttributes.builder().protectedPaths(List.of(protectedPaths)).build());
	}

	private static Work<?> runs(ExecutionSandbox sandbox, Path directory, String command,
			SandboxAttributes attributes) {
		SandboxRequest request = new SandboxRequest.Builder(command, directory).timeout(TIMEOUT)
			.attributes(attributes)
			.build();
		return Work.of(() -> {
			try (SandboxHandle handle = sandbox.start(request)) {
				return (long) exit(handle).exitCode();
			}
		});
	}

	private static Sides firstByte(Scratch scratch) throws IOException {
		LocalProcessSandbox sandbox = scratch.closing(new LocalProcessSandbox());
		Path directory = scratch.directory("commands");
		String command = "echo; sleep 0.01";
		return new Sides(Work.of(() -> {
			SandboxHandle handle = start(sandbox, directory, command);
			Objects.requireNonNull(handle.output().blockFirst(TIMEOUT));
			return handle;
		}).comparing((handle) -> (long) exit(handle).exitCode()).then((handle) -> {
			exit(handle);
			handle.close();
			return handle;
		}), Work.of(() -> {
			Process process = Commands.start("bash", "-c", command);
			process.getInputStream().read();
			return process;
		}).comparing((process) -> (long) process.waitFor()).then(Process::waitFor));
	}

	private Sides drain(Scratch scratch) throws IOException {
		LocalProcessSandbox sandbox = scratch.closing(new LocalProcessSandbox());
		return new Sides(drain(sandbox, scratch.directory("commands")),
				Work.of(() -> Commands.countLines("bash", "-c", output() + " | cat > /dev/null"))
					.comparing((lines) -> this.sizes.outputBytes()));
	}

	/**
	 * Returns a command whose output is read.
	 */
	Work<?> drain(ExecutionSandbox sandbox, Path directory) {
		return Work.of(() -> {
			try (SandboxHandle handle = start(sandbox, directory, output())) {
				exit(handle);
				return handle.discardedBytes() + Objects.requireNonNull(
						handle.output().map(CommandBenchmarks::length).reduce(0L, Long::sum).block(TIMEOUT));
			}
		});
	}

	private String output() {
		return "head -c " + this.sizes.outputBytes() + " /dev/zero";
	}

	private static long length(SandboxOutputChunk chunk) {
		return (chunk instanceof SandboxOutputChunk.Stdout out) ? out.data().length
				: ((SandboxOutputChunk.Stderr) chunk).data().length;
	}

	private static Comparison sleeps(int count, double target) {
		return new Comparison("%,d times `sleep 1` at once".formatted(count), "a shell loop with `&`", target,
				(scratch) -> {
					LocalProcessSandbox sandbox = scratch.closing(new LocalProcessSandbox());
					Path directory = scratch.directory("commands");
					return new Sides(Work.of(() -> {
						List<SandboxHandle> handles = IntStream.range(0, count)
							.mapToObj((i) -> start(sandbox, directory, "sleep 1"))
							.toList();
						long succeeded = handles.stream().filter((handle) -> exit(handle).exitCode() == 0).count();
						handles.forEach(SandboxHandle::close);
						return succeeded;
					}), Work
						.of(() -> Commands.countLines("bash", "-c",
								"for i in $(seq " + count + "); do sleep 1 & done; wait"))
						.comparing((lines) -> (long) count));
				});
	}

	static SandboxHandle start(ExecutionSandbox sandbox, Path directory, String command) {
		return sandbox.start(new SandboxRequest.Builder(command, directory).timeout(TIMEOUT).build());
	}

	private static SandboxExit exit(SandboxHandle handle) {
		return Objects.requireNonNull(handle.exit().block(TIMEOUT));
	}

}
