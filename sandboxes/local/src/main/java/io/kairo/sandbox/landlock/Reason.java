package io.kairo.sandbox.landlock;

import java.util.Locale;

import io.kairo.sandbox.backend.BackendProblem;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of problems that prevent the use of Landlock. New constants are only ever
 * added at the end.
 */
enum Reason {

	/** The operating system is not Linux. */
	NOT_LINUX("use Linux, or another sandbox"),

	/** There is no system call filter for the processor. */
	UNKNOWN_PROCESSOR("use x86-64 or aarch64, or another sandbox"),

	/** The application runs as root. */
	ROOT("run the application as an ordinary user, or use bubblewrap with another user for commands"),

	/** Neither this JVM nor an installed program can enter a domain. */
	NO_LAUNCHER("use Java 22 or newer with native access, or install the package 'perl' of the system"),

	/** The kernel has no Landlock, or it is switched off. */
	LANDLOCK_MISSING("use Linux 6.2 or newer with Landlock among the security modules ('lsm=' of the kernel)"),

	/** A filter for system calls denies Landlock. */
	CALLS_DENIED("use a seccomp profile that allows the landlock calls, as the default one of Docker does from 23.0"),

	/** The interface of the kernel is too old to confine files. */
	ABI_TOO_OLD("use Linux 6.2 or newer"),

	/** A limit is set that needs a control group. */
	LIMITS_UNSUPPORTED("remove the limit, set it for the container of the application, or use bubblewrap or Docker"),

	/** A program that the sandbox needs is missing. */
	PROGRAM_MISSING("install the package 'coreutils' of the system"),

	/** A command that tries to escape was not confined, or could not be run. */
	CANARY_FAILED("use another sandbox, and report the finding");

	private final String remedy;

	Reason(String remedy) {
		this.remedy = remedy;
	}

	BackendProblem found(String finding) {
		return new BackendProblem("Landlock", code(), finding, this.remedy);
	}

	boolean is(@Nullable BackendProblem problem) {
		return problem != null && problem.code().equals(code());
	}

	String code() {
		return name().toLowerCase(Locale.ROOT);
	}

}
