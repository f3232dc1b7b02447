package io.kairo.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.benchmarks.Comparison.Sides;
import io.kairo.sandbox.microvm.MachinePool;
import io.kairo.sandbox.microvm.MicroVmOptions;
import io.kairo.sandbox.microvm.MicroVmOptions.Emulation;
import io.kairo.sandbox.microvm.MicroVmSandbox;

/**
 * The sandbox of virtual machines beside a new process of the host, and a machine that
 * was started ahead beside one that was not. They need the image that the environment
 * variable {@code KAIRO_MICROVM_IMAGE} names. Emulated machines have rows of their own.
 */
final class MicroVmBenchmarks {

	private static final MachinePool FEW = MachinePool.DEFAULT.withMaxMachines(2)
		.withIdleTimeout(Duration.ofMillis(500));

	private final AtomicInteger tenants = new AtomicInteger();

	List<Comparison> comparisons() {
		return Stream.of(Emulation.REFUSED, Emulation.ALLOWED).flatMap(this::comparisons).toList();
	}

	private Stream<Comparison> comparisons(Emulation emulation) {
		boolean emulated = emulation == Emulation.ALLOWED;
		String machine = emulated ? "emulated machine" : "machine";
		return Stream.of(
				new Comparison("command, micro-VM backend, running " + machine, "`bash -c true`", emulated ? 60 : 10,
						(scratch) -> new Sides(
								CommandBenchmarks.starts(sandbox(scratch, emulation, FEW),
										scratch.directoryOfCommands(), ".git/hooks", ".mcp.json"),
								Work.of(() -> Commands.countLines("bash", "-c", "true")))),
				new Comparison("first command, micro-VM backend, " + machine + " started ahead",
						"the machine is started for it", emulated ? 0.3 : 0.5, (scratch) -> {
							MicroVmSandbox ahead = sandbox(scratch, emulation, FEW.withStartedAhead(1));
							MicroVmSandbox without = sandbox(scratch, emulation, FEW.withMaxMachines(1));
							Path directory = scratch.directoryOfCommands();
							awaitReady(ahead);
							return new Sides(
									Work.of(() -> firstCommand(ahead, directory)).then((exit) -> awaitReady(ahead)),
									Work.of(() -> firstCommand(without, directory)));
						}));
	}

	private static MicroVmSandbox sandbox(Scratch scratch, Emulation emulation, MachinePool pool)
			throws NotMeasuredException {
		String image = System.getenv("KAIRO_MICROVM_IMAGE");
		NotMeasuredException.throwIf((image == null) ? "KAIRO_MICROVM_IMAGE names no image" : null);
		MicroVmOptions options = MicroVmOptions.of(Path.of(image, "vmlinuz"), Path.of(image, "initrd"))
			.with((changes) -> changes.emulation(emulation).pool(pool));
		if (Scratch.isRoot()) {
			options = options.with((changes) -> changes.commands((commands) -> commands.runAs(Scratch.NOBODY)));
		}
		MicroVmSandbox sandbox = scratch.closing(new MicroVmSandbox(options));
		NotMeasuredException.throwIf(sandbox.problem());
		boolean wanted = emulation == Emulation.ALLOWED;
		NotMeasuredException.throwIf((wanted && !sandbox.isEmulated()) ? "machines are not emulated here" : null);
		return sandbox;
	}

	/**
	 * Runs a command of a new tenant, which no machine of another one serves.
	 */
	private int firstCommand(MicroVmSandbox sandbox, Path directory) {
		SandboxRequest request = new SandboxRequest.Builder("true", directory)
			.tenant(new TenantContext("tenant" + this.tenants.incrementAndGet(), "user"))
			.build();
		try (SandboxHandle handle = sandbox.start(request)) {
			return Objects.requireNonNull(handle.exit().block(), "exit").exitCode();
		}
	}

	private static boolean awaitReady(MicroVmSandbox sandbox) throws InterruptedException {
		while (sandbox.readyAhead() == 0) {
			Thread.sleep(10);
		}
		return true;
	}

}
