package io.kairo.governance.audit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/**
 * The options of a {@link FileAuditSink}. Immutable.
 *
 * @param directory the directory of the files, created if it is missing
 * @param chain the name of the chain, 1 to 64 characters without control characters; it
 * is part of the hashes, and the verifier needs it
 * @param maxFileBytes the size in bytes to begin a new file at, above zero
 * @param maxFiles the maximum number of files; the oldest is removed beyond it; 0 to keep
 * all
 * @param minAge the minimum age of a removed file, so that calls cannot push records out
 * @param sync whether records survive the end of the machine, not only of the JVM
 */
public record AuditFileOptions(Path directory, String chain, long maxFileBytes, int maxFiles, Duration minAge,
		boolean sync) {

	/** The name of a chain without another one. */
	static final String DEFAULT_CHAIN = "kairo";

	/**
	 * Creates the options.
	 * @throws IllegalArgumentException if a number is out of its range
	 */
	public AuditFileOptions {
		Objects.requireNonNull(directory, "directory");
		Objects.requireNonNull(chain, "chain");
		if (maxFileBytes < 1) {
			throw new IllegalArgumentException("maxFileBytes is " + maxFileBytes + ": it must be at least 1");
		}
		if (maxFiles < 0) {
			throw new IllegalArgumentException("maxFiles is " + maxFiles + ": it must be at least 0");
		}
		if (minAge.isNegative()) {
			throw new IllegalArgumentException("minAge is " + minAge + ": it must be at least 0");
		}
	}

	/**
	 * Creates the default options: a chain with the name {@code kairo} in files of 64 MB.
	 * No file is removed.
	 * @param directory the directory of the files
	 * @return the options
	 */
	public static AuditFileOptions in(Path directory) {
		return new AuditFileOptions(directory, DEFAULT_CHAIN, 64L << 20, 0, Duration.ofDays(7), true);
	}

}
