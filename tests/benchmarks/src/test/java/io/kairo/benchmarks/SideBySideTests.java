package io.kairo.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SideBySide}, and that both sides of every row have the same result.
 */
class SideBySideTests {

	@TempDir
	Path directory;

	private final List<String> calls = new ArrayList<>();

	@Test
	void everyOtherRoundBeginsWithTheOtherOne() throws Exception {
		measure(new SideBySide(0, 3, System::nanoTime), () -> this.calls.add("work"), () -> this.calls.add("anchor"));
		assertThat(this.calls).containsExactly("anchor", "work", "anchor", "work", "work", "anchor", "anchor", "work");
	}

	@Test
	void workThatTakesThreeTimesAsLongHasRatioOfThree() throws Exception {
		AtomicLong nanos = new AtomicLong();
		Measurement measurement = measure(new SideBySide(1, 5, nanos::get), () -> spend(nanos, 3),
				() -> spend(nanos, 1));
		assertThat(measurement).isEqualTo(new Measurement(Duration.ofMillis(3), Duration.ofMillis(1), 3, 3, 3));
		assertThat(measurement.row(comparison())).contains("| 3.000 | 1.000 | **missed** 3.00 | 3.00-3.00 | 2.0 |");
	}

	@Test
	void resultThatDiffersFromThatOfTheAnchorIsRefused() {
		assertThatIllegalStateException().isThrownBy(() -> measure(SideBySide.create(), () -> 2L, () -> 1L))
			.withMessage("The result of 'count' is 2, and that of its anchor 'find | wc' is 1");
	}

	@Test
	void rowThatThisMachineCannotRunHasReason() throws Exception {
		try (Scratch scratch = new Scratch(this.directory)) {
			assertThat(new Benchmarks(scratch, true, null).row(new Comparison("count", "find | wc", 2, (row) -> {
				throw new NotMeasuredException("no find");
			}))).startsWith("| count | find \\| wc | | | | not measured: no find | 2.0 |");
		}
	}

	@Test
	@EnabledIfSystemProperty(named = "kairo.stress", matches = "long", disabledReason = "requires -Dkairo.stress=long")
	void bothSidesOfEveryRowHaveTheSameResult() throws Exception {
		// the user that runs commands if this one is root passes it
		Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwx--x--x"));
		try (Scratch scratch = new Scratch(this.directory)) {
			Benchmarks benchmarks = new Benchmarks(scratch, true, null);
			for (Comparison comparison : benchmarks.comparisons()) {
				assertThat(benchmarks.row(comparison)).as(comparison.name())
					.containsAnyOf("same result", "not measured");
			}
			for (Costs.Cost cost : benchmarks.costs()) {
				assertThat(benchmarks.row(cost)).contains(cost.name());
			}
		}
		assertThat(this.directory).isEmptyDirectory();
	}

	@ParameterizedTest
	@ValueSource(strings = { "--quik", "--tree=missing", "--write --quick", "--write grep" })
	void unusableOptionIsRefused(String arguments) {
		assertThatIllegalArgumentException().isThrownBy(() -> Benchmarks.main(arguments.split(" ")))
			.withMessageContaining(arguments.contains("grep") ? "grep" : arguments.replaceFirst(".*--(tree=)?", ""));
	}

	private static Measurement measure(SideBySide sideBySide, Callable<Object> work, Callable<Object> anchor)
			throws Exception {
		return sideBySide.measure(comparison(), new Comparison.Sides(Work.of(work), Work.of(anchor)));
	}

	private static Comparison comparison() {
		return new Comparison("count", "find | wc", 2, (scratch) -> {
			throw new NotMeasuredException("not used");
		});
	}

	private static Object spend(AtomicLong nanos, long millis) {
		nanos.addAndGet(Duration.ofMillis(millis).toNanos());
		return "done";
	}

}
