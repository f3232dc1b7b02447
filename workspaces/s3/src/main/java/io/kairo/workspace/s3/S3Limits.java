package io.kairo.workspace.s3;

import java.time.Duration;

/**
 * The limits of one workspace. Immutable.
 *
 * @param maxObjects maximum number of listed objects
 * @param maxBytes maximum sum of the sizes of fetched objects, and of changes in one
 * write-back
 * @param maxObjectBytes maximum size of an object that is fetched or written, at most 5
 * GiB
 * @param concurrency maximum number of requests at the same time, at most 100
 * @param timeout timeout of a request, including its repetitions, and of a listing with
 * all its pages
 */
public record S3Limits(int maxObjects, long maxBytes, long maxObjectBytes, int concurrency, Duration timeout) {

	/**
	 * The default limits: 100,000 objects, 4 GiB, 256 MiB for one object, 8 requests, 1
	 * minute.
	 */
	public static final S3Limits DEFAULTS = new S3Limits(100_000, 4L << 30, 256 << 20, 8, Duration.ofMinutes(1));

	/** Maximum size of an object written by one request: 5 GiB. */
	private static final long MAX_PUT = 5L << 30;

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a value is not positive or too large
	 */
	public S3Limits {
		require("maxObjects", maxObjects, Integer.MAX_VALUE);
		require("maxBytes", maxBytes, Long.MAX_VALUE);
		require("maxObjectBytes", maxObjectBytes, MAX_PUT);
		require("concurrency", concurrency, 100);
		require("timeout", timeout.toMillis(), Integer.MAX_VALUE);
	}

	private static void require(String name, long value, long maximum) {
		if (value <= 0 || value > maximum) {
			throw new IllegalArgumentException(
					name + " is " + value + ": it must be above zero and at most " + maximum);
		}
	}

}
