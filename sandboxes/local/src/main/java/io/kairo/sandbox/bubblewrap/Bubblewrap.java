package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
 */
record Bubblewrap(Path setpriv, Path bwrap, @Nullable HostUser runAs, boolean direct, Map<String, String> mark) {

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
			command.addAll(identity(this.runAs));
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
	 * Returns the process that runs a command. It has to start with the
	 * {@linkplain CommandFiles#inherited files} of the command open.
	 * @param command the program and its arguments in the sandbox, run when it is
	 * {@linkplain MountArguments#release released}
	 * @param limited the limits, applied first, while the process still has the
	 * permission
	 * @param network the network of the command; it may have to exist before the sandbox
	 */
	ProcessSpec spec(List<String> command, Duration killGrace, LimitedCommand limited,
			Networks.CommandNetwork network) {
		List<String> all = new ArrayList<>();
		if (this.runAs != null || !this.direct) {
			all.addAll(List.of(this.setpriv.toString(), "--no-new-privs"));
		}
		if (this.runAs != null) {
			all.addAll(identity(this.runAs));
		}
		all.addAll(network.prefix(this.bwrap));
		all.addAll(List.of(this.bwrap.toString(), "--args", "" + CommandFiles.ARGUMENTS, "--json-status-fd",
				"" + CommandFiles.STATUS, "--seccomp", "" + CommandFiles.FILTER, "--block-fd", "" + CommandFiles.GATE,
				"--"));
		all.addAll(command);
		return new ProcessSpec(limited.arguments(all), Path.of("/"), this.mark, true, killGrace, null, null);
	}

	/**
	 * Returns the arguments of {@code setpriv} that switch to a user.
	 */
	private static List<String> identity(HostUser user) {
		return List.of("--reuid=" + user.uid(), "--regid=" + user.gid(), "--clear-groups");
	}

}
