package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapProblem;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.sandbox.bubblewrap.RunAs;

/**
 * The bubblewrap sandbox beside a plain {@code bwrap}, where that can be used.
 */
final class BubblewrapBenchmarks implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final RunAs NOBODY = new RunAs(65534, 65534);

	private final BubblewrapSandbox sandbox;

	private final Path directory;

	BubblewrapBenchmarks(Scratch scratch) throws IOException {
		this.directory = scratch.directory("confined");
		BubblewrapOptions options = BubblewrapOptions.defaults();
		if (System.getProperty("user.name").equals("root")) {
			options = options.withRunAs(NOBODY);
			Files.setPosixFilePermissions(scratch.directory(), PosixFilePermissions.fromString("rwx--x--x"));
			Files.setAttribute(this.directory, "unix:uid", NOBODY.uid());
		}
		this.sandbox = new BubblewrapSandbox(options);
	}

	List<Comparison> comparisons() {
		BubblewrapProblem problem = this.sandbox.problem();
		if (problem != null) {
			System.out.println("Not measured: bubblewrap (" + problem + ")");
			return List.of();
		}
		return List.of(new Comparison("command, bubblewrap backend", "one `bwrap` per command", 1.6, this::run,
				() -> Commands.countLines("bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/",
						"--proc", "/proc", "--dev", "/dev", "bash", "-c", "true")));
	}

	private Object run() {
		SandboxRequest request = new SandboxRequest.Builder("true", this.directory).timeout(TIMEOUT).build();
		try (SandboxHandle handle = this.sandbox.start(request)) {
			return (long) Objects.requireNonNull(handle.exit().block(TIMEOUT)).exitCode();
		}
	}

	@Override
	public void close() {
		this.sandbox.close();
	}

}
