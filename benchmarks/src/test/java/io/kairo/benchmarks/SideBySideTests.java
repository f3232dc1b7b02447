package io.kairo.benchmarks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SideBySide}, and that every comparison compares the same.
 */
class SideBySideTests {

	private final List<String> calls = new ArrayList<>();

	@Test
	void everyOtherRoundBeginsWithTheOtherOne() throws Exception {
		Work anchor = new Recorded("anchor");
		Work work = new Recorded("work");
		new SideBySide(0, 3).measure(new Comparison("c", "a", 1, work, anchor));
		assertThat(this.calls).containsExactly("anchor", "work", "anchor", "work", "work", "anchor", "anchor", "work");
	}

	@Test
	void workThatTakesThreeTimesAsLongHasARatioOfThree() throws Exception {
		AtomicLong nanos = new AtomicLong();
		Measurement measurement = new SideBySide(1, 5, nanos::get)
			.measure(new Comparison("c", "a", 2, () -> spend(nanos, 3), () -> spend(nanos, 1)));
		assertThat(measurement.ratio()).isEqualTo(3);
		assertThat(measurement.row()).contains("**missed** 2.00");
	}

	@Test
	void anotherResultThanThatOfTheAnchorIsRefused() {
		assertThatIllegalStateException()
			.isThrownBy(() -> new SideBySide(0, 1).measure(new Comparison("count", "find", 1, () -> 2L, () -> 1L)))
			.withMessage("'count' comes to 2 and its anchor 'find' to 1");
	}

	@Test
	void everyComparisonComesToTheSameAsItsAnchor(@TempDir Path directory) throws Exception {
		try (Scratch scratch = new Scratch(directory);
				CommandBenchmarks commands = new CommandBenchmarks(scratch, Sizes.SMALL);
				LeaseBenchmarks leases = new LeaseBenchmarks(scratch);
				EphemeralBenchmarks ephemeral = new EphemeralBenchmarks(scratch, Sizes.SMALL);
				GitBenchmarks git = new GitBenchmarks(scratch, Sizes.SMALL.gitFiles())) {
			List<Comparison> comparisons = new ArrayList<>(new FileBenchmarks(scratch, Sizes.SMALL).comparisons());
			comparisons.addAll(commands.comparisons());
			comparisons.addAll(leases.comparisons());
			comparisons.addAll(git.comparisons());
			comparisons.addAll(ephemeral.comparisons());
			comparisons.addAll(new AgentTreeBenchmarks(500).comparisons());
			for (Comparison comparison : comparisons) {
				assertThat(new SideBySide(0, 1).measure(comparison).ratio()).isPositive();
			}
		}
		assertThat(directory).isEmptyDirectory();
	}

	private static Object spend(AtomicLong nanos, long millis) {
		nanos.addAndGet(Duration.ofMillis(millis).toNanos());
		return "done";
	}

	private final class Recorded implements Work {

		private final String name;

		Recorded(String name) {
			this.name = name;
		}

		@Override
		public Object run() {
			SideBySideTests.this.calls.add(this.name);
			return "done";
		}

	}

}
