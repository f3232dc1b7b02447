package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.process.LocalProcessSandbox;
import org.jspecify.annotations.Nullable;

/**
 * The process sandbox beside {@link ProcessBuilder}.
 */
final class CommandBenchmarks implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	private final Sizes sizes;

	private final Path directory;

	CommandBenchmarks(Scratch scratch, Sizes sizes) throws IOException {
		this.sizes = sizes;
		this.directory = scratch.directory("commands");
	}

	List<Comparison> comparisons() {
		return List.of(startToExit(), firstByte(), drain(), sleeps(this.sizes.commands() / 5, 1.2),
				sleeps(this.sizes.commands(), 1.4));
	}

	private Comparison startToExit() {
		return new Comparison("start `true` to its exit", "ProcessBuilder bash -c true", 1.5, () -> run("true"),
				() -> Commands.countLines("bash", "-c", "true"));
	}

	private long run(String command) {
		try (SandboxHandle handle = start(command)) {
			return exit(handle).exitCode();
		}
	}

	private Comparison firstByte() {
		return new Comparison("start `echo` to its first byte", "ProcessBuilder bash -c echo", 1.5,
				new SandboxFirstByte(), new PlainFirstByte());
	}

	private Comparison drain() {
		long bytes = this.sizes.outputBytes();
		String command = "head -c " + bytes + " /dev/zero";
		return new Comparison("drain " + (bytes >> 20) + " MB", command + " | cat > /dev/null", 1.1, () -> {
			try (SandboxHandle handle = start(command)) {
				exit(handle);
				return handle.discardedBytes() + Objects.requireNonNull(
						handle.output().map(CommandBenchmarks::length).reduce(0L, Long::sum).block(TIMEOUT));
			}
		}, () -> {
			Commands.countLines("bash", "-c", command + " | cat > /dev/null");
			return bytes;
		});
	}

	private static long length(SandboxOutputChunk chunk) {
		return (chunk instanceof SandboxOutputChunk.Stdout out) ? out.data().length
				: ((SandboxOutputChunk.Stderr) chunk).data().length;
	}

	private Comparison sleeps(int count, double target) {
		return new Comparison(count + " times `sleep 1` at once", "a shell with &", target, () -> {
			List<SandboxHandle> handles = IntStream.range(0, count).mapToObj((i) -> start("sleep 1")).toList();
			long succeeded = handles.stream().filter((handle) -> exit(handle).exitCode() == 0).count();
			handles.forEach(SandboxHandle::close);
			return succeeded;
		}, () -> {
			Commands.countLines("bash", "-c", "for i in $(seq " + count + "); do sleep 1 & done; wait");
			return (long) count;
		});
	}

	private SandboxHandle start(String command) {
		return this.sandbox.start(new SandboxRequest.Builder(command, this.directory).timeout(TIMEOUT).build());
	}

	private static SandboxExit exit(SandboxHandle handle) {
		return Objects.requireNonNull(handle.exit().block(TIMEOUT));
	}

	@Override
	public void close() {
		this.sandbox.close();
	}

	private final class SandboxFirstByte implements Work {

		private @Nullable SandboxHandle handle;

		@Override
		public Object run() {
			this.handle = start("echo; sleep 0.01");
			return length(Objects.requireNonNull(this.handle.output().blockFirst(TIMEOUT)));
		}

		@Override
		public void after() {
			exit(Objects.requireNonNull(this.handle));
			this.handle.close();
		}

	}

	private static final class PlainFirstByte implements Work {

		private @Nullable Process process;

		@Override
		public Object run() throws IOException {
			this.process = Commands.start("bash", "-c", "echo; sleep 0.01");
			return (this.process.getInputStream().read() >= 0) ? 1L : 0L;
		}

		@Override
		public void after() throws IOException, InterruptedException {
			Process ending = Objects.requireNonNull(this.process);
			ending.getInputStream().close();
			Commands.check(ending, "echo");
		}

	}

}
