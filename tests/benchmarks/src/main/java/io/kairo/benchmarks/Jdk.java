package io.kairo.benchmarks;

import io.kairo.linux.NativeLinux;

/**
 * The JDK of this run, whose targets depend on whether it makes system calls.
 */
final class Jdk {

	private Jdk() {
	}

	/**
	 * Returns the name of the JDK as the table has it.
	 */
	static String name() {
		return Runtime.version().feature() + (isNative() ? ", native" : "");
	}

	/**
	 * Returns the target for this JDK.
	 */
	static double target(double withNativeCalls, double withoutThem) {
		return isNative() ? withNativeCalls : withoutThem;
	}

	private static boolean isNative() {
		return NativeLinux.find().problem() == null;
	}

}
