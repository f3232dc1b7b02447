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
 * @param warmUps the maximum number of rounds that do not count; none begins after five
 * seconds
 * @param rounds the maximum number of rounds that count; after five, none begins that is
 * later than 30 seconds
 * @param nanoTime the clock
 */
record SideBySide(int warmUps, int rounds, LongSupplier nanoTime) {

	private static final long SAMPLE_NANOS = Duration.ofMillis(50).toNanos();

	private static final long WARM_UP_NANOS = Duration.ofSeconds(5).toNanos();

	private static final long ROUNDS_NANOS = Duration.ofSeconds(30).toNanos();

	private static final int LEAST_ROUNDS = 5;

	static SideBySide create() {
		return new SideBySide(4, 9, System::nanoTime);
	}

	/**
	 * Measures.
	 * @throws IllegalStateException if the results of call and anchor differ
	 */
	Measurement measure(Comparison comparison, Comparison.Sides sides) throws Exception {
		requireSameResult(comparison, sides);
		int calls = 1;
		long start = this.nanoTime.getAsLong();
		for (int i = 0; i < this.warmUps && elapsed(start) < WARM_UP_NANOS; i++) {
			calls = (int) Math.max(1, SAMPLE_NANOS / Math.max(1, nanos(sides.anchor(), calls)));
			nanos(sides.work(), calls);
		}
		double[] work = new double[this.rounds];
		double[] anchor = new double[this.rounds];
		double[] ratios = new double[this.rounds];
		int done = 0;
		start = this.nanoTime.getAsLong();
		for (; done < this.rounds && (done < LEAST_ROUNDS || elapsed(start) < ROUNDS_NANOS); done++) {
			if (done % 2 == 0) {
				anchor[done] = nanos(sides.anchor(), calls);
				work[done] = nanos(sides.work(), calls);
			}
			else {
				work[done] = nanos(sides.work(), calls);
				anchor[done] = nanos(sides.anchor(), calls);
			}
			ratios[done] = work[done] / anchor[done];
		}
		double[] quartiles = quartiles(Arrays.copyOf(ratios, done));
		return new Measurement(Duration.ofNanos((long) quartiles(Arrays.copyOf(work, done))[1]),
				Duration.ofNanos((long) quartiles(Arrays.copyOf(anchor, done))[1]), quartiles[1], quartiles[0],
				quartiles[2]);
	}

	/**
	 * Calls both sides once.
	 * @throws IllegalStateException if their results differ
	 */
	static void requireSameResult(Comparison comparison, Comparison.Sides sides) throws Exception {
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

	private long elapsed(long start) {
		return this.nanoTime.getAsLong() - start;
	}

	private static double[] quartiles(double[] values) {
		Arrays.sort(values);
		double last = values.length - 1;
		return new double[] { values[(int) Math.round(last / 4)], values[(int) Math.round(last / 2)],
				values[(int) Math.round(last * 3 / 4)] };
	}

}
