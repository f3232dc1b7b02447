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
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.support.CommandLimits;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether Landlock can be used on this machine, and how processes enter their
 * domains. A failed self-test is repeated after five seconds. Safe for use by several
 * threads.
 */
final class LandlockCheck implements AutoCloseable {

	private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final CommandSettings settings;

	private final PrivateDirectory directory;

	private final AccessRules rules;

	private @Nullable Domains domains;

	private @Nullable BackendProblem found;

	private boolean checked;

	private long checkedAt;

	LandlockCheck(CommandSettings settings, PrivateDirectory directory, AccessRules rules) {
		this.settings = settings;
		this.directory = directory;
		this.rules = rules;
	}

	/**
	 * Returns the problem that prevents the use of Landlock.
	 * @return the problem, or null if it can be used
	 */
	synchronized @Nullable BackendProblem problem() {
		BackendProblem known = this.found;
		boolean retry = Reason.CANARY_FAILED.is(known) && System.nanoTime() - this.checkedAt >= RETRY_NANOS;
		if (!this.checked || retry) {
			this.found = check();
			this.checked = true;
			this.checkedAt = System.nanoTime();
		}
		return this.found;
	}

	/**
	 * Returns the means of processes to enter their domains. It exists unless there is a
	 * {@link #problem()}.
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

	private @Nullable BackendProblem check() {
		BackendProblem missing = missing();
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
			return Reason.ABI_TOO_OLD.found("the kernel has version " + abi
					+ " of the interface, which does not restrict truncation; that is version "
					+ LandlockRules.LEAST_ABI);
		}
		return new LandlockSelfTest(this.settings, this.directory, this.rules, this.domains).problem();
	}

	private @Nullable BackendProblem missing() {
		if (!System.getProperty("os.name").equals("Linux")) {
			return Reason.NOT_LINUX.found("this is " + System.getProperty("os.name"));
		}
		if (!this.rules.hasFilter()) {
			return Reason.UNKNOWN_PROCESSOR
				.found("there is no system call filter for " + System.getProperty("os.arch"));
		}
		if (Objects.requireNonNull(HostUser.current(), "/proc").uid() == 0) {
			return Reason.ROOT.found("commands of root would be root on the host");
		}
		CommandLimits limits = this.settings.limits();
		if (limits.memoryBytes() != null || limits.cpus() != null || limits.pids() != null) {
			return Reason.LIMITS_UNSUPPORTED
				.found("a command cannot join a control group, as these limits need: memory=" + limits.memoryBytes()
						+ " bytes, cpus=" + limits.cpus() + ", pids=" + limits.pids());
		}
		if (!Files.isExecutable(Gate.ENV)) {
			return Reason.PROGRAM_MISSING.found("there is no program " + Gate.ENV);
		}
		return null;
	}

	private Domains find() throws UnavailableException {
		NativeLinux linux = this.settings.nativeCalls() ? NativeLinux.find() : null;
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
	static BackendProblem refused(int error, String message) {
		return switch (error) {
			case SystemCallException.ENOSYS ->
				Reason.LANDLOCK_MISSING.found("the kernel has no Landlock, or a filter hides it");
			case SystemCallException.EOPNOTSUPP ->
				Reason.LANDLOCK_MISSING.found("Landlock is switched off at the start of the kernel");
			case SystemCallException.EPERM -> Reason.CALLS_DENIED.found(message);
			default -> Reason.CANARY_FAILED.found(message);
		};
	}

	/**
	 * Thrown if no process can enter a domain here.
	 */
	static final class UnavailableException extends IOException {

		private static final long serialVersionUID = 1L;

		private final transient BackendProblem problem;

		UnavailableException(BackendProblem problem) {
			super(problem.toString());
			this.problem = problem;
		}

	}

}
