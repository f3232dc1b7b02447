package io.kairo.sandbox.docker;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.backend.LaunchedCommand;
import io.kairo.sandbox.support.CommandDirectory;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.Sessions;
import io.kairo.sandbox.support.WatchedCommand;
import io.kairo.sandbox.support.cache.CacheMounts;
import io.kairo.sandbox.support.mount.CommandMounts;
import io.kairo.sandbox.support.mount.MountPlaceholders;
import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.mount.OwnerAccess;
import io.kairo.sandbox.support.mount.RequestMounts;
import io.kairo.sandbox.support.mount.Roots;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.proxy.AllowListProxy;
import io.kairo.sandbox.support.proxy.ProxyTunnels;
import org.jspecify.annotations.Nullable;

/**
 * Starts commands in containers: in an idle one with the right mounts, else in a new one.
 * Safe for use by several threads.
 */
final class ContainerLaunch {

	/** The answer of the launcher if something else is mounted than planned. */
	static final String OTHER_MOUNTS = "mounts";

	private static final Logger logger = System.getLogger(ContainerLaunch.class.getName());

	private final DockerOptions options;

	private final PrivateDirectory directory;

	private final Containers containers;

	private final ContainerFactory factory;

	private final @Nullable AllowListProxy proxy;

	private final RequestMounts mounts;

	private final CacheMounts caches;

	/**
	 * Creates the value.
	 * @param directory the directory for the output of commands
	 * @param proxy the proxy to the hosts of an allow-list, null if there is none
	 * @param caches the caches of tenants
	 */
	ContainerLaunch(DockerOptions options, PrivateDirectory directory, Containers containers, ContainerFactory factory,
			@Nullable AllowListProxy proxy, CacheMounts caches) {
		this.options = options;
		this.directory = directory;
		this.containers = containers;
		this.factory = factory;
		this.proxy = proxy;
		this.caches = caches;
		this.mounts = new RequestMounts(() -> List.of(directory.path()), options.commands().hiddenPaths(),
				new MountPlaceholders(directory));
	}

	/**
	 * Starts the command of a request.
	 * @param variables the environment of the command
	 * @param command the program and its arguments
	 * @throws SandboxException if it cannot be started
	 */
	RunningCommand start(DockerImage image, SandboxRequest request, List<String> variables, List<String> command,
			OutputLog log) {
		HostUser user = new ContainerUser(this.options.commands().runAs(), HostUser.current()).of(request);
		boolean copied = image.proof() == MountProof.COPIES;
		OwnerAccess access = new OwnerAccess((root, program) -> run(image, request, user, root, program), user);
		if (!copied) {
			// what is copied back is never closed to its owner
			this.mounts.restore(request, access);
		}
		Path directory = CommandDirectory.of(request);
		Roots roots = Roots.of(request);
		Path start = roots.toTarget(directory);
		// what is mounted may have been replaced since an idle container was created
		for (boolean again = false;; again = true) {
			roots.requireMountable();
			CommandMounts mounts = this.mounts.create(request, roots, access, Map.of());
			CacheMounts.Use caches = CacheMounts.Use.NONE;
			Container used = null;
			ContainerCommand running = null;
			boolean started = false;
			try {
				CacheMounts.Use own = (copied || !this.factory.seesCaches()) ? CacheMounts.Use.NONE
						: this.caches.addTo(mounts.plan(), request, user);
				caches = own;
				WorkspaceCopy copy = copied
						? new WorkspaceCopy(roots, mounts.plan(), user, this.directory, this.options.maxCopyBytes())
						: null;
				ContainerSpec spec = spec(image, request, user, roots, mounts.plan());
				Container idle = again ? null : this.containers.take(spec);
				Container taken = (idle != null) ? idle : start(image, spec, copy, mounts.keepPlaceholders());
				used = taken;
				ProxyTunnels tunnels = (this.proxy != null && !request.attributes().withoutNetwork())
						? ProxyTunnels.open(this.proxy, this.directory, request.tenant(), taken::send) : null;
				running = new ContainerCommand(taken, tunnels, log, roots, request.attributes().stdin(),
						this.options.commands().killGrace(), () -> {
							try (own) {
								mounts.close();
								this.containers.giveBack(taken);
							}
						});
				String problem = running
					.start(payload(start, request.attributes().stdin(), taken.lines(), variables, command));
				started = problem != null && problem.isEmpty();
				if (started) {
					RunningCommand told = (tunnels != null) ? tunnels.reportingRefusals(running, log) : running;
					return (copy != null) ? new WatchedCommand(told, log, () -> taken.copyBack(copy), () -> {
					}) : told;
				}
				boolean unusable = problem == null || problem.equals(OTHER_MOUNTS);
				if (unusable) {
					this.containers.discardLater(taken);
				}
				// no command is run twice
				if (idle == null || !unusable || !running.refused()) {
					throw refused(problem, start, taken);
				}
			}
			finally {
				if (!started) {
					release(mounts, caches, used, running);
				}
			}
		}
	}

