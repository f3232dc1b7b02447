package io.kairo.sandbox.docker;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.github.dockerjava.api.model.Driver;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import com.github.dockerjava.api.model.VolumeOptions;
import io.kairo.host.Sha256;

/**
 * The temporary files that the containers of a session share: volumes in memory, with a
 * size, which have contents while a container uses them. Safe for use by several threads.
 */
final class SessionVolumes {

	private static final Logger logger = System.getLogger(SessionVolumes.class.getName());

	private static final String TEMPORARY = "/tmp";

	private static final List<String> TARGETS = List.of(TEMPORARY, ContainerFactory.HOME);

	private final DockerEngine engine;

	private final String sandbox;

	/** Whether the options let containers share anything. */
	private final boolean kept;

	/** Whether the engine can mount such volumes. */
	private volatile boolean supported = true;

	/**
	 * Creates the value.
	 * @param sandbox the ID of the sandbox
	 */
	SessionVolumes(DockerEngine engine, DockerOptions options, String sandbox) {
		this.engine = engine;
		this.sandbox = sandbox;
		// other runtimes may keep what one container writes from the others
		this.kept = options.mode() == DockerOptions.Mode.SESSION && options.runtime() == null;
	}

	/**
	 * Sets whether the engine has such volumes.
	 * @return whether that is a change
	 */
	boolean supported(boolean supported) {
		boolean before = this.supported;
		this.supported = supported;
		return this.kept && before != supported;
	}

	/**
	 * Moves temporary directories of a container that its session shares to mounts. A
	 * directory with a mount in it is not shared: another command of the session could
	 * put a link at the place of the mount. Caches are always mounted.
	 * @param temporary the temporary directories, with their options
	 */
	List<Mount> takeFrom(Map<String, String> temporary, ContainerSpec spec) {
		List<Mount> mounts = new ArrayList<>();
		if (!isUsedBy(spec)) {
			return mounts;
		}
		if (spec.mounts().stream().noneMatch((mount) -> mount.target().startsWith(TEMPORARY))) {
			share(TEMPORARY, temporary, spec, mounts);
		}
		share(ContainerFactory.HOME, temporary, spec, mounts);
		return mounts;
	}

	private void share(String target, Map<String, String> temporary, ContainerSpec spec, List<Mount> mounts) {
		String options = temporary.remove(target);
		if (options != null) {
			Driver driver = new Driver().withName("local")
				.withOptions(Map.of("type", "tmpfs", "device", "tmpfs", "o", options));
			mounts.add(new Mount().withType(MountType.VOLUME)
				.withSource(name(target, spec))
				.withTarget(target)
				.withVolumeOptions(new VolumeOptions().withNoCopy(true)
					.withLabels(Map.of(ContainerFactory.LABEL, this.sandbox))
					.withDriverConfig(driver)));
		}
	}

	/**
	 * Returns the directories that sessions share, as long as no directory is mounted
	 * there.
	 */
	List<String> targets() {
		return (this.kept && this.supported) ? TARGETS : List.of();
	}

	private boolean isUsedBy(ContainerSpec spec) {
		return this.kept && this.supported && spec.session() != null && !spec.copied();
	}

	private String name(String target, ContainerSpec spec) {
		String all = String.join("\0", this.sandbox, target, String.valueOf(spec.user()), spec.tenant(),
				String.valueOf(spec.session()));
		return "kairo-" + Sha256.hex(all, 32);
	}

	/**
	 * Removes the volumes of a container that is gone, unless other containers use them.
	 */
	void remove(ContainerSpec spec) {
		if (isUsedBy(spec)) {
			for (String target : TARGETS) {
				try {
					this.engine.removeVolume(name(target, spec));
				}
				catch (RuntimeException ex) {
					logger.log(Level.DEBUG, "A volume of a session is left to the next sweep", ex);
				}
			}
		}
	}

}
