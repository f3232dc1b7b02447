package io.kairo.sandbox.docker;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.host.HostUser;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.mount.Root;
import io.kairo.sandbox.support.mount.Roots;
import io.kairo.sandbox.support.output.OutputLog;
import org.jspecify.annotations.Nullable;

/**
 * Runs a command in a container that sees a directory of this machine, and that has to be
 * confined as the container of any other command.
 *
 * @param options the options of the sandbox
 * @param factory creates the container
 * @param directory the parent of the directory that the container sees
 * @param proxied whether commands reach a proxy; sockets are created for it
 */
record ContainerSelfTest(DockerOptions options, ContainerFactory factory, PrivateDirectory directory,
		boolean proxied) implements DockerCheck.SelfTest {

	private static final Logger logger = System.getLogger(ContainerSelfTest.class.getName());

	private static final Path TARGET = Path.of("/workspace");

	/** A directory of the user of commands, closed to others. */
	private static final Path OWN = Path.of("/own");

	private static final String UNWRITABLE = "own directory is not writable";

	private static final String FILTER = "Seccomp:";

	private static final List<SandboxCapability> LIMITS = List.of(SandboxCapability.MEMORY_LIMIT,
			SandboxCapability.CPU_LIMIT, SandboxCapability.PIDS_LIMIT);

	private static final HostUser NOBODY = new HostUser(65534, 65534);

	/** Needs no program but the shell. */
	private static final String SCRIPT = """
			shell=$(command -v bash || command -v sh)
			echo "shell $shell"
			read -r token < /workspace/token
			echo "token $token"
			while read -r name value rest; do
				case $name in Uid: | CapEff: | Seccomp:) echo "$name $value" ;; esac
			done < /proc/self/status
			( : > /kairo-canary ) 2>/dev/null && echo "root is writable"
			( : > /workspace/canary ) 2>/dev/null && echo "workspace is writable"
			( : > /own/canary ) 2>/dev/null || echo "own directory is not writable"
			while read -r name rest; do
				case $name in lo:* | Inter* | face*) ;; *) echo "interface $name" ;; esac
			done < /proc/net/dev
			echo done
			""";

	/**
	 * {@inheritDoc}
	 * <p>
	 * If the engine does not see the files of this machine, or commands cannot write the
	 * files of their user, it is tested with copies, unless the options say that
	 * directories have to be mounted.
	 */
	@Override
	public Result run(String image, MountProof proof, CommandLimits limits) {
		DockerOptions.Workspaces workspaces = this.options.workspaces();
		if (workspaces == DockerOptions.Workspaces.COPY) {
			return test(image, proof, MountProof.COPIES, limits);
		}
		Result mounted = test(image, proof, proof, limits);
		BackendProblem problem = mounted.problem();
		if (workspaces == DockerOptions.Workspaces.MOUNT || problem == null || !Reason.FILES_NOT_SHARED.is(problem)) {
			return mounted;
		}
		Result copied = test(image, proof, MountProof.COPIES, limits);
		if (copied.problem() == null) {
			logger.log(Level.INFO, "The directories of commands cannot be mounted (" + problem.finding()
					+ "), so they are copied into containers and back");
		}
		return copied;
	}

	private Result test(String image, MountProof runtime, MountProof proof, CommandLimits limits) {
		String token = UUID.randomUUID().toString();
		Path shown = null;
		Path own = null;
		try {
			if (this.proxied) {
				requireSocket(this.directory.newPath("proxy"));
			}
			shown = this.directory.newPath("shown");
			Files.createDirectory(shown);
			Files.setPosixFilePermissions(shown, PosixFilePermissions.fromString("rwxr-xr-x"));
			Files.writeString(shown.resolve("token"), token + "\n");
			AtomicBoolean bounded = new AtomicBoolean();
			Map<SandboxCapability, String> gaps = new EnumMap<>(SandboxCapability.class);
			own = createOwn();
			List<String> lines = run(image, proof, limits, shown.toRealPath(), own.toRealPath(), bounded, gaps);
			if (proof == MountProof.COPIES && runtime == MountProof.GOFER) {
				LIMITS.forEach((limit) -> gaps.put(limit, "what gVisor enforces on another machine is not known"));
			}
			return evaluate(lines, expected(token, runtime), bounded, gaps, proof);
		}
		catch (SandboxException ex) {
			boolean unproven = ex.getCause() instanceof Gofer.UnprovenException;
			return failed(unproven ? Reason.MOUNTS_UNPROVEN : reason(ex.problem()), ex.problem());
		}
		catch (IOException ex) {
			return failed(Reason.CANARY_FAILED, "the self-test could not be run: " + ex.getMessage());
		}
		finally {
			if (shown != null) {
				shown.resolve("token").toFile().delete();
				shown.toFile().delete();
			}
			if (own != null) {
				own.resolve("canary").toFile().delete();
				own.toFile().delete();
			}
		}
	}

	private List<String> run(String image, MountProof proof, CommandLimits limits, Path real, Path own,
			AtomicBoolean boundedSockets, Map<SandboxCapability, String> gaps) throws IOException {
		MountPlan plan = new MountPlan();
		plan.add(MountPlan.Kind.READ_ONLY, real, TARGET);
		plan.add(MountPlan.Kind.WRITABLE, own, OWN);
		boolean copied = proof == MountProof.COPIES;
		Roots roots = new Roots(List.of(new Root(real, real, TARGET, false), new Root(own, own, OWN, true)));
		WorkspaceCopy copy = copied
				? new WorkspaceCopy(roots, plan, user(), this.directory, this.options.maxCopyBytes()) : null;
		ContainerSpec spec = copied ? ContainerSpec.copied("", null, user(), plan, roots.targets(), limits)
				: ContainerSpec.mounted("", "self-test", user(), plan, limits);
		OutputLog log = new OutputLog(1 << 16, 0, this.directory);
		Container container = start(image, spec, proof, copy);
		boundedSockets.set(copied ? this.factory.countsSockets() : container.boundedSockets());
		gaps.putAll(gaps(container.gofer()));
		try {
			ContainerCommand command = new ContainerCommand(container, null, log, new Roots(List.of()), false,
					this.options.commands().killGrace(), () -> {
					});
			String problem = command.start(ContainerLaunch.payload(TARGET, false, container.lines(), List.of(),
					List.of("/bin/sh", "-c", SCRIPT)));
			if (problem == null || !problem.isEmpty()) {
				return List.of("problem " + ((problem != null) ? problem : container.complaints()));
			}
			command.await();
			log.close();
			return lines(log);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return List.of("problem interrupted");
		}
		catch (IllegalStateException ex) {
			return List.of("problem " + ex.getMessage());
		}
		finally {
			container.discard();
			log.close();
			log.release();
		}
	}

	/**
	 * Starts a container with directories as those that the containers of a session
	 * share, or its own where the engine cannot share any.
	 */
	private Container start(String image, ContainerSpec spec, MountProof proof, @Nullable WorkspaceCopy copy) {
		this.factory.volumes().supported(true);
		try {
			return this.factory.start(image, spec, proof, copy, null, () -> {
			});
		}
		catch (SandboxException ex) {
			if (!this.factory.volumes().supported(false)) {
				throw ex;
			}
			Container container = this.factory.start(image, spec, proof, copy, null, () -> {
			});
			logger.log(Level.INFO, "The containers of a session have temporary files of their own, since the engine"
					+ " shares none: " + ex.problem());
			return container;
		}
	}

	/**
	 * Creates a socket as for the proxy of a command, and removes it.
	 * @throws IOException if that is not possible, usually because its path is too long
	 */
	private static void requireSocket(Path socket) throws IOException {
		try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
			server.bind(UnixDomainSocketAddress.of(socket));
		}
		catch (IOException ex) {
			throw new IOException("the proxy cannot listen at " + socket + " (" + ex.getMessage()
					+ "): use a state directory with a shorter path", ex);
		}
		finally {
			Files.deleteIfExists(socket);
		}
	}

	/**
	 * Creates a directory that belongs to the user of commands, or is open to it if this
	 * JVM may not give it away. Only root and this user can reach it.
	 */
	private Path createOwn() throws IOException {
		Path own = this.directory.newPath("own");
		Files.createDirectory(own, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
		HostUser current = HostUser.current();
		if (current != null && current.uid() == 0) {
			user().own(own);
		}
		else if (current == null || current.uid() != user().uid()) {
			Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
		}
		return own;
	}

	/**
	 * Returns the limits that gVisor does not enforce.
	 */
	private static Map<SandboxCapability, String> gaps(@Nullable Gofer gofer) {
		Map<SandboxCapability, String> gaps = new EnumMap<>(SandboxCapability.class);
		if (gofer != null) {
			gaps.put(SandboxCapability.PIDS_LIMIT, "control groups count the threads of gVisor, not its processes");
			if (!gofer.isLimited("memory")) {
				gaps.put(SandboxCapability.MEMORY_LIMIT, "gVisor is not in the control group of the container");
			}
			if (!gofer.isLimited("cpu")) {
				gaps.put(SandboxCapability.CPU_LIMIT, "gVisor is not in the control group of the container");
			}
		}
		return gaps;
	}

	private static List<String> lines(OutputLog log) {
		StringBuilder text = new StringBuilder();
		for (SandboxOutputChunk chunk : log.chunks().toIterable()) {
			text.append(new String(chunk.data(), StandardCharsets.UTF_8));
		}
		return text.toString().lines().toList();
	}

	private HostUser user() {
		HostUser user = new ContainerUser(this.options.commands().runAs(), HostUser.current()).ofApplication();
		return (user != null) ? user : NOBODY;
	}

	private List<String> expected(String token, MountProof runtime) {
		List<String> expected = new ArrayList<>(
				List.of("token " + token, "Uid: " + user().uid(), "CapEff: 0000000000000000", "done"));
		if (runtime != MountProof.GOFER) {
			expected.add(FILTER + " 2");
		}
		return expected;
	}

	private Result evaluate(List<String> lines, List<String> expected, AtomicBoolean boundedSockets,
			Map<SandboxCapability, String> gaps, MountProof proof) {
		if (!lines.isEmpty() && lines.get(0).startsWith("problem ")) {
			String problem = lines.get(0).substring("problem ".length());
			return failed(reason(problem), problem);
		}
		boolean filtered = expected.stream().anyMatch((line) -> line.startsWith(FILTER));
		String shell = "";
		for (String line : lines) {
			if (line.startsWith("shell /")) {
				shell = line.substring("shell ".length());
			}
			else if (!expected.remove(line) && (filtered || !line.startsWith(FILTER))) {
				return unexpected(line);
			}
		}
		if (!expected.isEmpty() || shell.isEmpty()) {
			return failed(Reason.CANARY_FAILED, "the self-test printed " + lines);
		}
		return new Result(null, shell, boundedSockets.get(), gaps, proof);
	}

	private Result unexpected(String line) {
		if (line.equals(UNWRITABLE)) {
			return failed(Reason.FILES_NOT_SHARED,
					"commands run as user " + user().uid()
							+ " and cannot write a directory of that user, as where the engine maps users to others"
							+ " (userns-remap, or an engine without root)");
		}
		if (line.startsWith(FILTER)) {
			return failed(Reason.CANARY_FAILED, "the engine does not filter system calls (" + line + ")");
		}
		return failed(line.startsWith("token") ? Reason.FILES_NOT_SHARED : Reason.CANARY_FAILED,
				"the self-test found '" + line + "'");
	}

	private static Reason reason(String problem) {
		if (problem.equals("mounts") || problem.contains(EnginePaths.NOT_SHARED)
				|| problem.contains("bind source path does not exist")) {
			return Reason.FILES_NOT_SHARED;
		}
		if (problem.contains("perl") || problem.startsWith("shell: ")) {
			return Reason.IMAGE_UNSUITABLE;
		}
		return Reason.CANARY_FAILED;
	}

	private static Result failed(Reason reason, @Nullable String detail) {
		return new Result(reason.found(String.valueOf(detail)), "", false, Map.of(), MountProof.TABLE);
	}

}
