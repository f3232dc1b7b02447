package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.kairo.sandbox.support.mount.OwnerAccess;

/**
 * Restores access to directories on the host, in a confinement that shows a single root.
 *
 * @param factory runs the program
 */
record AccessProgram(MachineFactory factory) implements OwnerAccess.Program {

	private static final Path TARGET = Path.of("/workspace");

	@Override
	public boolean canEnter(Path directory) throws IOException {
		return this.factory.confinement().canEnter(directory);
	}

	@Override
	public void open(Path root, Set<Path> closed) throws IOException {
		List<String> program = new ArrayList<>(List.of("/bin/sh", "-c", OPEN, "kairo"));
		closed.forEach((directory) -> program.add(TARGET.resolve(directory).toString()));
		this.factory.run(List.of("--bind", root.toRealPath().toString(), TARGET.toString()), program);
	}

}
