package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.support.mount.MountPlan;
import org.jspecify.annotations.Nullable;

/**
 * The self-test of a sandbox: a command that tries to escape, run with the arguments of
 * every other command.
 *
 * @param runner runs the command, with its workspace among the control files
 * @param system the mounts of the system
 * @param bubblewrap the programs to run
 * @param options the options of the sandbox
 * @param networks creates the network of the command
 */
record BubblewrapSelfTest(ScriptRunner runner, SystemMounts system, Bubblewrap bubblewrap, BubblewrapOptions options,
		Networks networks) {

	/**
	 * The arguments are a file of the host outside of the workspace, and the kind of
	 * network. The workspace is the current directory. The shell reads files itself, as
	 * each program that it starts takes a millisecond.
	 */
	private static final String SCRIPT = """
			[ -f kept ] || exit 31
			true > written || exit 32
			[ -e "$1" ] && exit 33
			for directory in / /usr /etc /dev /run /proc/sys/kernel; do
				(true > "$directory/kairo-canary") && exit 34
			done
			[ -e /etc/shadow ] && exit 35
			unshare -Ur true && exit 36
			mount -t tmpfs none /tmp && exit 37
			while read -r name value; do
				case $name in
					CapEff:) effective=$value ;;
					CapBnd:) bounding=$value ;;
					NoNewPrivs:) confined=$value ;;
					Seccomp:) filter=$value ;;
					Uid:) user=${value%%[!0-9]*} ;;
				esac
			done < /proc/self/status
			case ${effective:-none}${bounding:-none} in *[!0]*) exit 38 ;; esac
			[ "$confined" = 1 ] || exit 39
			[ "$filter" = 2 ] || exit 40
			[ "${user:-0}" = 0 ] && exit 43
			while read -r number own peer state others; do
				[ "$own $peer $state" = "0100007F:0C38 00000000:0000 0A" ] && relay=there
			done < /proc/net/tcp
			[ "$2" = allow_list ] && [ -z "$relay" ] && exit 44
			while read -r name others; do
				case $name in *:*) interfaces=$interfaces. ;; esac
			done < /proc/net/dev
			[ "$2" = host ] || [ "$interfaces" = . ] || exit 41
			tr '\\0' '\\n' < /proc/1/environ | while read -r variable; do
				case $variable in
					KAIRO_EXECUTION=* | KAIRO_SANDBOX=* | PWD=* | OLDPWD=* | SHLVL=* | _=* | PATH=/usr/bin:/bin) ;;
					*=*) exit 1 ;;
				esac
			done || exit 42
			exit 0
			""";

	private static final Map<Integer, String> HOLES = Map.ofEntries(Map.entry(31, "the workspace is not seen"),
			Map.entry(32, "the workspace cannot be written to"), Map.entry(33, "a file of the host is seen"),
			Map.entry(34, "the system can be written to"), Map.entry(35, "/etc/shadow is seen"),
			Map.entry(36, "a user namespace can be made"), Map.entry(37, "something can be mounted"),
			Map.entry(38, "there are capabilities left"), Map.entry(39, "privileges can be gained"),
			Map.entry(40, "there is no system call filter"), Map.entry(41, "there is a network"),
			Map.entry(42, "the environment of the JVM is seen"), Map.entry(43, "the command is root"),
			Map.entry(44, "there is no relay to the proxy"));

	/**
	 * Runs the test.
	 * @return the problem that was found, or null if the sandbox holds
	 * @throws IOException if the test could not be run
	 */
	@Nullable BackendProblem problem() throws IOException {
		ControlDirectory control = this.runner.control();
		Path workspace = control.newDirectory("workspace");
		Path kept = workspace.resolve("kept");
		Path seen = Path.of("/canary");
		MountPlan plan = new MountPlan();
		plan.add(MountPlan.Kind.WRITABLE, workspace.toRealPath(), seen);
		MountArguments mounts = new MountArguments(plan);
		try (ControlFiles files = control.newFiles();
				Networks.CommandNetwork connected = this.bubblewrap.network(this.networks, files,
						TenantContext.SINGLE)) {
			Files.createFile(kept);
			files.writeArguments(this.bubblewrap.arguments(this.options.network(),
					this.system.arguments(control, this.bubblewrap.session(), plan, false), mounts.all(),
					List.of("--clearenv", "--setenv", "PATH", "/usr/bin:/bin"), files, seen));
			return run(files, mounts, kept, connected);
		}
		finally {
			Files.deleteIfExists(workspace.resolve("written"));
			Files.deleteIfExists(kept);
			Files.delete(workspace);
		}
	}

	private @Nullable BackendProblem run(ControlFiles files, MountArguments mounts, Path kept,
			Networks.CommandNetwork connected) {
		String network = this.options.network().name().toLowerCase(Locale.ROOT);
		List<String> command = List.of("/bin/sh", "-c", SCRIPT, "kairo", kept.toString(), network);
		try {
			ScriptRunner.Result result = this.runner.run(this.bubblewrap, files, mounts, command, connected);
			return (result.exitCode() == 0) ? null : explain(result.exitCode(), result.output());
		}
		catch (IOException ex) {
			return Reason.CANARY_FAILED.found(String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Returns the problem that a failed test stands for.
	 * @param exitCode the exit code of the command, not zero
	 * @param errors the output of the command
	 */
	private static BackendProblem explain(int exitCode, String errors) {
		String hole = HOLES.get(exitCode);
		if (hole != null) {
			return Reason.CANARY_FAILED.found(hole);
		}
		String line = errors.lines()
			.filter((each) -> each.startsWith("kairo-relay:") || each.startsWith("bwrap:")
					|| each.startsWith("setpriv:"))
			.findFirst()
			.orElse(errors.lines().findFirst().orElse("it said nothing"));
		return reason(line).found(line + " (" + exitCode + ")");
	}

	private static Reason reason(String line) {
		Map<Reason, List<String>> signs = Map.of(Reason.USER_NAMESPACES_FORBIDDEN,
				List.of("No permissions to creat", "Creating new namespace failed", "setting up uid map",
						"creating new namespace", "kernel does not support"),
				Reason.PROC_MASKED, List.of("mount proc", "Can't mount proc"), Reason.BWRAP_TOO_OLD,
				List.of("Unknown option", "Unsupported option"), Reason.RUN_AS_REFUSED,
				List.of("setresuid failed", "setresgid failed", "setgroups failed", "setreuid", "setregid"));
		return signs.entrySet()
			.stream()
			.filter((sign) -> sign.getValue().stream().anyMatch(line::contains))
			.map(Map.Entry::getKey)
			.findFirst()
			.orElse(Reason.CANARY_FAILED);
	}

}
