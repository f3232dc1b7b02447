package io.kairo.sandbox.docker;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.BindOptions;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HealthCheck;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.LogConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import com.github.dockerjava.api.model.TmpfsOptions;
import com.github.dockerjava.api.model.Ulimit;
import com.github.dockerjava.api.model.VolumeOptions;
import com.github.dockerjava.api.model.VolumesFrom;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.host.HostUser;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.copy.RootCopy;
import io.kairo.sandbox.support.cache.CacheOptions;
import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.proxy.ProxyTunnels;
import org.jspecify.annotations.Nullable;

/**
 * Creates and starts containers: without network, capabilities and a writable root file
 * system, and with a launcher as their first process.
 */
final class ContainerFactory {

	private static final Logger logger = System.getLogger(ContainerFactory.class.getName());

	/** The file for the last working directory of the shell. */
	static final String REPORT = "/run/kairo/directory";

	/** The home directory of commands. */
	static final String HOME = "/home/agent";

	/** The label of all containers of Kairo. Its value is the ID of the sandbox. */
	static final String LABEL = "io.kairo.sandbox";

	/**
	 * The label with the number of seconds after which a container that was created and
	 * not started is of no use.
	 */
	static final String START_WITHIN = "io.kairo.start-within";

	private static final String TENANT = "io.kairo.tenant";

	private static final String WORKSPACE = "io.kairo.workspace";

	/** Far longer than it takes to start a container that was created. */
	static final Duration START = Duration.ofMinutes(1);

	/** Far longer than it takes to copy a workspace. */
	private static final Duration COPY = Duration.ofHours(1);

	private static final long HIDDEN_BYTES = 4096;

	private static final int HIDDEN_MODE = 0555;

	/** To become the user of a command, and to end its processes; commands have none. */
	private static final Capability[] LAUNCHER_CAPABILITIES = { Capability.SETUID, Capability.SETGID, Capability.KILL };

	/**
	 * Takes the place of variables of the image that could make the launcher run files of
	 * a workspace. Commands have the variables of the image.
	 */
	private static final List<String> LAUNCHER_ENVIRONMENT = List.of(
			"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "PERL5LIB=", "PERL5OPT=", "PERLLIB=",
			"LD_LIBRARY_PATH=", "LD_PRELOAD=", "LD_AUDIT=");

	private static final String LAUNCHER = read("launcher.pl");

	private final DockerEngine engine;

	private final DockerOptions options;

	private final String sandbox;

	private final boolean proxied;

	private final SessionVolumes volumes;

	private volatile @Nullable EnginePaths paths;

	/**
	 * Creates a factory.
	 * @param sandbox the ID of the sandbox
	 * @param proxied whether commands reach a proxy
	 */
	ContainerFactory(DockerEngine engine, DockerOptions options, String sandbox, boolean proxied) {
		this.engine = engine;
		this.options = options;
		this.sandbox = sandbox;
		this.proxied = proxied;
		this.volumes = new SessionVolumes(engine, options, sandbox);
	}

	SessionVolumes volumes() {
		return this.volumes;
	}

	/**
	 * Creates and starts a container.
	 * @param image the digest of the image
	 * @param proof the proof that the mounts match the plan
	 * @param copy the directories to copy into the container, null to mount them
	 * @param peer the id of a running container whose network it uses, null for a network
	 * of its own
	 * @param end called when the container is gone, or could not be created
	 * @throws SandboxException if the engine refuses; nothing is left then
	 */
	Container start(String image, ContainerSpec spec, MountProof proof, @Nullable WorkspaceCopy copy,
			@Nullable String peer, Runnable end) {
		Container container = null;
		boolean started = false;
		try {
			String id = create(image, spec, copy, peer);
			container = new Container(id, spec, this.engine, proof, this.options.lease());
			container.whenGone(end);
			container.whenGone(() -> this.volumes.remove(spec));
			container.start();
			started = true;
			return container;
		}
		catch (Gofer.UnprovenException ex) {
			throw new SandboxException(SandboxErrorCode.START_FAILED,
					"The mounts of a container could not be proved: " + ex.getMessage(), "try again", ex);
		}
		catch (SandboxException ex) {
			throw ex;
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.SETUP_FAILED,
					"The files of a command could not be copied into a container: " + ex.getMessage(),
					"remove files that commands do not need, or let the operator allow more", ex);
		}
		catch (RuntimeException ex) {
			throw new SandboxException(SandboxErrorCode.START_FAILED,
					"The engine could not start a container: " + message(ex), "see the cause", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new SandboxException(SandboxErrorCode.START_FAILED,
					"The thread was interrupted while a container was started", "start the command again", ex);
		}
		finally {
			if (!started && container != null) {
				container.discard();
			}
			else if (!started) {
				end.run();
			}
		}
	}

