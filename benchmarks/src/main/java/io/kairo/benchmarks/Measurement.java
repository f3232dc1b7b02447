package io.kairo.benchmarks;

import java.time.Duration;
import java.util.Locale;

/**
 * The outcome of a comparison.
 *
 * @param comparison what was measured
 * @param work the median duration of a call
 * @param anchor the median duration of a call of the anchor
 * @param ratio the median of the ratios of the rounds
 * @param lowest the lowest of them
 * @param highest the highest of them
 */
record Measurement(Comparison comparison, Duration work, Duration anchor, double ratio, double lowest, double highest) {

	static final String HEADING = """
			| what | anchor | ms | anchor ms | ratio | rounds | target |
			|---|---|---|---|---|---|---|""";

	/**
	 * Returns a row of a table in Markdown.
	 */
	String row() {
		return String.format(Locale.ROOT, "| %s | %s | %.3f | %.3f | %.2f | %.2f-%.2f | %s%.2f |",
				this.comparison.name(), this.comparison.anchorName(), millis(this.work), millis(this.anchor),
				this.ratio, this.lowest, this.highest, (this.ratio <= this.comparison.target()) ? "" : "**missed** ",
				this.comparison.target());
	}

	private static double millis(Duration duration) {
		return duration.toNanos() / 1e6;
	}

}
