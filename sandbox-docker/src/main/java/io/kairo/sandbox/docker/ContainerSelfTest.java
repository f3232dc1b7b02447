package io.kairo.sandbox.docker;

import java.io.IOException;
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
import io.kairo.sandbox.docker.DockerProblem.Reason;
import io.kairo.sandbox.support.mount.MountPlan;
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
 */
record ContainerSelfTest(DockerOptions options, ContainerFactory factory,
		PrivateDirectory directory) implements DockerCheck.SelfTest {

	private static final Path TARGET = Path.of("/workspace");

	private static final HostUser NOBODY = new HostUser(65534, 65534);

	/** Needs no program but the shell. */
	private static final String SCRIPT = """
			shell=$(command -v bash || command -v sh)
			echo "shell $shell"
			read -r token < /workspace/token
			echo "token $token"
			while read -r name value rest; do
				case $name in Uid: | CapEff:) echo "$name $value" ;; esac
			done < /proc/self/status
			( : > /kairo-canary ) 2>/dev/null && echo "root is writable"
			( : > /workspace/canary ) 2>/dev/null && echo "workspace is writable"
			while read -r name rest; do
				case $name in lo:* | Inter* | face*) ;; *) echo "interface $name" ;; esac
			done < /proc/net/dev
			echo done
			""";

	@Override
	public Result run(String image, MountProof proof) {
		String token = UUID.randomUUID().toString();
		Path shown = null;
		try {
			shown = this.directory.newPath("shown");
			Files.createDirectory(shown);
			Files.setPosixFilePermissions(shown, PosixFilePermissions.fromString("rwxr-xr-x"));
			Files.writeString(shown.resolve("token"), token + "\n");
			AtomicBoolean bounded = new AtomicBoolean();
			Map<SandboxCapability, String> gaps = new EnumMap<>(SandboxCapability.class);
			return evaluate(run(image, proof, shown, bounded, gaps), token, bounded, gaps);
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
		}
	}

	private List<String> run(String image, MountProof proof, Path shown, AtomicBoolean boundedSockets,
			Map<SandboxCapability, String> gaps) throws IOException {
		MountPlan plan = new MountPlan();
		plan.add(MountPlan.Kind.READ_ONLY, shown.toRealPath(), TARGET);
		ContainerSpec spec = new ContainerSpec("", null, user(), plan.entries(), plan.lines());
		OutputLog log = new OutputLog(1 << 16, 0, this.directory);
		Container container = this.factory.start(image, spec, proof, () -> {
		});
		boundedSockets.set(container.boundedSockets());
		gaps.putAll(gaps(container.gofer()));
		try {
			ContainerCommand command = new ContainerCommand(container, null, log, new Roots(List.of()), false,
					this.options.killGrace(), () -> {
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
		HostUser own = HostUser.current();
		HostUser runAs = this.options.runAs();
		return (runAs != null) ? runAs : (own == null || own.uid() == 0) ? NOBODY : own;
	}

	private Result evaluate(List<String> lines, String token, AtomicBoolean boundedSockets,
			Map<SandboxCapability, String> gaps) {
		if (!lines.isEmpty() && lines.get(0).startsWith("problem ")) {
			String problem = lines.get(0).substring("problem ".length());
			return failed(reason(problem), problem);
		}
		List<String> expected = new ArrayList<>(
				List.of("token " + token, "Uid: " + user().uid(), "CapEff: 0000000000000000", "done"));
		String shell = "";
		for (String line : lines) {
			if (line.startsWith("shell /")) {
				shell = line.substring("shell ".length());
			}
			else if (!expected.remove(line)) {
				return failed(line.startsWith("token") ? Reason.FILES_NOT_SHARED : Reason.CANARY_FAILED,
						"the self-test found '" + line + "'");
			}
		}
		if (!expected.isEmpty() || shell.isEmpty()) {
			return failed(Reason.CANARY_FAILED, "the self-test printed " + lines);
		}
		return new Result(null, shell, boundedSockets.get(), gaps);
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
		return new Result(new DockerProblem(reason, String.valueOf(detail)), "", false, Map.of());
	}

}
