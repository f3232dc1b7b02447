package io.kairo.workspace.git;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.eclipse.jgit.diff.Edit;
import org.eclipse.jgit.diff.EditList;
import org.eclipse.jgit.diff.HistogramDiff;
import org.eclipse.jgit.diff.RawText;
import org.eclipse.jgit.diff.RawTextComparator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BoundedDiff}.
 */
class BoundedDiffTests {

	@Test
	@Timeout(30)
	void manyRandomShortLinesAreReplaced() {
		Random random = new Random(1);
		RawText before = shortLines(random, 1 << 18);
		RawText after = shortLines(random, 1 << 18);
		BoundedDiff algorithm = new BoundedDiff(() -> false);
		EditList edits = algorithm.diff(RawTextComparator.DEFAULT, before, after);
		assertThat(algorithm.isMinimal()).isFalse();
		assertThat(apply(edits, before, after)).isEqualTo(after.getString(0, after.size(), false));
	}

	@Test
	@Timeout(30)
	void comparisonEndsWhenItsTimeIsOver() {
		RawText before = text(IntStream.range(0, 300_000)
			.mapToObj((i) -> (i % 2 == 0) ? "common " + i : "old " + i)
			.collect(Collectors.joining("\n")));
		RawText after = text(IntStream.range(0, 300_000)
			.mapToObj((i) -> (i % 2 == 0) ? "common " + i : "new " + i)
			.collect(Collectors.joining("\n")));
		Deadline deadline = Deadline.after(java.time.Duration.ofMillis(200));
		BoundedDiff algorithm = new BoundedDiff(deadline::isOver);
		EditList edits = algorithm.diff(RawTextComparator.DEFAULT, before, after);
		assertThat(algorithm.isMinimal()).isFalse();
		assertThat(edits).hasSize(1);
	}

	@Test
	void smallDifferenceIsThatOfHistogram() {
		for (int seed = 1; seed <= 100; seed++) {
			Random random = new Random(seed);
			RawText before = shortLines(random, 1000);
			RawText after = shortLines(random, 1000);
			BoundedDiff algorithm = new BoundedDiff(() -> false);
			assertThat(algorithm.diff(RawTextComparator.DEFAULT, before, after)).as("seed %d", seed)
				.isEqualTo(new HistogramDiff().diff(RawTextComparator.DEFAULT, before, after));
			assertThat(algorithm.isMinimal()).isTrue();
		}
	}

	private static String apply(EditList edits, RawText before, RawText after) {
		StringBuilder applied = new StringBuilder();
		int next = 0;
		for (Edit edit : edits) {
			applied.append(before.getString(next, edit.getBeginA(), false));
			applied.append(after.getString(edit.getBeginB(), edit.getEndB(), false));
			next = edit.getEndA();
		}
		return applied.append(before.getString(next, before.size(), false)).toString();
	}

	private static RawText shortLines(Random random, int count) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < count; i++) {
			text.append((char) ('a' + random.nextInt(26))).append('\n');
		}
		return text(text.toString());
	}

	private static RawText text(String text) {
		return new RawText(text.getBytes(StandardCharsets.UTF_8));
	}

}
