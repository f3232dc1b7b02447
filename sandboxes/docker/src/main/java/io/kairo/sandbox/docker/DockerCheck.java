package io.kairo.sandbox.docker;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.ContainerConfig;
import com.github.dockerjava.api.model.Info;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.support.CommandLimits;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the engine and the image can be used. A positive result is kept; a
 * negative one is kept for five seconds. Safe for use by several threads.
 */
final class DockerCheck {

	private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final DockerOptions options;

	private final DockerEngine engine;

	private final SelfTest selfTest;

	private @Nullable DockerImage image;

	private @Nullable BackendProblem problem;

	private long checkedAt;

	DockerCheck(DockerOptions options, DockerEngine engine, SelfTest selfTest) {
		this.options = options;
		this.engine = engine;
		this.selfTest = selfTest;
	}

	/**
	 * Returns the problem that prevents the use of the engine, or null. A missing image
	 * is pulled if that is wanted.
	 */
	synchronized @Nullable BackendProblem problemAfterPull() {
		boolean wanted = this.options.pull() == DockerOptions.Pull.IF_MISSING;
		boolean missing = Reason.IMAGE_MISSING.is(this.problem);
		return (wanted && (missing || !isKnown())) ? check(this::pulled) : problem();
	}

	/**
	 * Returns the problem that prevents the use of the engine, or null. Nothing is
	 * pulled.
	 */
	synchronized @Nullable BackendProblem problem() {
		return isKnown() ? this.problem : check(this.engine::image);
	}

	private boolean isKnown() {
		return this.image != null || (this.problem != null && System.nanoTime() - this.checkedAt < RETRY_NANOS);
	}

	private @Nullable BackendProblem check(Function<String, InspectImageResponse> images) {
		this.problem = examine(images);
		this.checkedAt = System.nanoTime();
		return this.problem;
	}

	private InspectImageResponse pulled(String name) {
		try {
			return this.engine.image(name);
		}
		catch (NotFoundException missing) {
			try {
				this.engine.pull(name);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new NotPulledException(ex);
			}
			catch (RuntimeException ex) {
				throw new NotPulledException(ex);
			}
			return this.engine.image(name);
		}
	}

	/**
	 * Returns the image.
	 * @throws SandboxException if the engine or the image cannot be used
	 */
	synchronized DockerImage image() {
		BackendProblem problem = problem();
		if (problem != null) {
			throw problem.toException();
		}
		return Objects.requireNonNull(this.image, "image");
	}

	/**
	 * Forgets an image that the engine does not have anymore, so that the next check
	 * looks for it.
	 */
	synchronized void forget(DockerImage image) {
		if (image.equals(this.image)) {
			this.image = null;
		}
	}

	/**
	 * Returns whether the memory of sockets is limited.
	 */
	synchronized boolean boundedSockets() {
		return this.image != null && this.image.boundedSockets();
	}

	/**
	 * Returns whether directories are copied instead of mounted.
	 */
	synchronized boolean copied() {
		return this.image != null && this.image.proof() == MountProof.COPIES;
	}

	/**
	 * Returns the limits of containers, of the options or by default.
	 */
	synchronized CommandLimits limits() {
		return (this.image != null) ? this.image.limits() : this.options.commands().limits();
	}

	/**
	 * Returns the limits that the runtime does not enforce, with the reasons.
	 */
	synchronized Map<SandboxCapability, String> gaps() {
		return (this.image != null) ? this.image.gaps() : Map.of();
	}

	private @Nullable BackendProblem examine(Function<String, InspectImageResponse> images) {
		try {
			this.engine.connect();
			Info info = this.engine.info();
			BackendProblem missing = missing(info);
			if (missing != null) {
				return missing;
			}
			InspectImageResponse found = images.apply(this.options.image());
			MountProof proof = MountProof.of(this.options.runtime(), info);
			return test(Objects.requireNonNull(found.getId(), "the digest of the image"), found.getConfig(), proof,
					DefaultLimits.complete(this.options.commands().limits(), info, proof));
		}
		catch (ApiVersion.UnsupportedException ex) {
			return Reason.API_UNSUPPORTED.found(ContainerFactory.message(ex));
		}
		catch (NotFoundException ex) {
			return Reason.IMAGE_MISSING.found("there is no image " + this.options.image());
		}
		catch (NotPulledException ex) {
			return Reason.IMAGE_NOT_PULLED
				.found("the engine did not pull " + this.options.image() + ": " + ContainerFactory.message(ex));
		}
		catch (RuntimeException ex) {
			return (isForbidden() ? Reason.SOCKET_FORBIDDEN : Reason.DAEMON_UNREACHABLE)
				.found("the engine" + address() + ": " + ContainerFactory.message(ex));
		}
	}

