package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.kairo.host.HostUser;
import io.kairo.sandbox.support.Executables;
import io.kairo.sandbox.support.seccomp.SeccompArchitecture;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether bubblewrap can be used on this machine. The result is cached until the
 * program is replaced; a failed self-test is repeated after five seconds. Safe for use by
 * several threads.
 */
final class BubblewrapCheck {

	private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final BubblewrapOptions options;

	private final @Nullable SeccompArchitecture architecture;

	private final Supplier<@Nullable BubblewrapProblem> selfTest;

	private final LongSupplier clock;

	private @Nullable Object checked;

	private @Nullable BubblewrapProblem found;

	private long foundAt;

	BubblewrapCheck(BubblewrapOptions options, @Nullable SeccompArchitecture architecture,
			Supplier<@Nullable BubblewrapProblem> selfTest) {
		this(options, architecture, selfTest, System::nanoTime);
	}

	/**
	 * Creates a check.
	 * @param clock the time in nanoseconds
	 */
	BubblewrapCheck(BubblewrapOptions options, @Nullable SeccompArchitecture architecture,
			Supplier<@Nullable BubblewrapProblem> selfTest, LongSupplier clock) {
		this.clock = clock;
		this.options = options;
		this.architecture = architecture;
		this.selfTest = selfTest;
	}

	/**
	 * Returns the problem that prevents the use of bubblewrap.
	 * @return the problem, or null if bubblewrap can be used
	 */
	synchronized @Nullable BubblewrapProblem problem() {
		Path executable = executable(this.options);
		Object identity = (executable != null) ? identity(executable) : null;
		if (identity != null && identity.equals(this.checked) && !isOver(this.found)) {
			return this.found;
		}
		BubblewrapProblem problem = missing(identity);
		if (problem == null) {
			problem = this.selfTest.get();
		}
		this.checked = identity;
		this.found = problem;
		this.foundAt = this.clock.getAsLong();
		return problem;
	}

	/**
	 * Returns whether a problem may have gone away: the self-test also fails because of a
	 * full disk or a busy machine.
	 */
	private boolean isOver(@Nullable BubblewrapProblem problem) {
		return problem != null && problem.reason() == BubblewrapProblem.Reason.CANARY_FAILED
				&& this.clock.getAsLong() - this.foundAt >= RETRY_NANOS;
	}

	/**
	 * Returns the path of the program, which need not exist.
	 */
	static @Nullable Path executable(BubblewrapOptions options) {
		return (options.executable() != null) ? options.executable() : Executables.find("bwrap");
	}

	private @Nullable BubblewrapProblem missing(@Nullable Object identity) {
		if (!System.getProperty("os.name").equals("Linux")) {
			return new BubblewrapProblem(BubblewrapProblem.Reason.NOT_LINUX,
					"this is " + System.getProperty("os.name"));
		}
		if (identity == null) {
			return new BubblewrapProblem(BubblewrapProblem.Reason.BWRAP_MISSING, "there is no program bwrap");
		}
		for (String program : List.of("setpriv", "sh", "grep")) {
			if (Executables.find(program) == null) {
				return new BubblewrapProblem(BubblewrapProblem.Reason.PROGRAM_MISSING,
						"there is no program " + program);
			}
		}
		if (this.architecture == null) {
			return new BubblewrapProblem(BubblewrapProblem.Reason.UNKNOWN_PROCESSOR,
					"there is no system call filter for " + System.getProperty("os.arch"));
		}
		RunAs runAs = this.options.runAs();
		int user = Objects.requireNonNull(HostUser.current(), "/proc").uid();
		if (user == 0 && runAs == null) {
			return new BubblewrapProblem(BubblewrapProblem.Reason.ROOT_WITHOUT_RUN_AS,
					"commands of root would be root on the host");
		}
		if (user != 0 && runAs != null && runAs.uid() != user) {
			return new BubblewrapProblem(BubblewrapProblem.Reason.RUN_AS_REFUSED,
					"only root can run commands as " + runAs);
		}
		return null;
	}

	private static @Nullable Object identity(Path executable) {
		try {
			BasicFileAttributes file = Files.readAttributes(executable, BasicFileAttributes.class);
			boolean usable = file.isRegularFile() && Files.isExecutable(executable);
			return usable ? Arrays.asList(executable, file.fileKey(), file.size(), file.lastModifiedTime()) : null;
		}
		catch (IOException ex) {
			return null;
		}
	}

}
