package io.kairo.sandbox.microvm;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests {@link Frame}.
 */
class FrameTests {

	@Test
	void frameIsReadAsItWasWritten() throws IOException {
		Frame frame = read(new Frame('O', 7, new byte[] { 1, 2, 3 }).toBytes());
		assertThat(frame.kind()).isEqualTo('O');
		assertThat(frame.id()).isEqualTo(7);
		assertThat(frame.payload()).containsExactly(1, 2, 3);
	}

	@Test
	void endOfTheStreamIsNoFrame() throws IOException {
		assertThat(read(new byte[0])).isNull();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 8, 9, 11 })
	void endWithinAFrameIsAnError(int length) {
		byte[] whole = new Frame('O', 7, new byte[] { 1, 2, 3 }).toBytes();
		assertThatExceptionOfType(EOFException.class).isThrownBy(() -> read(Arrays.copyOf(whole, length)));
	}

	@ParameterizedTest
	@CsvSource({ "O,0", "O,32769", "O,-1", "O,2147483647", "W,-2147483648", "H,3", "R,1", "G,8", "X,23", "X,16409",
			"N,16385", "c,0", "d,0", "g,4", "S,1", "?,0" })
	void frameThatNoAgentSendsIsRefusedBeforeItIsRead(char kind, int length) {
		byte[] header = ByteBuffer.allocate(9).put((byte) kind).putInt(1).putInt(length).array();
		assertThatExceptionOfType(GuestProtocolException.class).isThrownBy(() -> read(header));
	}

	@Test
	void noiseIsRefusedOrEnds() throws IOException {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		for (int i = 0; i < 2000; i++) {
			byte[] noise = new byte[random.nextInt(200)];
			random.nextBytes(noise);
			ByteArrayInputStream stream = new ByteArrayInputStream(noise);
			try {
				while (Frame.read(stream) != null) {
					assertThat(stream.available()).as("seed %s", seed).isLessThan(noise.length);
				}
			}
			catch (GuestProtocolException | EOFException ex) {
				assertThat(ex.getMessage()).as("seed %s", seed).startsWith("The virtual machine");
			}
		}
	}

	@Test
	void textOfAMachineIsShortAndPrintable() {
		String text = new Frame('N', 1, ("a\u001b[31m\nb\0" + "c".repeat(1000)).getBytes(StandardCharsets.UTF_8))
			.text();
		assertThat(text).hasSizeLessThan(310).matches("[ -~]*").endsWith("ccc");
	}

	@Test
	void numberAboveItsBoundIsRefused() throws IOException {
		assertThat(Frame.of('G', 1, 5).number(5)).isEqualTo(5);
		assertThatExceptionOfType(GuestProtocolException.class).isThrownBy(() -> Frame.of('G', 1, 6).number(5));
		assertThatExceptionOfType(GuestProtocolException.class).isThrownBy(() -> Frame.of('G', 1, -1).number(5));
	}

	private static Frame read(byte[] bytes) throws IOException {
		return Frame.read(new ByteArrayInputStream(bytes));
	}

}
