package io.kairo.sandbox.support.transcript;

import java.nio.charset.StandardCharsets;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fuzzes the decoder of the output of commands.
 */
class Utf8TextFuzzTests {

	@FuzzTest(maxDuration = "1m")
	void piecesAreDecodedAsTheWhole(byte[] output) {
		Utf8Text text = new Utf8Text();
		StringBuilder decoded = new StringBuilder();
		for (int at = 0, size = 1; at < output.length; at += size, size = size % 7 + 1) {
			decoded.append(text.decode(output, at, Math.min(size, output.length - at)));
		}
		assertThat(decoded.append(text.finish())).hasToString(new String(output, StandardCharsets.UTF_8));
	}

}
