package io.kairo.sandbox.support.cache;

import java.nio.file.Path;

/**
 * Marks caches as used, and keeps them in use.
 */
final class CacheMarkProgram {

	private CacheMarkProgram() {
	}

	/**
	 * Runs the program.
	 * @param arguments the directory of a tenant
	 * @throws Exception if it fails
	 */
	public static void main(String[] arguments) throws Exception {
		try (CacheMark mark = CacheMark.in(Path.of(arguments[0]))) {
			System.out.println();
			Thread.sleep(Long.MAX_VALUE);
		}
	}

}
