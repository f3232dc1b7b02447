package io.kairo.benchmarks;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * Measures a call and its anchor in turns, so that whatever else the machine does affects
 * both. Each round takes a sample of both, and every other round begins with the other
 * one; a sample has as many calls as take the anchor 50 milliseconds.
 *
 * @param warmUps the number of rounds that do not count
 * @param rounds the number of rounds that count
 * @param nanoTime the clock
 */
record SideBySide(int warmUps, int rounds, LongSupplier nanoTime) {

	/** Measures. */
	static final SideBySide FULL = new SideBySide(4, 9, System::nanoTime);

	/** Checks that both sides have the same result. */
	static final SideBySide QUICK = new SideBySide(0, 1, System::nanoTime);

	private static final long SAMPLE_NANOS = Duration.ofMillis(50).toNanos();

	/**
	 * Measures.
	 * @throws IllegalStateException if the results of call and anchor differ
	 */
	Measurement measure(Comparison comparison, Comparison.Sides sides) throws Exception {
		requireSameResult(comparison, sides);
		int calls = 1;
		for (int i = 0; i < this.warmUps; i++) {
			calls = (int) Math.max(1, SAMPLE_NANOS / Math.max(1, nanos(sides.anchor(), calls)));
			nanos(sides.work(), calls);
		}
		double[] work = new double[this.rounds];
		double[] anchor = new double[this.rounds];
		double[] ratios = new double[this.rounds];
		for (int i = 0; i < this.rounds; i++) {
			if (i % 2 == 0) {
				anchor[i] = nanos(sides.anchor(), calls);
				work[i] = nanos(sides.work(), calls);
			}
			else {
				work[i] = nanos(sides.work(), calls);
				anchor[i] = nanos(sides.anchor(), calls);
			}
			ratios[i] = work[i] / anchor[i];
		}
		return new Measurement(Duration.ofNanos((long) quantile(work, 2)), Duration.ofNanos((long) quantile(anchor, 2)),
				quantile(ratios, 2), quantile(ratios, 1), quantile(ratios, 3));
	}

	private static void requireSameResult(Comparison comparison, Comparison.Sides sides) throws Exception {
		Object expected = sides.anchor().once();
		Object actual = sides.work().once();
		if (!Objects.deepEquals(expected, actual)) {
			throw new IllegalStateException("The result of '%s' is %s, and that of its anchor '%s' is %s"
				.formatted(comparison.name(), brief(actual), comparison.anchorName(), brief(expected)));
		}
	}

	private static String brief(Object result) {
		String text = String.valueOf(result);
		return (text.length() <= 1000) ? text : text.substring(0, 1000) + "...";
	}

	private <T> long nanos(Work<T> work, int calls) throws Exception {
		long sum = 0;
		for (int i = 0; i < calls; i++) {
			long start = this.nanoTime.getAsLong();
			T returned = work.call().call();
			sum += this.nanoTime.getAsLong() - start;
			work.after().apply(returned);
		}
		return sum / calls;
	}

	/**
	 * Returns the value below which the given number of quarters of the values lie.
	 */
	private static double quantile(double[] values, int quarters) {
		double[] sorted = values.clone();
		Arrays.sort(sorted);
		return sorted[Math.round((sorted.length - 1) * quarters / 4f)];
	}

}
