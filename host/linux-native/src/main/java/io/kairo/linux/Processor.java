package io.kairo.linux;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * A processor whose system calls are known.
 */
enum Processor {

	X86_64, AARCH64;

	/**
	 * Returns the processor of this machine.
	 * @return the processor, or null if its system calls are not known
	 */
	static @Nullable Processor ofThisMachine() {
		return switch (System.getProperty("os.arch").toLowerCase(Locale.ROOT)) {
			case "amd64", "x86_64" -> X86_64;
			case "aarch64", "arm64" -> AARCH64;
			default -> null;
		};
	}

}
