package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.ProcessSpec;
import io.kairo.sandbox.support.limits.LimitedCommand;
import org.jspecify.annotations.Nullable;

/**
 * The command line of bubblewrap. {@code setpriv} changes the user, and prevents the
 * process from gaining privileges unless the thread that starts it does so.
 *
 * @param setpriv the path of {@code setpriv}
 * @param bwrap the path of {@code bwrap}
 * @param runAs the user that commands run as, or null for the user of the JVM
 * @param direct whether the process is started without privileges
 * @param mark the environment entry that marks the processes for the reaper of orphans
 * @param session the session of the command; null for a command on its own
 */
record Bubblewrap(Path setpriv, Path bwrap, @Nullable HostUser runAs, boolean direct, Map<String, String> mark,
		@Nullable SessionNamespaces session) {

	/**
	 * Exit code of the shell if the command was not run.
	 */
	static final int NOT_RUN = 125;

	/** The path of the file that receives the last working directory. */
	static final String REPORT = "/run/kairo/directory";

	/** The beginning of a script whose processes leave no core dumps. */
	static final String NO_CORE_DUMPS = "ulimit -c 0; ";

	/** The beginning of a script without input. */
	static final String NO_INPUT = "exec </dev/null; ";

	/**
	 * Makes a program the first process of its PID namespace. Bubblewrap waits for its
	 * end then, but not for that of its own first process, which would remain a zombie
	 * where the JVM is process 1 and inherits it.
	 */
	static final List<String> FIRST_PROCESS = (ProcessHandle.current().pid() == 1) ? List.of("--as-pid-1") : List.of();

	/** A first process that only waits, also for orphans, and keeps its messages. */
	private static final List<String> WAIT = FIRST_PROCESS.isEmpty() ? List.of()
			: List.of("/bin/sh", "-c", "exec 3>&2 2>/dev/null; (exec \"$@\" 2>&3 3>&-); exit", "kairo");

	private static final List<String> NAMESPACES = List.of("--unshare-user", "--unshare-ipc", "--unshare-pid",
			"--unshare-uts", "--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--new-session",
			"--cap-drop", "ALL", "--hostname", "sandbox");

	/**
	 * Returns the arguments of bubblewrap that are kept out of the process list.
	 * @param network the network of this command
	 * @param system the mounts of the system
	 * @param mounts the mounts of this command
	 * @param environment the environment of the command
	 * @param startDirectory the working directory to start in
	 */
	List<String> arguments(Network network, List<String> system, List<String> mounts, List<String> environment,
			ControlFiles files, Path startDirectory) {
		List<String> arguments = new ArrayList<>(NAMESPACES);
		arguments.addAll(FIRST_PROCESS);
		if (network == Network.NONE && (this.session == null || !this.session.isOffline())) {
			arguments.add("--unshare-net");
		}
		arguments.addAll(environment);
		arguments.addAll(system);
		arguments.addAll(mounts);
		arguments.addAll(List.of("--bind", files.report().toString(), REPORT));
		arguments.addAll(List.of("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", startDirectory.toString()));
		return arguments;
	}

	/**
	 * Returns the network of a command.
	 * @param networks creates the network of a command on its own
	 */
	Networks.CommandNetwork network(Networks networks, ControlFiles files, TenantContext tenant) throws IOException {
		return (this.session != null) ? this.session.network().ofCommand() : networks.open(files, tenant);
	}

	/**
	 * Returns the process that runs a command. It has to start with the
	 * {@linkplain ControlFiles#inherited files} of the command open.
	 * @param command the program and its arguments in the sandbox, run when it is
	 * {@linkplain MountArguments#release released}
	 * @param limited the limits, applied first, while the process still has the
	 * permission
	 * @param network the network of the command; it may have to exist before the sandbox
	 */
	ProcessSpec spec(List<String> command, Duration killGrace, LimitedCommand limited,
			Networks.CommandNetwork network) {
		List<String> all = unprivileged();
		if (this.session != null) {
			all.addAll(this.session.prefix());
		}
		all.addAll(network.prefix(this.bwrap));
		all.addAll(List.of(this.bwrap.toString(), "--args", "" + ControlFiles.ARGUMENTS, "--json-status-fd",
				"" + ControlFiles.STATUS, "--seccomp", "" + ControlFiles.FILTER, "--block-fd", "" + ControlFiles.GATE,
				"--"));
		all.addAll(WAIT);
		all.addAll(command);
		return new ProcessSpec(limited.arguments(all), Path.of("/"), this.mark, true, killGrace, null, null);
	}

	/**
	 * Returns the beginning of a command line that runs a program as the user of
	 * commands.
	 */
	List<String> unprivileged() {
		List<String> arguments = new ArrayList<>();
		if (this.runAs != null || !this.direct) {
			arguments.addAll(List.of(this.setpriv.toString(), "--no-new-privs"));
		}
		if (this.runAs != null) {
			arguments.addAll(this.runAs.setprivArguments());
		}
		return arguments;
	}

}
