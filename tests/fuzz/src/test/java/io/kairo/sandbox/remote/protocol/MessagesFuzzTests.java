package io.kairo.sandbox.remote.protocol;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fuzzes the messages of clients and workers.
 */
class MessagesFuzzTests {

	@FuzzTest(maxDuration = "1m")
	void messageIsReadOrRefused(byte[] message) {
		byte[] body = Arrays.copyOfRange(message, Math.min(1, message.length), message.length);
		try {
			switch ((message.length > 0) ? message[0] % 3 : 0) {
				case 0 -> Messages.read(body, StartMessage.class);
				case 1 -> Piece.read(body, (piece) -> assertThat(piece.bytes().remaining()).isLessThan(body.length));
				default -> CopyLine.read(new ByteArrayInputStream(body), (line) -> {
					Path root = Path.of("/root");
					assertThat(root.resolve(line.relative()).normalize()).startsWithRaw(root).isNotEqualTo(root);
				});
			}
		}
		catch (IllegalArgumentException | IOException ex) {
			// Answered with an error.
		}
	}

}
