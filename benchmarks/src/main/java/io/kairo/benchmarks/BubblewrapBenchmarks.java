package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions;
import io.kairo.sandbox.bubblewrap.BubblewrapProblem;
import io.kairo.sandbox.bubblewrap.BubblewrapSandbox;
import io.kairo.sandbox.bubblewrap.RunAs;
import io.kairo.sandbox.support.proxy.AllowList;

/**
 * The bubblewrap sandbox beside a plain {@code bwrap}, where that can be used.
 */
final class BubblewrapBenchmarks implements AutoCloseable {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final RunAs NOBODY = new RunAs(65534, 65534);

	private final BubblewrapSandbox sandbox;

	/** Its commands reach the hosts of a list. */
	private final BubblewrapSandbox connected;

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
		this.connected = new BubblewrapSandbox(options.withNetwork(BubblewrapOptions.Network.ALLOW_LIST),
				AllowList.of(List.of("example.org")));
	}

	List<Comparison> comparisons() {
		List<Comparison> comparisons = new ArrayList<>();
		add(comparisons, "command, bubblewrap backend", 1.6, this.sandbox);
		add(comparisons, "command, bubblewrap backend with a list of hosts", 3.2, this.connected);
		return comparisons;
	}

	private void add(List<Comparison> comparisons, String name, double target, BubblewrapSandbox sandbox) {
		BubblewrapProblem problem = sandbox.problem();
		if (problem != null) {
			System.out.println("Not measured: " + name + " (" + problem + ")");
			return;
		}
		comparisons.add(new Comparison(name, "one `bwrap` per command", target, () -> run(sandbox),
				() -> Commands.countLines("bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/",
						"--proc", "/proc", "--dev", "/dev", "bash", "-c", "true")));
	}

	private Object run(BubblewrapSandbox sandbox) {
		SandboxRequest request = new SandboxRequest.Builder("true", this.directory).timeout(TIMEOUT).build();
		try (SandboxHandle handle = sandbox.start(request)) {
			return (long) Objects.requireNonNull(handle.exit().block(TIMEOUT)).exitCode();
		}
	}

	@Override
	public void close() {
		this.connected.close();
		this.sandbox.close();
	}

}
