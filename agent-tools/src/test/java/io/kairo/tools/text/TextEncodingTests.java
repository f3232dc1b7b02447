package io.kairo.tools.text;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TextEncoding} and {@link BinaryContent}.
 */
class TextEncodingTests {

	@ParameterizedTest
	@CsvSource({ "EFBBBF, UTF-8", "FEFF, UTF-16BE", "FFFE, UTF-16LE", "0000FEFF, UTF-32BE", "FFFE0000, UTF-32LE" })
	void byteOrderMarkDeterminesCharset(String mark, String charset) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		bytes.writeBytes(java.util.HexFormat.of().parseHex(mark));
		bytes.writeBytes("text".getBytes(Charset.forName(charset)));
		TextEncoding encoding = TextEncoding.detect(bytes.toByteArray(), true);
		assertThat(encoding.charset().name()).isEqualTo(charset);
		assertThat(encoding.bomLength()).isEqualTo(mark.length() / 2);
		assertThat(BinaryContent.kind(bytes.toByteArray(), encoding)).isNull();
	}

	@Test
	void validUtf8IsDetectedAsUtf8() {
		assertThat(TextEncoding.detect("Grüße, 漢字 😀".getBytes(StandardCharsets.UTF_8), true).charset())
			.isEqualTo(StandardCharsets.UTF_8);
	}

	@Test
	void characterCutAtEndOfSampleIsStillUtf8() {
		byte[] bytes = "a漢".getBytes(StandardCharsets.UTF_8);
		assertThat(TextEncoding.detect(java.util.Arrays.copyOf(bytes, bytes.length - 1), false).charset())
			.isEqualTo(StandardCharsets.UTF_8);
	}

	@Test
	void otherBytesAreDecodedLosslessly() {
		byte[] latin = "Größe und Übermut, für später".getBytes(StandardCharsets.ISO_8859_1);
		assertThat(new String(latin, TextEncoding.detect(latin, true).charset()))
			.contains("Größe und Übermut, für später");
	}

	@Test
	void characterCutAtEndOfFileIsNotUtf8() {
		byte[] bytes = "caf\u00e9".getBytes(StandardCharsets.ISO_8859_1);
		assertThat(new String(bytes, TextEncoding.detect(bytes, true).charset())).isEqualTo("café");
	}

	@Test
	void westernTextIsNotDetectedAsAnotherAlphabet() {
		byte[] bytes = "Das Mädchen über dem Flüßchen".getBytes(StandardCharsets.ISO_8859_1);
		assertThat(new String(bytes, TextEncoding.detect(bytes, true).charset()))
			.isEqualTo("Das Mädchen über dem Flüßchen");
	}

	@Test
	void textStartingLikeFileSignatureIsText() {
		byte[] bytes = "BZhang's notes\n".getBytes(StandardCharsets.UTF_8);
		assertThat(BinaryContent.kind(bytes, TextEncoding.detect(bytes, true))).isNull();
	}

	@Test
	void zeroBytesAreBinaryEvenAfterByteOrderMark() {
		byte[] bytes = { (byte) 0xEF, (byte) 0xBB, (byte) 0xBF, 'a', 0, 0 };
		assertThat(BinaryContent.kind(bytes, TextEncoding.detect(bytes, true))).isEqualTo("binary data");
	}

	@Test
	void textWithFewZeroBytesIsText() {
		byte[] bytes = "src/main/java/Main.java\0src/main/java/Other.java\0".getBytes(StandardCharsets.UTF_8);
		assertThat(BinaryContent.kind(bytes, TextEncoding.detect(bytes, true))).isNull();
		bytes[0] = (byte) 0xFF;
		assertThat(BinaryContent.kind(bytes, TextEncoding.detect(bytes, true))).isEqualTo("binary data");
	}

	@Test
	void shiftJisIsDetected() {
		String text = "これは日本語の文章です。文字コードを判定します。";
		byte[] bytes = text.getBytes(Charset.forName("Shift_JIS"));
		assertThat(new String(bytes, TextEncoding.detect(bytes, true).charset())).isEqualTo(text);
	}

	@ParameterizedTest
	@CsvSource({ "89504E470D0A1A0A, a PNG image", "255044462D312E37, a PDF document", "504B0304, a ZIP archive",
			"7F454C46, an ELF binary", "61620063, binary data", "0102030405060708, binary data" })
	void kindOfBinaryContentIsNamed(String hex, String kind) {
		byte[] bytes = java.util.HexFormat.of().parseHex(hex);
		assertThat(BinaryContent.kind(bytes, TextEncoding.detect(bytes, true))).isEqualTo(kind);
	}

	@Test
	void logWithColorSequencesIsText() {
		byte[] bytes = "\u001b[31mred\u001b[0m\n".getBytes(StandardCharsets.UTF_8);
		assertThat(BinaryContent.kind(bytes, TextEncoding.detect(bytes, true))).isNull();
	}

}
