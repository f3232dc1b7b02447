package io.kairo.sandbox.support.output;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OmittedLine}.
 */
class OmittedLineTests {

	private final ByteArrayOutputStream passed = new ByteArrayOutputStream();

	private final OmittedLine filter = new OmittedLine("ab", this.passed::write);

	private String filtered(String text, Random pieces) {
		byte[] data = text.getBytes(StandardCharsets.UTF_8);
		for (int from = 0; from < data.length;) {
			int length = (pieces != null) ? Math.min(1 + pieces.nextInt(3), data.length - from) : data.length;
			this.filter.append(data, from, length);
			from += length;
		}
		this.filter.end();
		return this.passed.toString(StandardCharsets.UTF_8);
	}

	@ParameterizedTest
	@CsvSource({ "ab|,''", "ab|x|,x|", "x|ab|y|ab|ab|z,x|y|z", "xab|,xab|", "abc|,abc|", "aab|,aab|", "a|ab|,a|",
			"ab,ab", "|ab||,||", "ab |,ab |" })
	void onlyTheWholeLineIsLeftOut(String text, String expected) {
		for (int seed = 0; seed < 20; seed++) {
			assertThat(new OmittedLineTests().filtered(text.replace('|', '\n'), (seed > 0) ? new Random(seed) : null))
				.as("seed %d", seed)
				.isEqualTo(expected.replace('|', '\n'));
		}
	}

	@Test
	void randomTextLosesExactlyTheLine() {
		for (int seed = 0; seed < 2000; seed++) {
			Random random = new Random(seed);
			StringBuilder text = new StringBuilder();
			random.ints(30, 0, 3).forEach((next) -> text.append("ab\n".charAt(next)));
			String expected = text.toString().replaceAll("(?m)^ab\n", "");
			assertThat(new OmittedLineTests().filtered(text.toString(), random)).as("seed %d", seed)
				.isEqualTo(expected);
		}
	}

	@Test
	void beginningOfAnotherLineIsNotHeldBack() {
		this.filter.append("x".getBytes(StandardCharsets.UTF_8), 0, 1);
		assertThat(this.passed.toString(StandardCharsets.UTF_8)).isEqualTo("x");
	}

}
