package io.kairo.sandbox.landlock;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.support.limits.ResourceLimits;
import io.kairo.linux.LandlockRules;
import io.kairo.sandbox.support.process.NativeProcess;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities of Landlock, with reasons for those that it does not have.
 */
final class LandlockCapabilities {

	private LandlockCapabilities() {
	}

	/**
	 * Returns the capabilities.
	 * @param problem the problem that prevents the use of Landlock, or null
	 * @param domains the means by which processes enter their domains; null only if there
	 * is a problem
	 * @param network the network access of commands
	 * @param limits the resource limits of commands
	 */
	static SandboxCapabilities of(@Nullable LandlockProblem problem, @Nullable Domains domains,
			LandlockOptions.Network network, ResourceLimits limits) {
		Map<SandboxCapability, String> reasons = new EnumMap<>(SandboxCapability.class);
		if (problem != null || domains == null) {
			for (SandboxCapability capability : SandboxCapability.values()) {
				reasons.put(capability, String.valueOf(problem));
			}
			return SandboxCapabilities.of("landlock", EnumSet.noneOf(SandboxCapability.class), reasons);
		}
		EnumSet<SandboxCapability> enforced = EnumSet.of(SandboxCapability.READ_ONLY,
				SandboxCapability.FILE_CONFINEMENT, SandboxCapability.ENV_ISOLATION, SandboxCapability.STDIN);
		String means = "Landlock of version " + domains.abi() + ", by " + domains.means();
		reasons.put(SandboxCapability.FILE_CONFINEMENT, means
				+ ": contents and names; permissions and times of files of the same user can be changed by their paths");
		reasons.put(SandboxCapability.READ_ONLY,
				"rules without writing, and no system call that changes permissions, owners or times");
		reasons.put(SandboxCapability.ENV_ISOLATION, "an allow-list, and no access to /proc of other processes");
		reasons.put(SandboxCapability.STDIN, "a pipe");
		String unscoped = domains.abi()
				+ " is the version of Landlock here, and confines signals from 6 on (Linux 6.12)";
		String killing = domains.killable() ? "" : (domains.abi() < LandlockRules.SCOPE_ABI) ? unscoped
				: "domains are entered by " + domains.means() + ", which does not stay to kill them";
		if (domains.killable()) {
			enforced.add(SandboxCapability.TREE_KILL);
			enforced.add(SandboxCapability.SURVIVES_NO_JVM);
			reasons.put(SandboxCapability.TREE_KILL, "a signal to the domain of a command, which no process leaves");
			reasons.put(SandboxCapability.SURVIVES_NO_JVM,
					"a process that waits for the end of the JVM, and then signals the domain of all commands");
		}
		else {
			reasons.put(SandboxCapability.TREE_KILL, killing + "; this is best effort: a process that clears "
					+ "its environment and leaves its session and its parents is not found");
			reasons.put(SandboxCapability.SURVIVES_NO_JVM,
					killing + "; after kill -9 of the JVM commands run on, and are not ended");
		}
		reasons.put(SandboxCapability.MOUNTS, "commands see directories of the host at their own paths");
		reasons.put(SandboxCapability.PROTECTED_PATHS,
				"a rule of Landlock holds for everything below a directory, so protected paths are refused");
		reasons.put(SandboxCapability.SIGNAL_DISTINCT, "death by a signal is reported as an exit code above 128");
		reasons.put(SandboxCapability.NETWORK_ALLOW_LIST,
				"without a network namespace, a list of hosts cannot be enforced");
		if (limits.measureCpuTime() || domains instanceof NativeDomains) {
			enforced.add(SandboxCapability.CPU_TIME);
		}
		reasons.put(SandboxCapability.CPU_TIME,
				limits.measureCpuTime() ? "the accounting of the control group that limits a command"
						: (domains instanceof NativeDomains) ? NativeProcess.CPU_TIME_MEANS
								: "the Java platform starts commands, and does not measure it");
		limits.describe(enforced, reasons);
		if (network == LandlockOptions.Network.NONE) {
			enforced.add(SandboxCapability.NETWORK_OFF);
			reasons.put(SandboxCapability.NETWORK_OFF, "a filter for system calls denies sockets"
					+ ((domains.abi() >= LandlockRules.NETWORK_ABI) ? ", and Landlock denies TCP" : ""));
		}
		else {
			reasons.put(SandboxCapability.NETWORK_OFF, "commands have the network of the host");
		}
		return SandboxCapabilities.of("landlock", enforced, reasons);
	}

}
