package io.kairo.tools.command;

import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HeadAndTail}.
 */
class HeadAndTailTests {

	@Test
	void textWithinLimitIsKeptWhole() {
		HeadAndTail text = filled(10, "0123456789");
		assertThat(text.leftOut()).isZero();
		assertThat(text.text("|")).isEqualTo("0123456789");
	}

	@Test
	void textOneCharacterAboveLimitOmitsOneCharacter() {
		HeadAndTail text = filled(10, "0123456789a");
		assertThat(text.leftOut()).isEqualTo(1);
		assertThat(text.text("|")).isEqualTo("01|3456789a");
	}

	@Test
	void supplementaryCharactersCountAsOne() {
		assertThat(filled(5, "😀😀😀😀😀😀").text("|")).isEqualTo("😀|😀😀😀😀");
	}

	@Test
	void emptyTextStaysEmpty() {
		assertThat(filled(5, "").isEmpty()).isTrue();
		assertThat(filled(5, "").text("|")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(longs = { 11, 12, 13, 14, 15 })
	void beginningAndEndOfAnyTextAreKept(long seed) {
		SplittableRandom random = new SplittableRandom(seed);
		for (int round = 0; round < 200; round++) {
			int limit = random.nextInt(5, 60);
			String text = random.ints(random.nextInt(0, 200), 'a', 'z' + 1)
				.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
				.toString();
			int head = limit / 5;
			String expected = (text.length() <= limit) ? text
					: text.substring(0, head) + "|" + text.substring(text.length() - (limit - head));
			assertThat(filled(limit, text).text("|")).as("seed %d round %d", seed, round).isEqualTo(expected);
			int count = random.nextInt(0, limit - head);
			assertThat(filled(limit, text).last(count)).as("seed %d round %d", seed, round)
				.isEqualTo(text.substring(Math.max(0, text.length() - count)));
		}
	}

	private static HeadAndTail filled(int limit, String characters) {
		HeadAndTail text = new HeadAndTail(limit);
		characters.codePoints().forEach(text::append);
		return text;
	}

}
