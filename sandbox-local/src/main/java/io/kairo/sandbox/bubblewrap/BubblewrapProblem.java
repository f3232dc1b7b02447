package io.kairo.sandbox.bubblewrap;

import java.util.Locale;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;

/**
 * Why bubblewrap cannot be used on this machine.
 *
 * @param reason the kind of problem
 * @param detail what was found
 * @since 0.1.0
 */
public record BubblewrapProblem(Reason reason, String detail) {

	/**
	 * Creates the value.
	 * @param reason the kind of problem
	 * @param detail what was found
	 */
	public BubblewrapProblem {
	}

	/**
	 * Returns the problem as the failure of a command that needs bubblewrap.
	 * @return an exception with the remedy
	 */
	public SandboxException toException() {
		return new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE, "bubblewrap cannot be used (" + this + ")",
				this.reason.remedy());
	}

	@Override
	public String toString() {
		return this.reason.code() + ": " + this.detail;
	}

	/**
	 * The kinds of problems. New constants are only ever added at the end.
	 *
	 * @since 0.1.0
	 */
	public enum Reason {

		/** This is not Linux. */
		NOT_LINUX("use Linux, or another sandbox"),

		/** There is no {@code bwrap}. */
		BWRAP_MISSING("install the package 'bubblewrap' of the system"),

		/** A program of util-linux is missing, or {@code sh}, or {@code grep}. */
		PROGRAM_MISSING("install the packages 'util-linux' and 'grep' of the system"),

		/** The JVM is root, and nobody is named to run commands as. */
		ROOT_WITHOUT_RUN_AS(
				"set kairo.sandbox.bubblewrap.run-as to a user that is not root, such as 65534, or run the application as one"),

		/** The JVM may not run commands as somebody else. */
		RUN_AS_REFUSED(
				"remove kairo.sandbox.bubblewrap.run-as, or run the application as root with the rights to change its user"),

		/** The kernel does not let this user make user namespaces. */
		USER_NAMESPACES_FORBIDDEN(
				"allow them: user.max_user_namespaces above zero, kernel.unprivileged_userns_clone=1, and where AppArmor restricts them its profile for bwrap; or run commands in containers"),

		/** A {@code /proc} cannot be mounted, as in many containers. */
		PROC_MASKED("run the application outside of a container that masks /proc, or use another sandbox"),

		/** This bubblewrap does not know all that is asked of it. */
		BWRAP_TOO_OLD("install bubblewrap 0.8.0 or newer"),

		/** There is no system call filter for this processor. */
		UNKNOWN_PROCESSOR("use a 64-bit x86 or ARM processor, or another sandbox"),

		/** The command that tries everything out was not held, or did not run. */
		CANARY_FAILED("see the detail; use another sandbox if it cannot be mended"),

		/** Nothing on this machine can hand bytes on to the proxy of allowed hosts. */
		RELAY_MISSING("install perl or python3 of the system, or set kairo.sandbox.network to none");

		private final String remedy;

		Reason(String remedy) {
			this.remedy = remedy;
		}

		/**
		 * Returns the reason as it appears in health and logs.
		 * @return the name in lower case, such as {@code bwrap_missing}
		 */
		public String code() {
			return name().toLowerCase(Locale.ROOT);
		}

		/**
		 * Returns what to do about it.
		 * @return a sentence
		 */
		public String remedy() {
			return this.remedy;
		}

	}

}