	/**
	 * Releases what was prepared for a command that was not started.
	 */
	private void release(CommandMounts mounts, CacheMounts.Use caches, @Nullable Container container,
			@Nullable ContainerCommand command) {
		if (command != null) {
			command.release();
			return;
		}
		try (caches) {
			if (container != null) {
				this.containers.discardLater(container);
			}
			mounts.close();
		}
	}

	/**
	 * Runs a program in a container with a single root, and waits until it has ended.
	 * @throws IOException if the mount table of the host cannot be read, or the container
	 * is lost
	 */
	private void run(DockerImage image, SandboxRequest request, HostUser user, Path root, List<String> program)
			throws IOException {
		MountPlan plan = new MountPlan();
		plan.add(MountPlan.Kind.WRITABLE, root, OwnerAccess.Runner.TARGET);
		ContainerSpec spec = ContainerSpec.mounted(request.tenant().tenantId(), null, user, plan, image.limits());
		Container idle = this.containers.take(spec);
		Container taken = (idle != null) ? idle : start(image, spec, null, () -> {
		});
		OutputLog log = new OutputLog(1, 0, this.directory);
		ContainerCommand running = new ContainerCommand(taken, null, log, Roots.of(request), false,
				this.options.commands().killGrace(), () -> this.containers.giveBack(taken));
		try {
			String problem = running.start(payload(Path.of("/"), false, taken.lines(), List.of(), program));
			if ("".equals(problem)) {
				running.await();
			}
			else {
				this.containers.discardLater(taken);
			}
		}
		catch (IllegalStateException ex) {
			throw new IOException("The container of a program was lost: " + ex.getMessage(), ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			running.release();
			log.close();
			log.release();
		}
	}

	/**
	 * Starts a container. It uses the network of another container of its session, if
	 * there is one, and neither has a proxy there, nor a runtime that does not share
	 * networks.
	 * @param copy the directories to copy into it, null to mount them
	 * @param end called when the container is gone
	 */
	private Container start(DockerImage image, ContainerSpec spec, @Nullable WorkspaceCopy copy, Runnable end) {
		if (this.proxy != null || this.options.runtime() != null) {
			return start(image, spec, copy, null, end);
		}
		String peer = this.containers.ofSession(spec);
		if (peer == null) {
			try {
				return start(image, spec, copy, null, end);
			}
			finally {
				this.containers.started(spec);
			}
		}
		try {
			Container container = start(image, spec, copy, peer, () -> {
			});
			container.whenGone(end);
			return container;
		}
		catch (SandboxException ex) {
			logger.log(Level.DEBUG, "A container cannot use the network of another one, which may have ended", ex);
			return start(image, spec, copy, null, end);
		}
	}

	private Container start(DockerImage image, ContainerSpec spec, @Nullable WorkspaceCopy copy, @Nullable String peer,
			Runnable end) {
		Container container = this.factory.start(image.id(), spec, image.proof(), copy, peer, end);
		if (image.boundedSockets() && !spec.copied() && !container.boundedSockets()) {
			container.discard();
			throw new SandboxException(SandboxErrorCode.START_FAILED,
					"The memory of the sockets of a command could not be limited", "try again");
		}
		if (!this.containers.add(container)) {
			container.discard();
			throw new SandboxException(SandboxErrorCode.CLOSED, "The sandbox is closed",
					"start commands before closing it");
		}
		return container;
	}

	private static SandboxException refused(@Nullable String problem, Path directory, Container container) {
		if (problem == null) {
			return new SandboxException(SandboxErrorCode.START_FAILED,
					"The container of a command did not answer" + complaint(container), "try again");
		}
		if (problem.equals(OTHER_MOUNTS)) {
			return new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
					"A directory was replaced while it was being mounted, so the command was not run", "try again");
		}
		return LaunchedCommand.refusal(problem, directory, "too many processes, or an environment that is too large");
	}

	private static String complaint(Container container) {
		String complaints = container.complaints();
		return complaints.isEmpty() ? "" : ": " + complaints;
	}

	private static ContainerSpec spec(DockerImage image, SandboxRequest request, HostUser user, Roots roots,
			MountPlan plan) {
		String tenant = request.tenant().tenantId();
		String session = Sessions.nameOf(request);
		try {
			return (image.proof() == MountProof.COPIES)
					? ContainerSpec.copied(tenant, session, user, plan, roots.targets(), image.limits())
					: ContainerSpec.mounted(tenant, session, user, plan, image.limits());
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.START_FAILED, "The mount table of this machine cannot be read",
					"see the cause", ex);
		}
	}

	/**
	 * Returns a command for the launcher.
	 */
	static byte[] payload(Path directory, boolean stdin, List<String> lines, List<String> variables,
			List<String> command) {
		List<String> fields = new ArrayList<>();
		fields.add(directory.toString());
		fields.add(stdin ? "1" : "");
		fields.add(Integer.toString(lines.size()));
		fields.add(Integer.toString(variables.size()));
		fields.addAll(lines);
		fields.addAll(variables);
		fields.addAll(command);
		return String.join("\0", fields).getBytes(StandardCharsets.UTF_8);
	}

}
