package io.kairo.sandbox.microvm;

import java.util.Locale;

import io.kairo.sandbox.backend.BackendProblem;

/**
 * The kinds of problems that prevent the use of virtual machines. New constants are only
 * ever added at the end.
 */
enum Reason {

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
	 * A machine did not start, or did not run the command of the self-test as it should.
	 */
	BOOT_FAILED("see the detail; make the kernel and the initial RAM disk again, or use another sandbox");

	private final String remedy;

	Reason(String remedy) {
		this.remedy = remedy;
	}

	BackendProblem found(String finding) {
		return new BackendProblem("virtual machines", code(), finding, this.remedy);
	}

	String code() {
		return name().toLowerCase(Locale.ROOT);
	}

}