	/**
	 * Returns whether the engine limits the memory of sockets with other memory.
	 */
	boolean countsSockets() {
		return this.engine.countsSockets();
	}

	/**
	 * Returns the message of the engine, or of the innermost cause.
	 */
	static String message(Throwable failure) {
		Throwable cause = failure;
		while (!(cause instanceof DockerException) && cause.getCause() != null) {
			cause = cause.getCause();
		}
		return String.valueOf(cause.getMessage()).replaceAll("\\s+", " ").strip();
	}

	/**
	 * Creates a container, with volumes that have been filled if directories are copied.
	 * Read-only volumes cannot be filled where they are mounted, so that all volumes come
	 * from other containers that are never started. From then on the volumes belong to
	 * this container, and are removed with it.
	 */
	private String create(String image, ContainerSpec spec, @Nullable WorkspaceCopy copy, @Nullable String peer)
			throws IOException {
		if (copy == null) {
			return create(image, spec, List.of(), peer);
		}
		List<VolumesFrom> filled = new ArrayList<>();
		boolean created = false;
		try {
			for (AccessMode mode : List.of(AccessMode.rw, AccessMode.ro)) {
				fill(image, spec, copy, mode, filled);
			}
			String id = create(image, spec, filled, peer);
			created = true;
			return id;
		}
		finally {
			for (VolumesFrom each : filled) {
				this.engine.remove(each.getContainer(), !created);
			}
		}
	}

	/**
	 * Copies either the writable or the read-only directories.
	 */
	private void fill(String image, ContainerSpec spec, WorkspaceCopy copy, AccessMode mode, List<VolumesFrom> filled)
			throws IOException {
		List<RootCopy> roots = copy.roots(mode == AccessMode.rw);
		if (roots.isEmpty()) {
			return;
		}
		List<Mount> volumes = roots.stream()
			.map((each) -> new Mount().withType(MountType.VOLUME)
				.withTarget(each.root().target().toString())
				.withVolumeOptions(new VolumeOptions().withNoCopy(true)))
			.toList();
		String id = this.engine.create(image,
				(creation) -> creation.withCmd("true")
					.withLabels(labels(spec, COPY))
					.withHostConfig(HostConfig.newHostConfig().withNetworkMode("none").withMounts(volumes)));
		filled.add(new VolumesFrom(id, mode));
		this.engine.upload(id, (output) -> copy.write(roots, output));
	}

	private String create(String image, ContainerSpec spec, List<VolumesFrom> volumes, @Nullable String peer) {
		HostUser user = spec.user();
		HostConfig config = hostConfig(spec).withVolumesFrom(volumes.toArray(VolumesFrom[]::new));
		return this.engine.create(image, (creation) -> network(creation, config, peer).withUser("0:0")
			.withEntrypoint(List.of())
			.withCmd("perl", "-e", LAUNCHER, Long.toString(seconds(this.options.lease())), Integer.toString(user.uid()),
					Integer.toString(user.gid()), REPORT, this.proxied ? Integer.toString(ProxyTunnels.PORT) : "")
			.withEnv(LAUNCHER_ENVIRONMENT)
			.withWorkingDir("/")
			.withTty(false)
			.withHealthcheck(new HealthCheck().withTest(List.of("NONE")))
			.withStdinOpen(true)
			// the launcher ignores the others, and the engine would wait for it
			// when it ends
			.withStopSignal("SIGKILL")
			.withStdInOnce(true)
			.withAttachStdin(true)
			.withAttachStdout(true)
			.withAttachStderr(true)
			.withLabels(labels(spec, START)));
	}

	/**
	 * Sets the network. The name of the machine belongs to it.
	 */
	private static CreateContainerCmd network(CreateContainerCmd creation, HostConfig config, @Nullable String peer) {
		return (peer != null) ? creation.withHostConfig(config.withNetworkMode("container:" + peer))
				: creation.withHostConfig(config.withNetworkMode("none")).withHostName("sandbox");
	}

	private Map<String, String> labels(ContainerSpec spec, Duration startWithin) {
		return Map.of(LABEL, this.sandbox, TENANT, spec.tenant(), WORKSPACE,
				spec.mounts()
					.stream()
					.filter((mount) -> !mount.target().startsWith(HOME))
					.findFirst()
					.map((mount) -> mount.source().toString())
					.orElse(""),
				START_WITHIN, Long.toString(startWithin.toSeconds()));
	}

