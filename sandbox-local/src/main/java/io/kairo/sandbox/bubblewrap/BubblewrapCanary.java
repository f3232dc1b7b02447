package io.kairo.sandbox.bubblewrap;

import java.util.List;
import java.util.Map;

import io.kairo.sandbox.bubblewrap.BubblewrapProblem.Reason;

/**
 * The command that tries out whether a sandbox holds, and what its end means.
 */
final class BubblewrapCanary {

	/**
	 * Takes a file of the host, outside of its workspace, and how many network interfaces
	 * there may be.
	 */
	static final String SCRIPT = """
			[ -f kept ] || exit 31
			true > written || exit 32
			[ -e "$1" ] && exit 33
			for directory in / /usr /etc /dev /run /proc/sys/kernel; do
				(true > "$directory/kairo-canary") && exit 34
			done
			[ -e /etc/shadow ] && exit 35
			unshare -Ur true && exit 36
			mount -t tmpfs none /tmp && exit 37
			grep -q '^CapEff:[^1-9a-f]*$' /proc/self/status || exit 38
			grep -q '^CapBnd:[^1-9a-f]*$' /proc/self/status || exit 38
			grep -q '^NoNewPrivs:.1$' /proc/self/status || exit 39
			grep -q '^Seccomp:.2$' /proc/self/status || exit 40
			[ "$2" = allow_list ] && ! grep -q ': 0100007F:0C38 00000000:0000 0A ' /proc/net/tcp && exit 44
			[ "$2" = host ] || [ "$(grep -c : /proc/net/dev)" = 1 ] || exit 41
			tr '\\0' '\\n' < /proc/1/environ | grep -Ev '^(KAIRO_EXECUTION|KAIRO_SANDBOX|PWD|OLDPWD|SHLVL|_)=' | grep -q = && exit 42
			[ "$(id -u)" = 0 ] && exit 43
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

	private BubblewrapCanary() {
	}

	/**
	 * Returns what the end of the command means.
	 * @param exitCode its exit code, not zero
	 * @param errors what it printed
	 */
	static BubblewrapProblem explain(int exitCode, String errors) {
		String hole = HOLES.get(exitCode);
		if (hole != null) {
			return new BubblewrapProblem(Reason.CANARY_FAILED, hole);
		}
		String line = errors.lines()
			.filter((each) -> each.startsWith("kairo-relay:") || each.startsWith("bwrap:")
					|| each.startsWith("setpriv:"))
			.findFirst()
			.orElse(errors.lines().findFirst().orElse("it said nothing"));
		return new BubblewrapProblem(reason(line), line + " (" + exitCode + ")");
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
