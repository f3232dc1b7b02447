package io.kairo.benchmarks;

import java.nio.file.Path;
import java.util.List;

import io.kairo.benchmarks.Comparison.Sides;
import io.kairo.host.HostUser;
import io.kairo.sandbox.microvm.MicroVmOptions;
import io.kairo.sandbox.microvm.MicroVmSandbox;

/**
 * The sandbox of virtual machines beside a new process of the host. It needs the image
 * that the environment variable {@code KAIRO_MICROVM_IMAGE} names.
 */
final class MicroVmBenchmarks {

	List<Comparison> comparisons() {
		return List.of(new Comparison("command, micro-VM backend, running machine", "`bash -c true`", 10, (scratch) -> {
			String image = System.getenv("KAIRO_MICROVM_IMAGE");
			NotMeasuredException.throwIf((image == null) ? "KAIRO_MICROVM_IMAGE names no image" : null);
			MicroVmOptions options = MicroVmOptions.of(Path.of(image, "vmlinuz"), Path.of(image, "initrd"));
			if (Scratch.isRoot()) {
				options = options.withRunAs(new HostUser(Scratch.NOBODY.uid(), Scratch.NOBODY.gid()));
			}
			MicroVmSandbox sandbox = scratch.closing(new MicroVmSandbox(options));
			NotMeasuredException.throwIf(sandbox.problem());
			return new Sides(CommandBenchmarks.starts(sandbox, scratch.directoryOfCommands()),
					Work.of(() -> Commands.countLines("bash", "-c", "true")));
		}));
	}

}
