package io.kairo.tools.text;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

}