	private HostConfig hostConfig(ContainerSpec spec) {
		CommandLimits limits = spec.limits();
		Map<String, String> temporary = temporary(spec);
		List<Mount> mounts = this.volumes.takeFrom(temporary, spec);
		mounts.addAll(spec.copied() ? List.of() : mounts(spec.mounts()));
		HostConfig config = HostConfig.newHostConfig()
			.withRuntime(this.options.runtime())
			.withAutoRemove(true)
			.withInit(false)
			.withReadonlyRootfs(true)
			.withCapDrop(Capability.ALL)
			.withCapAdd(LAUNCHER_CAPABILITIES)
			.withSecurityOpts(List.of("no-new-privileges"))
			.withIpcMode("private")
			.withCgroupnsMode("private")
			.withLogConfig(new LogConfig(LogConfig.LoggingType.NONE))
			.withShmSize(this.options.tmpfsBytes())
			.withTmpFs(temporary)
			.withMounts(mounts)
			.withUlimits(ulimits(limits));
		if (limits.memoryBytes() != null) {
			config.withMemory(limits.memoryBytes()).withMemorySwap(limits.memoryBytes());
		}
		if (limits.cpus() != null) {
			config.withNanoCPUs(Math.round(limits.cpus() * 1_000_000_000));
		}
		if (limits.pids() != null) {
			config.withPidsLimit(Long.valueOf(limits.pids()));
		}
		return config;
	}

	private Map<String, String> temporary(ContainerSpec spec) {
		HostUser user = spec.user();
		String owner = ",uid=" + user.uid() + ",gid=" + user.gid();
		String size = ",size=" + this.options.tmpfsBytes();
		Map<String, String> temporary = new LinkedHashMap<>();
		temporary.put("/tmp", "rw,exec,nosuid,nodev,mode=1777" + size);
		temporary.put(HOME, "rw,exec,nosuid,nodev,mode=0700" + owner + size);
		temporary.put("/run/kairo", "rw,noexec,nosuid,nodev,mode=0711,size=65536");
		// it would cover a directory that is mounted there
		spec.mounts().forEach((each) -> temporary.remove(each.target().toString()));
		return temporary;
	}

	/**
	 * Returns whether the engine can mount caches. On the same machine it can: the
	 * self-test has shown that it sees the directory of the sandbox, which is beside that
	 * of the caches.
	 * @return false also if the engine does not answer: then no container starts either
	 */
	boolean seesCaches() {
		CacheOptions caches = this.options.commands().caches();
		Path directory = this.options.commands().directory();
		Path seen = (directory != null) ? directory.getParent() : null;
		try {
			return caches != null && paths().maps(caches.directory(), seen);
		}
		catch (RuntimeException ex) {
			logger.log(Level.DEBUG, "It is not known whether the engine sees the caches", ex);
			return false;
		}
	}

	private EnginePaths paths() {
		EnginePaths known = this.paths;
		if (known == null) {
			known = EnginePaths.of(this.options.pathMappings(), this.engine);
			this.paths = known;
		}
		return known;
	}

	private List<Mount> mounts(List<MountPlan.Entry> entries) {
		EnginePaths paths = paths();
		return entries.stream().map((entry) -> mount(entry, paths)).toList();
	}

	private static Mount mount(MountPlan.Entry entry, EnginePaths paths) {
		Mount mount = new Mount().withTarget(entry.target().toString());
		return switch (entry.kind()) {
			case PINNED, WRITABLE ->
				mount.withType(MountType.BIND).withSource(paths.translate(entry.source()).toString());
			case READ_ONLY -> mount.withType(MountType.BIND)
				.withSource(paths.translate(entry.source()).toString())
				.withReadOnly(true)
				.withBindOptions(new Alone());
			case HIDDEN -> mount.withType(MountType.TMPFS)
				.withReadOnly(true)
				.withTmpfsOptions(new TmpfsOptions().withSizeBytes(HIDDEN_BYTES).withMode(HIDDEN_MODE));
		};
	}

	private static List<Ulimit> ulimits(CommandLimits limits) {
		Ulimit core = new Ulimit("core", 0L, 0L);
		Long fileSize = limits.fileSizeBytes();
		return (fileSize != null) ? List.of(core, new Ulimit("fsize", fileSize, fileSize)) : List.of(core);
	}

	private static long seconds(Duration duration) {
		return Math.max(1, duration.toSeconds());
	}

	private static String read(String resource) {
		try (InputStream script = Objects.requireNonNull(ContainerFactory.class.getResourceAsStream(resource))) {
			return new String(script.readAllBytes(), StandardCharsets.US_ASCII);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The launcher cannot be read", ex);
		}
	}

	/**
	 * Options for a mount without the mounts below it; those would be writable.
	 */
	private static final class Alone extends BindOptions {

		private static final long serialVersionUID = 1L;

		@Override
		public Map<String, Object> getRawValues() {
			return Map.of("NonRecursive", true);
		}

	}

}
