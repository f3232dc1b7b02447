package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.PrivateDirectory;
import io.kairo.host.Sha256;
import io.kairo.sandbox.backend.LaunchedCommand;
import io.kairo.sandbox.support.CommandDirectory;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.Sessions;
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
import io.kairo.sandbox.support.seccomp.SeccompArchitecture;
import io.kairo.sandbox.support.seccomp.SeccompFilter;
import io.kairo.sandbox.support.seccomp.SeccompFilter.Facility;
import org.jspecify.annotations.Nullable;

/**
 * Starts commands in machines: in the one of their tenant and directories, else in a new
 * one. Safe for use by several threads.
 */
final class MachineLaunch {

	private final MicroVmOptions options;

	private final PrivateDirectory control;

	private final Machines machines;

	private final MachineFactory factory;

	private final OwnerAccess access;

	private final RequestMounts mounts;

	private final @Nullable AllowListProxy proxy;

	private final byte[] filter;

	private final CacheMounts caches;

	/**
	 * Creates the value.
	 * @param control the private directory for sockets
	 * @param output the private directory for output
	 * @param proxy the proxy to the hosts of an allow-list, null if there is none
	 * @param caches the caches of tenants
	 */
	MachineLaunch(MicroVmOptions options, PrivateDirectory control, PrivateDirectory output, Machines machines,
			MachineFactory factory, @Nullable AllowListProxy proxy, CacheMounts caches) {
		this.proxy = proxy;
		this.caches = caches;
		this.options = options;
		this.control = control;
		this.mounts = new RequestMounts(() -> List.of(control.path(), output.path()), options.commands().hiddenPaths(),
				new MountPlaceholders(output));
		this.machines = machines;
		this.factory = factory;
		this.access = new OwnerAccess(factory::run, options.commands().runAs());
		SeccompArchitecture architecture = SeccompArchitecture.ofThisMachine();
		// the kernel whose facilities these are is that of the machine
		this.filter = (architecture != null) ? SeccompFilter.create(architecture, EnumSet.allOf(Facility.class))
				: new byte[0];
	}

	/**
	 * Starts the command of a request.
	 * @param accelerator the accelerator of a new machine
	 * @param variables the environment of the command
	 * @param arguments the program and its arguments
	 * @throws SandboxException if it cannot be started
	 */
	RunningCommand start(String accelerator, SandboxRequest request, List<String> variables, List<String> arguments,
			OutputLog log) {
		this.mounts.restore(request, this.access);
		Path directory = CommandDirectory.of(request);
		Roots roots = Roots.of(request);
		this.access.requireEntry(roots);
		Path start = roots.toTarget(directory);
		// a machine may end between two commands
		for (boolean again = false;; again = true) {
			roots.requireMountable();
			CommandMounts mounts = this.mounts.create(request, roots, this.access, Map.of());
			CacheMounts.Use caches = CacheMounts.Use.NONE;
			Machines.Lease lease = null;
			GuestCommand command = null;
			boolean started = false;
			try {
				CacheMounts.Use own = this.caches.addTo(mounts.plan(), request, null);
				caches = own;
				MachineSpec spec = spec(request, roots, mounts.plan(), own.targets());
				Machines.Lease taken = this.machines.acquire(spec, (ahead) -> boot(spec, accelerator, mounts, ahead));
				lease = taken;
				ProxyTunnels tunnels = (this.proxy != null && !request.attributes().withoutNetwork())
						? ProxyTunnels.open(this.proxy, this.control, request.tenant(), taken.machine().connections())
						: null;
				GuestCommand created = new GuestCommand(taken.machine().nextId(), taken.machine(), tunnels, log, roots,
						request.attributes().stdin(), this.options.commandLimits(), this.options.commands().killGrace(),
						() -> release(mounts, own, taken));
				GuestStart message = new GuestStart(this.factory.confinement().user(), request.attributes().stdin(),
						tunnels != null, this.options.commandLimits(), this.options.tmpfsBytes(), this.filter,
						session(request), start, spec.targets(), arguments, variables);
				if (taken.machine().start(created, message.toBytes())) {
					command = created;
					String problem = created.awaitStart();
					started = "".equals(problem);
					if (started) {
						return (tunnels != null) ? tunnels.reportingRefusals(created, log) : created;
					}
					throw refused(problem, start, taken.machine());
				}
				if (tunnels != null) {
					tunnels.close();
				}
				if (again) {
					throw refused(null, start, taken.machine());
				}
			}
			finally {
				if (command != null && !started) {
					command.release();
				}
				else if (!started) {
					release(mounts, caches, lease);
				}
			}
		}
	}

	/**
	 * Returns the name of what the commands of a session share. A machine has one tenant.
	 */
	private static String session(SandboxRequest request) {
		String session = Sessions.nameOf(request);
		return (session != null) ? Sha256.hex(session, 16) : "";
	}

	/**
	 * Gives a machine back before what is mounted is moved aside: without that it would
	 * be of no use any more.
	 */
	private static void release(CommandMounts mounts, CacheMounts.Use caches, Machines.@Nullable Lease lease) {
		try (caches) {
			if (lease != null) {
				lease.close();
			}
			mounts.close();
		}
	}

	/**
	 * Starts a machine, unless one that was started ahead can be used, and keeps its
	 * placeholders until it has ended.
	 */
	private Machine boot(MachineSpec spec, String accelerator, CommandMounts mounts,
			@Nullable PrestartedMachine ahead) {
		Runnable kept = mounts.keepPlaceholders();
		boolean started = false;
		try {
			Machine machine = (ahead != null && ahead.become(spec)) ? ahead.machine()
					: this.factory.start(spec, accelerator);
			started = true;
			machine.whenGone(kept);
			return machine;
		}
		finally {
			if (!started) {
				kept.run();
			}
		}
	}

	private MachineSpec spec(SandboxRequest request, Roots roots, MountPlan plan, List<Path> caches) {
		try {
			return MachineSpec.of(request.tenant().tenantId(), roots, plan, caches);
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
					"A directory was replaced while it was being mounted, so the command was not run", "try again", ex);
		}
	}

	private static SandboxException refused(@Nullable String problem, Path directory, Machine machine) {
		if (problem == null) {
			return new SandboxException(SandboxErrorCode.START_FAILED,
					"The virtual machine of a command has ended or does not answer: " + machine.lastWords(),
					"try again");
		}
		return LaunchedCommand.refusal(problem, directory,
				"too many processes, too little memory of the machine, or an environment that is too large");
	}

}
