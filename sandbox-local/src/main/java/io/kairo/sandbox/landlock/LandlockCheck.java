package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.kairo.host.HostUser;
import io.kairo.host.PrivateDirectory;
import io.kairo.linux.LandlockRules;
import io.kairo.linux.LandlockRuleset;
import io.kairo.linux.NativeLinux;
import io.kairo.linux.Spawn;
import io.kairo.linux.SystemCallException;
import io.kairo.sandbox.landlock.LandlockProblem.Reason;
import io.kairo.sandbox.support.CommandLimits;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether Landlock can be used on this machine, and by which means processes enter
 * their domains. A failed self-test is repeated after five seconds. Safe for use by
 * several threads.
 */
final class LandlockCheck implements AutoCloseable {

	private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final LandlockOptions options;

	private final PrivateDirectory directory;

	private final RequestRules rules;

	private @Nullable Domains domains;

	private @Nullable LandlockProblem found;

	private boolean checked;

	private long checkedAt;

	LandlockCheck(LandlockOptions options, PrivateDirectory directory, RequestRules rules) {
		this.options = options;
		this.directory = directory;
		this.rules = rules;
	}

	/**
	 * Returns the problem that prevents the use of Landlock.
	 * @return the problem, or null if it can be used
	 */
	synchronized @Nullable LandlockProblem problem() {
		LandlockProblem known = this.found;
		boolean retry = known != null && known.reason() == Reason.CANARY_FAILED
				&& System.nanoTime() - this.checkedAt >= RETRY_NANOS;
		if (!this.checked || retry) {
			this.found = check();
			this.checked = true;
			this.checkedAt = System.nanoTime();
		}
		return this.found;
	}

	/**
	 * Returns the means by which processes enter their domains. There is one unless there
	 * is a {@link #problem()}.
	 */
	synchronized Domains domains() {
		return Objects.requireNonNull(this.domains, "domains");
	}

	@Override
	public synchronized void close() {
		if (this.domains != null) {
			this.domains.close();
		}
	}

	private @Nullable LandlockProblem check() {
		LandlockProblem missing = missing();
		if (missing != null) {
			return missing;
		}
		if (this.domains == null) {
			try {
				this.domains = find();
			}
			catch (UnavailableException ex) {
				return ex.problem;
			}
		}
		int abi = this.domains.abi();
		if (abi < LandlockRules.LEAST_ABI) {
			return new LandlockProblem(Reason.ABI_TOO_OLD,
					"the kernel has version " + abi
							+ " of the interface, which does not restrict truncation; that is version "
							+ LandlockRules.LEAST_ABI);
		}
		return new LandlockSelfTest(this.options, this.directory, this.rules, this.domains).problem();
	}

	private @Nullable LandlockProblem missing() {
		if (!System.getProperty("os.name").equals("Linux")) {
			return new LandlockProblem(Reason.NOT_LINUX, "this is " + System.getProperty("os.name"));
		}
		if (!this.rules.hasFilter()) {
			return new LandlockProblem(Reason.UNKNOWN_PROCESSOR,
					"there is no system call filter for " + System.getProperty("os.arch"));
		}
		if (Objects.requireNonNull(HostUser.current(), "/proc").uid() == 0) {
			return new LandlockProblem(Reason.ROOT, "commands of root would be root on the host");
		}
		CommandLimits limits = this.options.limits();
		if (limits.memoryBytes() != null || limits.cpus() != null || limits.pids() != null) {
			return new LandlockProblem(Reason.LIMITS_UNSUPPORTED,
					"a command cannot join a control group, as these limits need: memory=" + limits.memoryBytes()
							+ " bytes, cpus=" + limits.cpus() + ", pids=" + limits.pids());
		}
		if (!Files.isExecutable(Gate.ENV)) {
			return new LandlockProblem(Reason.PROGRAM_MISSING, "there is no program " + Gate.ENV);
		}
		return null;
	}

	private Domains find() throws UnavailableException {
		NativeLinux linux = this.options.nativeCalls() ? NativeLinux.find() : null;
		String problem = (linux != null) ? Spawn.problem(linux) : "system calls of the JVM are switched off";
		if (linux != null && problem == null) {
			try {
				return NativeDomains.create(linux, LandlockRuleset.abi(linux));
			}
			catch (SystemCallException ex) {
				throw new UnavailableException(refused(ex.error(), String.valueOf(ex.getMessage())));
			}
		}
		return ScriptDomains.find(this.directory, String.valueOf(problem));
	}

	/**
	 * Returns the problem that an error of the kernel stands for.
	 */
	static LandlockProblem refused(int error, String message) {
		return switch (error) {
			case SystemCallException.ENOSYS ->
				new LandlockProblem(Reason.LANDLOCK_MISSING, "the kernel has no Landlock, or a filter hides it");
			case SystemCallException.EOPNOTSUPP ->
				new LandlockProblem(Reason.LANDLOCK_MISSING, "Landlock is switched off at the start of the kernel");
			case SystemCallException.EPERM -> new LandlockProblem(Reason.CALLS_DENIED, message);
			default -> new LandlockProblem(Reason.CANARY_FAILED, message);
		};
	}

	/**
	 * Thrown if no process can enter a domain here.
	 */
	static final class UnavailableException extends IOException {

		private static final long serialVersionUID = 1L;

		private final transient LandlockProblem problem;

		UnavailableException(LandlockProblem problem) {
			super(problem.toString());
			this.problem = problem;
		}

	}

}
