package io.kairo.sandbox.bubblewrap;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kairo.sandbox.bubblewrap.BubblewrapOptions.Network;
import io.kairo.sandbox.support.LimitedCommand;
import io.kairo.sandbox.support.ProcessSpec;
import org.jspecify.annotations.Nullable;

/**
 * Puts together what is needed to run a command in bubblewrap: {@code setpriv} changes
 * the user and makes the kernel end it with the thread that started it, a shell opens the
 * files that a JVM cannot pass on, and makes sure that the JVM did not end before the
 * kernel was told.
 *
 * @param setpriv the program
 * @param bwrap the program
 * @param runAs who commands run as, or null
 * @param mark the environment by which the {@link OrphanReaper} knows the processes
 */
record Bubblewrap(Path setpriv, Path bwrap, @Nullable RunAs runAs, Map<String, String> mark) {

	/**
	 * What the shell exits with if the command was not run.
	 */
	static final int NOT_RUN = 125;

	/** Where the command finds the file for its last directory. */
	static final String REPORT = "/run/kairo/directory";

	/**
	 * Takes the id of the JVM, the directory of the command's files, the filter, and the
	 * rest. By itself {@code exec} would end the shell with 2 if it cannot open a file.
	 */
	private static final String OPEN = """
			[ "$PPID" = "$1" ] || exit 125
			ulimit -c 0
			command exec 7<"$2/args" 8>"$2/status" 9<"$3" || exit 125
			[ ! -e "$2/proxy" ] || command exec 6>"$2/network" || exit 125
			shift 3
			exec "$@"
			""";

	private static final List<String> NAMESPACES = List.of("--unshare-user", "--unshare-ipc", "--unshare-pid",
			"--unshare-uts", "--unshare-cgroup-try", "--disable-userns", "--die-with-parent", "--new-session",
			"--cap-drop", "ALL", "--hostname", "sandbox");

	/**
	 * Returns the arguments of bubblewrap that nobody is to see in a process list.
	 * @param system what commands see of the system
	 * @param mounts what this one sees besides
	 * @param environment its environment
	 * @param start where it starts
	 */
	static List<String> arguments(Network network, List<String> system, List<String> mounts, List<String> environment,
			CommandFiles files, Path start) {
		List<String> arguments = new ArrayList<>(NAMESPACES);
		if (network == Network.NONE) {
			arguments.add("--unshare-net");
		}
		arguments.addAll(environment);
		arguments.addAll(system);
		arguments.addAll(mounts);
		arguments.addAll(List.of("--bind", files.report().toString(), REPORT));
		arguments.addAll(List.of("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", start.toString()));
		return arguments;
	}

	/**
	 * Returns the process that runs a command.
	 * @param filter the system call filter
	 * @param command program and arguments in the sandbox
	 * @param limited the limits, taken on first of all, while there is the right to
	 * @param network the network, which may have to be there before the rest
	 */
	ProcessSpec spec(CommandFiles files, Path filter, List<String> command, boolean stdin, Duration killGrace,
			LimitedCommand limited, CommandNetwork network) {
		List<String> all = new ArrayList<>(List.of(this.setpriv.toString()));
		if (this.runAs != null) {
			all.addAll(this.runAs.arguments());
		}
		all.addAll(List.of("--pdeathsig=KILL", "--no-new-privs", "/bin/sh", "-c", OPEN, "kairo"));
		all.addAll(
				List.of(Long.toString(ProcessHandle.current().pid()), files.directory().toString(), filter.toString()));
		all.addAll(network.arguments(this.bwrap));
		all.addAll(List.of(this.bwrap.toString(), "--args", "7", "--json-status-fd", "8", "--seccomp", "9", "--"));
		all.addAll(command);
		return new ProcessSpec(limited.arguments(all), Path.of("/"), this.mark, stdin, killGrace, null, null);
	}

}
