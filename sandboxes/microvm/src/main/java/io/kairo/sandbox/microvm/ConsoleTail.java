package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;

/**
 * The last bytes that a program, or the kernel of a machine, has written to its console.
 * They are not trusted. Safe for use by several threads.
 */
final class ConsoleTail {

	private static final Logger logger = System.getLogger(ConsoleTail.class.getName());

	private static final int MOST_BYTES = 8192;

	private static final String PANIC = "Kernel panic";

	private final byte[] ring = new byte[MOST_BYTES];

	private long total;

	/**
	 * Reads a stream to its end, and keeps the last bytes.
	 */
	void readAll(InputStream stream) {
		byte[] buffer = new byte[MOST_BYTES];
		try (stream) {
			for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
				add(buffer, count);
			}
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "The console cannot be read any more", ex);
		}
	}

	private synchronized void add(byte[] data, int count) {
		for (int i = 0; i < count; i++) {
			this.ring[(int) (this.total++ % MOST_BYTES)] = data[i];
		}
	}

	/**
	 * Returns the end of the output, as printable characters.
	 */
	synchronized String text() {
		int count = (int) Math.min(this.total, MOST_BYTES);
		byte[] last = new byte[count];
		for (int i = 0; i < count; i++) {
			last[i] = this.ring[(int) ((this.total - count + i) % MOST_BYTES)];
		}
		String text = new String(last, StandardCharsets.ISO_8859_1);
		int panic = text.indexOf(PANIC);
		// the kernel's output after that is for its developers
		return Frame.printable((panic < 0) ? text : text.substring(panic).lines().findFirst().orElse(PANIC));
	}

}
