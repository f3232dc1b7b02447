package io.kairo.sandbox.support.seccomp;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * A processor architecture that the system call filter supports.
 */
public enum SeccompArchitecture {

	/**
	 * AUDIT_ARCH_X86_64 of audit.h; system call numbers with bit 30 set belong to x32.
	 */
	X86_64(0xC000003E, 0x40000000L),

	/** AUDIT_ARCH_AARCH64. */
	AARCH64(0xB7 | 0xC0000000, 0);

	private final int audit;

	private final long foreign;

	SeccompArchitecture(int audit, long foreign) {
		this.audit = audit;
		this.foreign = foreign;
	}

	/**
	 * Returns the number of the architecture in the kernel's seccomp data.
	 */
	int audit() {
		return this.audit;
	}

	/**
	 * Returns the first system call number of a foreign calling convention, 0 for none.
	 */
	long foreign() {
		return this.foreign;
	}

	/**
	 * Returns the architecture of this machine.
	 * @return the architecture, or null if it is not supported
	 */
	public static @Nullable SeccompArchitecture ofThisMachine() {
		return switch (System.getProperty("os.arch").toLowerCase(Locale.ROOT)) {
			case "amd64", "x86_64" -> X86_64;
			case "aarch64", "arm64" -> AARCH64;
			default -> null;
		};
	}

}
