package io.kairo.sandbox.docker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.mount.OwnerAccess;

/**
 * Restores access to directories in a container that contains a single root.
 *
 * @param launch runs the program
 * @param image the image of the container
 * @param user the user that commands run as
 * @param request the request to restore access for
 */
record AccessProgram(ContainerLaunch launch, DockerImage image, HostUser user,
		SandboxRequest request) implements OwnerAccess.Program {

	private static final Path TARGET = Path.of("/workspace");

	/**
	 * {@inheritDoc}
	 * <p>
	 * The engine mounts a directory whatever its permissions are.
	 */
	@Override
	public boolean canEnter(Path directory) {
		return true;
	}

	@Override
	public void open(Path root, Set<Path> closed) throws IOException {
		MountPlan plan = new MountPlan();
		plan.add(MountPlan.Kind.WRITABLE, root.toRealPath(), TARGET);
		List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", OPEN, "kairo"));
		closed.forEach((directory) -> command.add(TARGET.resolve(directory).toString()));
		this.launch.run(this.image, this.request, this.user, plan, command);
	}

}
