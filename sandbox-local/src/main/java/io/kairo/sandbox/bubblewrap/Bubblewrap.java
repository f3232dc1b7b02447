package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kairo.sandbox.bubblewrap.BubblewrapOptions.Network;
import io.kairo.sandbox.support.limits.LimitedCommand;
import io.kairo.sandbox.support.ProcessSpec;
import org.jspecify.annotations.Nullable;

/**
 * The command line of bubblewrap. {@code setpriv} changes the user and asks the kernel to
 * end the process with the thread that started it. A shell opens the files that a JVM
 * cannot pass on, and checks that the JVM did not end before {@code setpriv} ran.
 *
 * @param setpriv the path of {@code setpriv}
 * @param bwrap the path of {@code bwrap}
 * @param runAs the user that commands run as, or null for the user of the JVM
 * @param mark the environment entry by which the {@link OrphanReaper} recognizes the
 * processes
 */
record Bubblewrap(Path setpriv, Path bwrap, @Nullable RunAs runAs, Map<String, String> mark) {

	/**
	 * Exit code of the shell if the command was not run.
	 */
	static final int NOT_RUN = 125;

	/** The path at which the command writes its last working directory. */
	static final String REPORT = "/run/kairo/directory";

	/**
	 * The arguments are the process id of the JVM, the directory of the command's files,
	 * the filter, and the command line to run. Without {@code command}, a failing
	 * redirection of {@code exec} would end some shells before {@code || exit 125}: dash
	 * exits with 2 then.
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
	 * Returns the arguments of bubblewrap that are kept out of the process list.
	 * @param system the mounts of the system
	 * @param mounts the mounts of this command
	 * @param environment the environment of the command
	 * @param startDirectory the working directory to start in
	 */
	static List<String> arguments(Network network, List<String> system, List<String> mounts, List<String> environment,
			CommandFiles files, Path startDirectory) {
		List<String> arguments = new ArrayList<>(NAMESPACES);
		if (network == Network.NONE) {
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
	 * Returns whether the user that commands run as can enter a directory.
	 */
	boolean canEnter(Path directory) throws IOException {
		List<String> command = new ArrayList<>(List.of(this.setpriv.toString()));
		if (this.runAs != null) {
			command.addAll(this.runAs.arguments());
		}
		command.addAll(List.of("/bin/sh", "-c", "[ -x \"$1\" ]", "kairo", directory.toString()));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		try (InputStream output = process.getInputStream()) {
			output.readAllBytes();
			return process.waitFor() == 0;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/**
	 * Returns the process that runs a command.
	 * @param filter the system call filter
	 * @param command the program and its arguments in the sandbox
	 * @param limited the limits, applied first, while the process still has the
	 * permission
	 * @param network the network of the command, which may have to exist before the
	 * sandbox
	 */
	ProcessSpec spec(CommandFiles files, Path filter, List<String> command, boolean stdin, Duration killGrace,
			LimitedCommand limited, Networks.CommandNetwork network) {
		List<String> all = new ArrayList<>(List.of(this.setpriv.toString()));
		if (this.runAs != null) {
			all.addAll(this.runAs.arguments());
		}
		all.addAll(List.of("--pdeathsig=KILL", "--no-new-privs", "/bin/sh", "-c", OPEN, "kairo"));
		all.addAll(
				List.of(Long.toString(ProcessHandle.current().pid()), files.directory().toString(), filter.toString()));
		all.addAll(network.prefix(this.bwrap));
		all.addAll(List.of(this.bwrap.toString(), "--args", "7", "--json-status-fd", "8", "--seccomp", "9", "--"));
		all.addAll(command);
		return new ProcessSpec(limited.arguments(all), Path.of("/"), this.mark, stdin, killGrace, null, null);
	}

}
