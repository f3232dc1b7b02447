package io.kairo.tools.file;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LineWindow}.
 */
class LineWindowTests {

	@ParameterizedTest
	@ValueSource(longs = { 21, 22, 23, 24, 25, 26 })
	void windowEqualsLinesOfWholeText(long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		for (int round = 0; round < 300; round++) {
			String text = random.ints(random.nextInt(0, 120), 0, 6)
				.mapToObj((i) -> List.of("a", "é", "\n", "\n\n", "漢字", "x y").get(i))
				.reduce("", String::concat);
			long first = random.nextInt(1, 12);
			int max = random.nextInt(1, 12);
			List<String> all = text.isEmpty() ? List.of() : Arrays
				.asList((text.endsWith("\n") ? text.substring(0, text.length() - 1) : text).split("\n", -1));
			List<String> expected = all.stream().skip(first - 1).limit(max).toList();
			LineWindow window = new LineWindow(StandardCharsets.UTF_8, range(first, max), ReadOptions.defaults(),
					UnaryOperator.identity());
			byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
			for (int from = 0; from < bytes.length;) {
				int to = Math.min(bytes.length, from + random.nextInt(1, 9));
				window.add(Arrays.copyOfRange(bytes, from, to));
				from = to;
			}
			window.end();
			assertThat(window.lines()).as("seed %d round %d", seed, round).isEqualTo(expected);
			assertThat(window.countedLines()).as("seed %d round %d", seed, round).isEqualTo(all.size());
		}
	}

	@Test
	void longLineIsCutAndShowsItsLength() {
		LineWindow window = window("x".repeat(2001) + "\nshort\n", 1, 10);
		assertThat(window.lines()).containsExactly(
				"x".repeat(2000) + "… [cut: the line has 2,001 bytes; offset=1, column=2001 reads on]", "short");
		assertThat(window.cutLines()).isEqualTo(1);
	}

	@Test
	void lineAtLimitIsNotCut() {
		LineWindow window = window("é".repeat(2000), 1, 10);
		assertThat(window.lines()).containsExactly("é".repeat(2000));
		assertThat(window.cutLines()).isZero();
	}

	@Test
	void lineNumbersCountTowardsCharacterLimit() {
		LineWindow window = new LineWindow(StandardCharsets.UTF_8, range(1, 10), new ReadOptions(10, 100, 20),
				UnaryOperator.identity());
		window.add("a\nb\nc\n".getBytes(StandardCharsets.UTF_8));
		window.end();
		assertThat(window.lines()).containsExactly("a", "b");
		assertThat(window.limit()).isEqualTo("20 characters");
	}

	@Test
	void cutDoesNotSplitCharacter() {
		assertThat(window("😀".repeat(3000), 1, 1).lines().get(0)).startsWith("😀".repeat(2000) + "…");
	}

	@Test
	void characterSplitByCutIsNotReportedAsUnreadable() {
		LineWindow window = window("x" + "😀".repeat(3000), 1, 1);
		assertThat(window.cutLines()).isEqualTo(1);
		assertThat(window.replacedBytes()).isFalse();
	}

	@Test
	void longLinesStopAtCharacterLimitOfPage() {
		LineWindow window = window(("y".repeat(1999) + "\n").repeat(1000), 1, 1000);
		assertThat(window.lines()).hasSize(130);
		assertThat(window.limit()).isEqualTo("262,144 characters");
		assertThat(window.countedLines()).isEqualTo(1000);
	}

	@Test
	void carriageReturnBeforeLineFeedBelongsToLineEnd() {
		LineWindow window = window("a\r\nb\rc\r\n", 1, 10);
		assertThat(window.lines()).containsExactly("a", "b\rc");
		assertThat(window.windowsLineEnds()).isTrue();
	}

	private static LineRange range(long first, long max) {
		return new LineRange(first, max, null);
	}

	private static LineWindow window(String text, long first, int max) {
		LineWindow window = new LineWindow(StandardCharsets.UTF_8, range(first, max), ReadOptions.defaults(),
				UnaryOperator.identity());
		window.add(text.getBytes(StandardCharsets.UTF_8));
		window.end();
		return window;
	}

}
