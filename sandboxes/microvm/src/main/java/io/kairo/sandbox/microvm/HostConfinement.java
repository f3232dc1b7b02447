package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.host.HostUser;
import io.kairo.sandbox.support.Executables;
import io.kairo.sandbox.support.mount.SystemFiles;
import org.jspecify.annotations.Nullable;

/**
 * The confinement of the programs of a machine on the host: each runs as an ordinary user
 * in namespaces of its own, created by {@code bwrap}, and sees the programs of the system
 * and the files that it needs.
 *
 * @param runAs the user, or null for the user of the JVM
 * @param mark the environment entry that marks the processes for the reaper of orphans
 */
record HostConfinement(@Nullable HostUser runAs, Map<String, String> mark) {

	/** The programs that are needed. */
	static final List<String> PROGRAMS = List.of("setsid", "setpriv", "bwrap", "sh", "cat");

	private static final List<String> NAMESPACES = List.of("--unshare-user", "--unshare-ipc", "--unshare-pid",
			"--unshare-uts", "--unshare-net", "--unshare-cgroup-try", "--die-with-parent", "--new-session");

	/**
	 * In a user namespace with a single user, capabilities are of little use beyond
	 * mounting.
	 */
	private static final List<String> OF_FILE_SERVER = List.of("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "SETGID",
			"SETUID", "SETFCAP", "SETPCAP", "SYS_ADMIN", "SYS_CHROOT", "SYS_RESOURCE", "MKNOD");

	/**
	 * Returns the user that the programs and the commands run as.
	 */
	HostUser user() {
		HostUser real = (this.runAs != null) ? this.runAs : Objects.requireNonNull(HostUser.current(), "/proc");
		return (real.gid() != 0) ? real : new HostUser(real.uid(), real.uid());
	}

	/**
	 * Returns the process of a file server. It keeps the capabilities that it needs in
	 * its user namespace, and confines itself further.
	 * @param mounts further arguments of {@code bwrap}
	 * @param program the program and its arguments
	 */
	ProcessBuilder fileServer(List<String> mounts, List<String> program) {
		List<String> arguments = new ArrayList<>(NAMESPACES);
		HostUser user = user();
		arguments.addAll(List.of("--uid", "" + user.uid(), "--gid", "" + user.gid()));
		OF_FILE_SERVER.forEach((capability) -> arguments.addAll(List.of("--cap-add", "CAP_" + capability)));
		// for its lock
		arguments.addAll(List.of("--dir", "/var", "--tmpfs", "/var/run"));
		arguments.addAll(mounts);
		return process(arguments, program);
	}

	/**
	 * Returns the process of a program without capabilities.
	 * @param mounts further arguments of {@code bwrap}
	 * @param program the program and its arguments
	 */
	ProcessBuilder plain(List<String> mounts, List<String> program) {
		List<String> arguments = new ArrayList<>(NAMESPACES);
		arguments.addAll(List.of("--cap-drop", "ALL"));
		arguments.addAll(mounts);
		return process(arguments, program);
	}

	private ProcessBuilder process(List<String> arguments, List<String> program) {
		List<String> all = new ArrayList<>(List.of(path("setsid"), path("setpriv"), "--no-new-privs"));
		if (this.runAs != null) {
			all.addAll(this.runAs.setprivArguments());
		}
		all.addAll(
				List.of("--pdeathsig", "KILL", path("bwrap"), "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"));
		all.addAll(programs(""));
		all.addAll(List.of("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"));
		all.addAll(arguments);
		all.addAll(List.of("--remount-ro", "/", "--chdir", "/", "--"));
		all.addAll(program);
		ProcessBuilder builder = new ProcessBuilder(all).directory(Path.of("/").toFile());
		builder.environment().clear();
		builder.environment().putAll(this.mark);
		builder.environment().put("PATH", "/usr/bin:/bin");
		return builder;
	}

	/**
	 * Returns the arguments that show the programs of the system below a directory.
	 */
	static List<String> programs(String below) {
		List<String> arguments = new ArrayList<>(List.of("--ro-bind", "/usr", below + "/usr"));
		for (String path : SystemFiles.LINKED) {
			Path directory = Path.of(path);
			if (Files.isSymbolicLink(directory)) {
				arguments.addAll(List.of("--symlink", linked(directory), below + path));
			}
			else if (Files.isDirectory(directory)) {
				arguments.addAll(List.of("--ro-bind", path, below + path));
			}
		}
		return arguments;
	}

	private static String linked(Path link) {
		try {
			return Files.readSymbolicLink(link).toString();
		}
		catch (IOException ex) {
			return "usr" + link;
		}
	}

	private static String path(String program) {
		return Objects.requireNonNull(Executables.find(program), program).toString();
	}

}
