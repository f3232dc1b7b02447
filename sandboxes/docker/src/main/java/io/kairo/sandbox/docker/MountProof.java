package io.kairo.sandbox.docker;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.api.model.RuntimeInfo;
import org.jspecify.annotations.Nullable;

/**
 * The proof that the mounts of a container match the plan.
 */
enum MountProof {

	/** The launcher compares the mount table of the kernel with the plan. */
	TABLE,

	/**
	 * The mount table in the container comes from gVisor, and does not list the
	 * directories of the host. The mount table of the {@link Gofer} does, and is compared
	 * on the host. The launcher makes sure that each place has a mount.
	 */
	GOFER,

	/** Nothing of the host is mounted: the container has copies. */
	COPIES;

	private static final String GVISOR = "runsc";

	/**
	 * Returns the proof for containers of a runtime.
	 * @param runtime the name of the runtime; null for the default of the engine
	 */
	static MountProof of(@Nullable String runtime, Info info) {
		String name = String.valueOf((runtime != null) ? runtime : info.getRawValues().get("DefaultRuntime"));
		Map<String, RuntimeInfo> runtimes = Objects.requireNonNullElse(info.getRuntimes(), Map.of());
		RuntimeInfo registered = runtimes.get(name);
		String path = String.valueOf((registered != null) ? registered.getPath() : null);
		return (name.contains(GVISOR) || path.contains(GVISOR)) ? GOFER : TABLE;
	}

	/**
	 * Returns the lines that the launcher has to find in its table.
	 * @param planned the lines of the plan: the device, if it is one of the host, the
	 * path in its file system, and the path in the container
	 */
	List<String> inContainer(List<String> planned) {
		return (this != GOFER) ? planned
				: planned.stream().map((line) -> "/ " + line.substring(line.lastIndexOf(' ') + 1)).toList();
	}

	/**
	 * Returns the lines that the table of the gofer has to have: the lines of directories
	 * of the host.
	 * @param planned the lines of the plan
	 */
	List<String> onHost(List<String> planned) {
		return (this != GOFER) ? List.of() : planned.stream().filter((line) -> !line.startsWith("/ ")).toList();
	}

}
