package io.kairo.benchmarks;

import java.time.Duration;
import java.util.Locale;

/**
 * The outcome of a row.
 *
 * @param work the median duration of a call
 * @param anchor the median duration of a call of the anchor
 * @param ratio the median of the ratios of the rounds
 * @param lower the lower quartile of them
 * @param upper the upper quartile of them
 */
record Measurement(Duration work, Duration anchor, double ratio, double lower, double upper) {

	static final String HEADING = """
			| A | B | A, ms | B, ms | A / B | quartiles | target | JDK |
			|---|---|---|---|---|---|---|---|""";

	/**
	 * Returns the row of the table.
	 */
	String row(Comparison comparison) {
		String figures = String.format(Locale.ROOT, "%.3f | %.3f | %s%.2f | %.2f-%.2f", millis(this.work),
				millis(this.anchor), (this.ratio <= comparison.target()) ? "" : "**missed** ", this.ratio, this.lower,
				this.upper);
		return row(comparison, figures);
	}

	/**
	 * Returns a row without figures.
	 */
	static String remark(Comparison comparison, String remark) {
		return row(comparison, "| | | " + remark);
	}

	private static String row(Comparison comparison, String figures) {
		return String.format(Locale.ROOT, "| %s | %s | %s | %s | %s |", comparison.name(),
				comparison.anchorName().replace("|", "\\|"), figures, comparison.target(), Jdk.name());
	}

	private static double millis(Duration duration) {
		return duration.toNanos() / 1e6;
	}

}