	/**
	 * Returns whether this user may not connect to the socket.
	 */
	private boolean isForbidden() {
		String prefix = " at unix://";
		String address = address();
		Path socket = address.startsWith(prefix) ? Path.of(address.substring(prefix.length())) : null;
		return socket != null && Files.exists(socket) && !Files.isWritable(socket);
	}

	private String address() {
		try {
			return " at " + this.engine.address();
		}
		catch (RuntimeException ex) {
			// the environment variable DOCKER_HOST may be malformed
			return "";
		}
	}

	private @Nullable BackendProblem missing(Info info) {
		String runtime = this.options.runtime();
		if (runtime != null && info.getRuntimes() != null && !info.getRuntimes().containsKey(runtime)) {
			return Reason.RUNTIME_MISSING
				.found("there is no runtime " + runtime + ", only " + info.getRuntimes().keySet());
		}
		Map<SandboxCapability, String> limits = this.options.commands().limits().set();
		if (limits.containsKey(SandboxCapability.MEMORY_LIMIT) && !Boolean.TRUE.equals(info.getMemoryLimit())) {
			return unsupported(limits.get(SandboxCapability.MEMORY_LIMIT));
		}
		if (limits.containsKey(SandboxCapability.CPU_LIMIT) && !Boolean.TRUE.equals(info.getCpuCfsQuota())) {
			return unsupported(limits.get(SandboxCapability.CPU_LIMIT));
		}
		if (limits.containsKey(SandboxCapability.PIDS_LIMIT) && !DefaultLimits.hasPids(info)) {
			return unsupported(limits.get(SandboxCapability.PIDS_LIMIT));
		}
		return null;
	}

	private static BackendProblem unsupported(@Nullable String limit) {
		return Reason.LIMIT_UNSUPPORTED.found("the engine cannot enforce " + limit);
	}

	private @Nullable BackendProblem test(String id, @Nullable ContainerConfig config, MountProof proof,
			CommandLimits limits) {
		Map<?, ?> volumes = (config != null) ? config.getVolumes() : null;
		if (volumes != null && !volumes.isEmpty()) {
			return Reason.IMAGE_UNSUITABLE
				.found("the image has volumes, which commands could fill without a bound: " + volumes.keySet());
		}
		String[] variables = (config != null && config.getEnv() != null) ? config.getEnv() : new String[0];
		SelfTest.Result result = this.selfTest.run(id, proof, limits);
		if (result.problem() == null) {
			this.image = new DockerImage(id, DockerImage.environment(variables), result.shell(),
					result.boundedSockets(), result.proof(), limits, result.gaps());
		}
		return result.problem();
	}

	/**
	 * Thrown if an image could not be pulled.
	 */
	private static final class NotPulledException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		NotPulledException(Exception cause) {
			super(cause);
		}

	}

	/**
	 * Runs a command in a container of an image.
	 */
	interface SelfTest {

		/**
		 * Runs the test.
		 * @param image the digest of the image
		 * @param proof the proof that the mounts match the plan, if directories are
		 * mounted
		 * @param limits the limits of resources
		 */
		Result run(String image, MountProof proof, CommandLimits limits);

		/**
		 * The result.
		 *
		 * @param problem the problem, or null
		 * @param shell the shell of the image, empty if there is a problem
		 * @param boundedSockets whether the memory of sockets is limited
		 * @param gaps the limits that the runtime does not enforce, with the reasons
		 * @param proof the proof that the mounts match the plan
		 */
		record Result(@Nullable BackendProblem problem, String shell, boolean boundedSockets,
				Map<SandboxCapability, String> gaps, MountProof proof) {

		}

	}

}
