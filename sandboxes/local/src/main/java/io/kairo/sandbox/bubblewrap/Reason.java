package io.kairo.sandbox.bubblewrap;

import java.util.Locale;

import io.kairo.sandbox.backend.BackendProblem;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of problems that prevent the use of bubblewrap. New constants are only ever
 * added at the end.
 */
enum Reason {

	/** The operating system is not Linux. */
	NOT_LINUX("use Linux, or another sandbox"),

	/** The program {@code bwrap} is missing. */
	BWRAP_MISSING("install the package 'bubblewrap' of the system"),

	/** The program {@code setpriv}, {@code sh} or {@code grep} is missing. */
	PROGRAM_MISSING("install the packages 'util-linux' and 'grep' of the system"),

	/** The JVM runs as root, and no user is configured to run commands as. */
	ROOT_WITHOUT_RUN_AS(
			"set kairo.sandbox.bubblewrap.run-as to a user that is not root, such as 65534, or run the application as one"),

	/** The JVM may not run commands as another user. */
	RUN_AS_REFUSED(
			"remove kairo.sandbox.bubblewrap.run-as, or run the application as root with the rights to change its user"),

	/** The kernel does not let this user create user namespaces. */
	USER_NAMESPACES_FORBIDDEN(
			"allow them: user.max_user_namespaces above zero, kernel.unprivileged_userns_clone=1, and where AppArmor restricts them its profile for bwrap; or run commands in containers"),

	/** {@code /proc} cannot be mounted, as in many containers. */
	PROC_MASKED("run the application outside of a container that masks /proc, or use another sandbox"),

	/** This version of bubblewrap lacks required options. */
	BWRAP_TOO_OLD("install bubblewrap 0.8.0 or newer"),

	/** No system call filter exists for this processor. */
	UNKNOWN_PROCESSOR("use a 64-bit x86 or ARM processor, or another sandbox"),

	/** The command of the self-test was not confined, or did not run. */
	CANARY_FAILED("see the detail; use another sandbox if it cannot be fixed"),

	/** No interpreter for the relay to the proxy of allowed hosts is installed. */
	RELAY_MISSING("install perl or python3 of the system, or set kairo.sandbox.network to none");

	private final String remedy;

	Reason(String remedy) {
		this.remedy = remedy;
	}

	BackendProblem found(String finding) {
		return new BackendProblem("bubblewrap", code(), finding, this.remedy);
	}

	boolean is(@Nullable BackendProblem problem) {
		return problem != null && problem.code().equals(code());
	}

	String code() {
		return name().toLowerCase(Locale.ROOT);
	}

}
