package io.kairo.tools.text;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EditableText}.
 */
class EditableTextTests {

	@Test
	@Timeout(60)
	void ascendingColumnsOfLongLineAreFoundInLinearTime() {
		int count = 400_000;
		Charset charset = Charset.forName("Shift_JIS");
		EditableText text = new EditableText("\u3042".repeat(count).getBytes(charset), new TextEncoding(charset, 0));
		for (int column = 0; column <= count; column++) {
			assertThat(text.offset(0, column)).isEqualTo(2 * column);
		}
	}

	@Test
	void columnsAreFoundInAnyOrder() {
		EditableText text = new EditableText("a\u00FC\uD83D\uDE00b\n\u00FCx".getBytes(StandardCharsets.UTF_8),
				TextEncoding.UTF_8);
		assertThat(text.offset(0, 4)).isEqualTo(7);
		assertThat(text.offset(0, 1)).isEqualTo(1);
		assertThat(text.offset(0, 2)).isEqualTo(3);
		assertThat(text.offset(1, 1)).isEqualTo(11);
		assertThat(text.offset(0, 5)).isEqualTo(8);
		assertThat(text.offset(0, 9)).as("column beyond the end of the line").isEqualTo(8);
	}

	@ParameterizedTest
	@ValueSource(strings = { "US-ASCII", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE" })
	void linesOfAnyLengthAreFoundInAnyOrder(String charset) {
		for (int seed = 1; seed <= 50; seed++) {
			Random random = new Random(seed);
			StringBuilder text = new StringBuilder();
			List<Integer> starts = new ArrayList<>(List.of(0));
			for (int i = random.nextInt(200); i > 0; i--) {
				text.append("x".repeat((random.nextInt(3) == 0) ? random.nextInt(400) : 0)).append('\n');
				starts.add(text.length());
			}
			text.append("x".repeat(random.nextInt(200)));
			Charset encoding = Charset.forName(charset);
			EditableText lines = new EditableText(text.toString().getBytes(encoding), new TextEncoding(encoding, 0));
			assertThat(lines.lineCount()).isEqualTo(starts.size());
			for (int i = 0; i < 200; i++) {
				int line = random.nextInt(starts.size());
				assertThat(lines.start(line)).as("seed %d", seed).isEqualTo(starts.get(line) * lines.unit());
				int offset = random.nextInt(text.length() + 1);
				int expected = Collections.binarySearch(starts, offset);
				assertThat(lines.lineAt(offset * lines.unit())).as("seed %d", seed)
					.isEqualTo((expected >= 0) ? expected : -expected - 2);
			}
			assertThat(lines.line(starts.size() - 1)).isEqualTo(text.substring(starts.get(starts.size() - 1)));
		}
	}

}
