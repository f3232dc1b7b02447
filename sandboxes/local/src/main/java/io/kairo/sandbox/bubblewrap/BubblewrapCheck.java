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
import io.kairo.sandbox.backend.BackendProblem;
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

	private final Supplier<@Nullable BackendProblem> selfTest;

	private final LongSupplier clock;

	private @Nullable Object checked;

	private @Nullable BackendProblem found;

	private long foundAt;

	BubblewrapCheck(BubblewrapOptions options, @Nullable SeccompArchitecture architecture,
			Supplier<@Nullable BackendProblem> selfTest) {
		this(options, architecture, selfTest, System::nanoTime);
	}

	/**
	 * Creates a check.
	 * @param clock the time in nanoseconds
	 */
	BubblewrapCheck(BubblewrapOptions options, @Nullable SeccompArchitecture architecture,
			Supplier<@Nullable BackendProblem> selfTest, LongSupplier clock) {
		this.clock = clock;
		this.options = options;
		this.architecture = architecture;
		this.selfTest = selfTest;
	}

	/**
	 * Returns the problem that prevents the use of bubblewrap.
	 * @return the problem, or null if bubblewrap can be used
	 */
	synchronized @Nullable BackendProblem problem() {
		Path executable = executable(this.options);
		Object identity = (executable != null) ? identity(executable) : null;
		if (identity != null && identity.equals(this.checked) && !isOver(this.found)) {
			return this.found;
		}
		BackendProblem problem = missing(identity);
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
	private boolean isOver(@Nullable BackendProblem problem) {
		return Reason.CANARY_FAILED.is(problem) && this.clock.getAsLong() - this.foundAt >= RETRY_NANOS;
	}

	/**
	 * Returns the path of the program. It need not exist.
	 */
	static @Nullable Path executable(BubblewrapOptions options) {
		return (options.executable() != null) ? options.executable() : Executables.find("bwrap");
	}

	private @Nullable BackendProblem missing(@Nullable Object identity) {
		if (!System.getProperty("os.name").equals("Linux")) {
			return Reason.NOT_LINUX.found("this is " + System.getProperty("os.name"));
		}
		if (identity == null) {
			return Reason.BWRAP_MISSING.found("there is no program bwrap");
		}
		for (String program : List.of("setpriv", "sh", "grep")) {
			if (Executables.find(program) == null) {
				return Reason.PROGRAM_MISSING.found("there is no program " + program);
			}
		}
		if (this.architecture == null) {
			return Reason.UNKNOWN_PROCESSOR
				.found("there is no system call filter for " + System.getProperty("os.arch"));
		}
		HostUser runAs = this.options.commands().runAs();
		int user = Objects.requireNonNull(HostUser.current(), "/proc").uid();
		if (user == 0 && runAs == null) {
			return Reason.ROOT_WITHOUT_RUN_AS.found("commands of root would be root on the host");
		}
		if (user != 0 && runAs != null && runAs.uid() != user) {
			return Reason.RUN_AS_REFUSED.found("only root can run commands as " + runAs);
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
