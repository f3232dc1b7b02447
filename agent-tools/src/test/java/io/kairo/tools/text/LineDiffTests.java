package io.kairo.tools.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.AbstractDelta;
import com.github.difflib.patch.ChangeDelta;
import com.github.difflib.patch.Chunk;
import com.github.difflib.patch.Patch;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LineDiff}.
 */
class LineDiffTests {

	@RepeatedTest(300)
	void diffIsThatOfAllLinesHeldInMemory(RepetitionInfo repetition) {
		int seed = repetition.getCurrentRepetition();
		Random random = new Random(seed);
		String before = text(random);
		String after = (seed % 3 == 0) ? text(random) : changed(before, random);
		LineDiff diff = LineDiff.between(before, after);
		Patch<String> expected = patch(lines(before), lines(after));
		assertThat(diff.unified("f", Integer.MAX_VALUE).text()).as("seed %d", seed)
			.isEqualTo(String.join("\n", UnifiedDiffUtils.generateUnifiedDiff("a/f", "b/f", lines(before), expected, 3))
				.replaceAll("\r(?!\n|\\z)", "\\\\u000d"));
		assertThat(diff.removed()).as("seed %d", seed)
			.isEqualTo(expected.getDeltas().stream().mapToInt((delta) -> delta.getSource().size()).sum());
		assertThat(diff.added()).as("seed %d", seed)
			.isEqualTo(expected.getDeltas().stream().mapToInt((delta) -> delta.getTarget().size()).sum());
	}

	@Test
	@Timeout(30)
	void diffOfManyRandomShortLinesIsReplacement() {
		Random random = new Random(1);
		String before = shortLines(random, 1 << 20);
		String after = shortLines(random, 1 << 20);
		LineDiff diff = LineDiff.between(before, after);
		assertThat(diff.removed()).isGreaterThan(1_000_000);
		LineDiff.Unified shown = diff.unified("f", 60);
		assertThat(shown.whole()).isFalse();
		assertThat(shown.text().lines()).hasSize(61);
		assertThat(shown.text()).endsWith("lines of the diff left out)");
	}

	@Test
	void controlCharactersAreShownInVisibleForm() {
		assertThat(LineDiff.between("a\r\nb\r\n", "a\r\n\u001B[2J\u202Eb\rc\r\n").unified("f", 60).text())
			.endsWith(" a\r\n-b\r\n+\\u001b[2J\\u202eb\\u000dc\r");
		assertThat(LineDiff.between("", "\u0007").unified("f", 60).text())
			.endsWith("+\\u0007\n\\ No newline at end of file");
	}

	private static String shortLines(Random random, int count) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < count; i++) {
			text.append((char) ('a' + random.nextInt(26))).append('\n');
		}
		return text.toString();
	}

	private static String text(Random random) {
		int lines = random.nextBoolean() ? random.nextInt(8) : random.nextInt(1400);
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < lines; i++) {
			text.append("ab", 0, random.nextInt(3)).append((random.nextInt(4) == 0) ? "\r\n" : "\n");
		}
		return random.nextBoolean() ? text.toString() : text + "ab".substring(random.nextInt(2));
	}

	private static String changed(String text, Random random) {
		StringBuilder changed = new StringBuilder(text);
		for (int i = random.nextInt(4); i > 0; i--) {
			int at = random.nextInt(changed.length() + 1);
			if (random.nextBoolean()) {
				changed.insert(at, "a\n");
			}
			else {
				changed.delete(at, Math.min(changed.length(), at + random.nextInt(5)));
			}
		}
		return changed.toString();
	}

	private static List<String> lines(String text) {
		if (text.isEmpty()) {
			return List.of();
		}
		List<String> lines = new ArrayList<>(List.of(text.split("\n", -1)));
		String last = lines.remove(lines.size() - 1);
		if (!last.isEmpty()) {
			lines.add(last + "\n\\ No newline at end of file");
		}
		return lines;
	}

	private static Patch<String> patch(List<String> before, List<String> after) {
		int prefix = 0;
		int most = Math.min(before.size(), after.size());
		while (prefix < most && before.get(prefix).equals(after.get(prefix))) {
			prefix++;
		}
		int suffix = 0;
		while (suffix < most - prefix
				&& before.get(before.size() - 1 - suffix).equals(after.get(after.size() - 1 - suffix))) {
			suffix++;
		}
		List<String> removed = before.subList(prefix, before.size() - suffix);
		List<String> added = after.subList(prefix, after.size() - suffix);
		Patch<String> patch = new Patch<>();
		if (removed.size() + added.size() > 1000) {
			patch.addDelta(new ChangeDelta<>(new Chunk<>(prefix, removed), new Chunk<>(prefix, added)));
			return patch;
		}
		for (AbstractDelta<String> delta : DiffUtils.diff(removed, added).getDeltas()) {
			patch.addDelta(delta.withChunks(moved(delta.getSource(), prefix), moved(delta.getTarget(), prefix)));
		}
		return patch;
	}

	private static Chunk<String> moved(Chunk<String> chunk, int by) {
		return new Chunk<>(chunk.getPosition() + by, chunk.getLines());
	}

}
