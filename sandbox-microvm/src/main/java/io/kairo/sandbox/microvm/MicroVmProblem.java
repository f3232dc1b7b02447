package io.kairo.sandbox.microvm;

import java.util.Locale;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;

/**
 * A problem that prevents the use of virtual machines on this machine.
 *
 * @param reason the kind of problem
 * @param detail the finding
 */
public record MicroVmProblem(Reason reason, String detail) {

	/**
	 * Creates the value.
	 * @param reason the kind of problem
	 * @param detail the finding
	 */
	public MicroVmProblem {
	}

	/**
	 * Returns the exception for a command that cannot be started because of this problem.
	 * @return an exception that contains the remedy
	 */
	public SandboxException toException() {
		return new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE,
				"virtual machines cannot be used (" + this + ")", this.reason.remedy());
	}

	@Override
	public String toString() {
		return this.reason.code() + ": " + this.detail;
	}

	/**
	 * The kinds of problems. New constants are only ever added at the end.
	 */
	public enum Reason {

		/**
		 * The operating system is not Linux, or the processor is not a 64-bit x86 one.
		 */
		WRONG_PLATFORM("use Linux on a 64-bit x86 processor, or another sandbox"),

		/** QEMU or its virtiofsd is missing. */
		QEMU_MISSING("install the packages 'qemu-system-x86' and 'qemu-system-common' of the system (QEMU 7.2)"),

		/**
		 * The program {@code bwrap}, {@code setpriv}, {@code setsid} or {@code sh} is
		 * missing.
		 */
		PROGRAM_MISSING("install the packages 'bubblewrap' and 'util-linux' of the system"),

		/** The kernel or the initial RAM disk is missing or cannot be read. */
		IMAGE_MISSING(
				"make them with make-image.sh, set kairo.sandbox.microvm.kernel and kairo.sandbox.microvm.initrd, and let the user of the machines read them"),

		/** The JVM runs as root, and no user is configured to run machines as. */
		ROOT_WITHOUT_RUN_AS(
				"set kairo.sandbox.microvm.run-as to a user that is not root, such as 65534, or run the application as one"),

		/** The JVM may not run machines as another user. */
		RUN_AS_REFUSED(
				"remove kairo.sandbox.microvm.run-as, or run the application as root with the rights to change its user"),

		/** The processor cannot run machines, or this user may not let it. */
		KVM_UNUSABLE(
				"use a machine with KVM and let the user of the machines open /dev/kvm, or set kairo.sandbox.microvm.allow-emulation=true to emulate them, which is slower"),

		/**
		 * A machine did not start, or did not run the command of the self-test as it
		 * should.
		 */
		BOOT_FAILED("see the detail; make the kernel and the initial RAM disk again, or use another sandbox");

		private final String remedy;

		Reason(String remedy) {
			this.remedy = remedy;
		}

		/**
		 * Returns the reason as it appears in health and logs.
		 * @return the name in lower case, such as {@code qemu_missing}
		 */
		public String code() {
			return name().toLowerCase(Locale.ROOT);
		}

		/**
		 * Returns the remedy.
		 * @return a sentence without a period
		 */
		public String remedy() {
			return this.remedy;
		}

	}

}
