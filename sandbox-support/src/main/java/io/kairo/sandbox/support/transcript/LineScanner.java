package io.kairo.sandbox.support.transcript;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Tests the lines of one stream as they arrive. A line is tested whenever it has grown,
 * since a prompt has no line terminator.
 */
final class LineScanner {

	private final Predicate<? super String> wanted;

	private final ByteArrayOutputStream line = new ByteArrayOutputStream();

	LineScanner(Predicate<? super String> wanted) {
		this.wanted = wanted;
	}

	/**
	 * Appends to the line, and starts a new line after a line terminator.
	 * @param data bytes with at most one line terminator, at the end
	 * @return the line if it matches
	 */
	@Nullable String add(byte[] data) {
		boolean ended = data.length > 0 && data[data.length - 1] == '\n';
		int length = Math.min(data.length - (ended ? 1 : 0), CommandTranscript.LONGEST_LINE - this.line.size());
		this.line.write(data, 0, length);
		boolean worthALook = ended || length > 0;
		String text = worthALook ? text() : "";
		if (ended) {
			this.line.reset();
		}
		return (worthALook && this.wanted.test(text)) ? text : null;
	}

	private String text() {
		byte[] bytes = this.line.toByteArray();
		int length = (bytes.length > 0 && bytes[bytes.length - 1] == '\r') ? bytes.length - 1 : bytes.length;
		return new String(bytes, 0, length, StandardCharsets.UTF_8);
	}

}
