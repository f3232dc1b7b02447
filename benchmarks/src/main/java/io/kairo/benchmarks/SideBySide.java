package io.kairo.benchmarks;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Measures a call and its anchor in turns, so that whatever else the machine does falls
 * on both. Each round takes a sample of both, and every other round begins with the other
 * one; a sample has as many calls as take the anchor 50 milliseconds.
 */
final class SideBySide {

	private static final long SAMPLE_NANOS = Duration.ofMillis(50).toNanos();

	private final int warmUps;

	private final int rounds;

	private final LongSupplier nanoTime;

	SideBySide(int warmUps, int rounds) {
		this(warmUps, rounds, System::nanoTime);
	}

	SideBySide(int warmUps, int rounds, LongSupplier nanoTime) {
		this.warmUps = warmUps;
		this.rounds = rounds;
		this.nanoTime = nanoTime;
	}

	/**
	 * Measures.
	 * @throws IllegalStateException if call and anchor do not come to the same
	 */
	Measurement measure(Comparison comparison) throws Exception {
		checkSameResult(comparison);
		int calls = 1;
		for (int i = 0; i < this.warmUps; i++) {
			calls = (int) Math.max(1, SAMPLE_NANOS / Math.max(1, nanos(comparison.anchor(), calls)));
			nanos(comparison.work(), calls);
		}
		double[] work = new double[this.rounds];
		double[] anchor = new double[this.rounds];
		double[] ratios = new double[this.rounds];
		for (int i = 0; i < this.rounds; i++) {
			if (i % 2 == 0) {
				anchor[i] = nanos(comparison.anchor(), calls);
				work[i] = nanos(comparison.work(), calls);
			}
			else {
				work[i] = nanos(comparison.work(), calls);
				anchor[i] = nanos(comparison.anchor(), calls);
			}
			ratios[i] = work[i] / anchor[i];
		}
		Arrays.sort(ratios);
		return new Measurement(comparison, Duration.ofNanos((long) median(work)),
				Duration.ofNanos((long) median(anchor)), median(ratios), ratios[0], ratios[this.rounds - 1]);
	}

	private static void checkSameResult(Comparison comparison) throws Exception {
		Object expected = comparison.anchor().run();
		comparison.anchor().after();
		Object actual = comparison.work().run();
		comparison.work().after();
		if (!Objects.deepEquals(expected, actual)) {
			throw new IllegalStateException("'%s' comes to %s and its anchor '%s' to %s".formatted(comparison.name(),
					actual, comparison.anchorName(), expected));
		}
	}

	private long nanos(Work work, int calls) throws Exception {
		long sum = 0;
		for (int i = 0; i < calls; i++) {
			long start = this.nanoTime.getAsLong();
			work.run();
			sum += this.nanoTime.getAsLong() - start;
			work.after();
		}
		return sum / calls;
	}

	private static double median(double[] values) {
		double[] sorted = values.clone();
		Arrays.sort(sorted);
		int middle = sorted.length / 2;
		return (sorted.length % 2 == 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	}

}
