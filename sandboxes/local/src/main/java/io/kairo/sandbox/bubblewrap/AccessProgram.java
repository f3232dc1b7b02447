package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.mount.OwnerAccess;

/**
 * Acts as the user that commands run as, in a sandbox of its own.
 *
 * @param runner runs the program that restores access
 * @param system the mounts of the system
 * @param bubblewrap returns the programs to run
 */
record AccessProgram(ScriptRunner runner, SystemMounts system,
		Supplier<Bubblewrap> bubblewrap) implements OwnerAccess.Program {

	private static final Path TARGET = Path.of("/workspace");

	@Override
	public boolean canEnter(Path directory) throws IOException {
		return this.bubblewrap.get().canEnter(directory);
	}

	@Override
	public void open(Path root, Set<Path> closed) throws IOException {
		MountPlan plan = new MountPlan();
		plan.add(MountPlan.Kind.WRITABLE, root.toRealPath(), TARGET);
		List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", OPEN, "kairo"));
		closed.forEach((directory) -> command.add(TARGET.resolve(directory).toString()));
		try (CommandFiles files = this.runner.control().newCommandFiles()) {
			MountArguments mounts = new MountArguments(plan);
			List<String> environment = List.of("--clearenv", "--setenv", "PATH", "/usr/bin:/bin");
			files.writeArguments(Bubblewrap.arguments(Network.NONE, this.system.arguments(this.runner.control()),
					mounts.all(), environment, files, Path.of("/")));
			this.runner.run(this.bubblewrap.get(), files, mounts, command,
					new Networks.CommandNetwork(null, null, files.socket()));
		}
	}

}
