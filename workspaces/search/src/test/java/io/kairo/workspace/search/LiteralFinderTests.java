package io.kairo.workspace.search;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LiteralFinder} and {@link ByteFinder}.
 */
class LiteralFinderTests {

	static LongStream seeds() {
		return LongStream.range(0, 200);
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void everyTextIsFound(long seed) {
		Random random = new Random(seed);
		List<String> texts = List.of(word(random), word(random), word(random)).subList(0, 1 + random.nextInt(3));
		StringBuilder text = new StringBuilder();
		while (text.length() < random.nextInt(3000)) {
			text.append(random.nextInt(20) == 0 ? texts.get(random.nextInt(texts.size())) : word(random)).append(' ');
		}
		byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
		int from = random.nextInt(bytes.length + 1);
		int to = from + random.nextInt(bytes.length - from + 1);
		ByteFinder finder = new ByteFinder();
		LiteralFinder literals = new LiteralFinder(new LiteralSet(texts), finder);
		finder.begin(bytes, Math.min(bytes.length, to + random.nextInt(3)));
		literals.begin(bytes, from, to);
		int position = from;
		for (int expected = next(texts, text, from, to); expected >= 0; expected = next(texts, text, position, to)) {
			int found = literals.find(position);
			while (found >= 0 && found < expected) {
				found = literals.find(found + 1); // where a text only seems to be
			}
			// any byte of the text may be returned
			assertThat(found).as("seed %d", seed).isBetween(expected, expected + longest(texts) - 1);
			position = Math.max(expected, found) + 1;
		}
	}

	private static int longest(List<String> texts) {
		return texts.stream().mapToInt(String::length).max().orElseThrow();
	}

	private static int next(List<String> texts, CharSequence text, int from, int to) {
		return texts.stream()
			.mapToInt((literal) -> text.toString().substring(0, to).indexOf(literal, from))
			.filter((index) -> index >= 0)
			.min()
			.orElse(-1);
	}

	/**
	 * Returns a word of frequent and rare letters.
	 */
	private static String word(Random random) {
		StringBuilder word = new StringBuilder();
		for (int i = 3 + random.nextInt(5); i > 0; i--) {
			word.append("eatzqX".charAt(random.nextInt(6)));
		}
		return word.toString();
	}

	@Test
	void textIsFoundAfterManyOthersWithItsRareByte() {
		byte[] bytes = ("z".repeat(100_000) + "zebra" + "z".repeat(1000)).getBytes(StandardCharsets.US_ASCII);
		ByteFinder finder = new ByteFinder();
		LiteralFinder literals = new LiteralFinder(new LiteralSet(List.of("zebra")), finder);
		finder.begin(bytes, bytes.length);
		literals.begin(bytes, 0, bytes.length);
		assertThat(literals.find(0)).isBetween(100_000, 100_004);
		assertThat(literals.find(100_005)).isNegative();
	}

	@Test
	void byteIsFoundInEverySliceOfAPart() {
		byte[] bytes = new byte[200_000];
		int[] places = { 0, 65_535, 65_536, 131_071, 131_072, 199_999 };
		for (int place : places) {
			bytes[place] = (byte) 0xE9;
		}
		ByteFinder finder = new ByteFinder();
		finder.begin(bytes, bytes.length);
		assertThat(IntStream.iterate(finder.indexOf((byte) 0xE9, 0), (index) -> index >= 0,
				(index) -> finder.indexOf((byte) 0xE9, index + 1)))
			.containsExactly(0, 65_535, 65_536, 131_071, 131_072, 199_999);
		assertThat(finder.indexOf((byte) 0xE9, 3)).isEqualTo(65_535);
		finder.begin(bytes, 199_999);
		assertThat(finder.indexOf((byte) 0xE9, 131_073)).isNegative();
		assertThat(finder.indexOf((byte) 0xE9, 199_999)).isNegative();
	}

}
