package io.kairo.sandbox.support;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * An entry of the environment that marks the processes of one command: it is inherited
 * whatever happens to parents, groups and sessions, unless a program clears it.
 */
final class ProcCookie {

	static final String NAME = "KAIRO_EXECUTION";

	private static final int BUFFER = 8 * 1024;

	private final String value = UUID.randomUUID().toString();

	private final byte[] entry = (NAME + "=" + this.value).getBytes(StandardCharsets.US_ASCII);

	String value() {
		return this.value;
	}

	/**
	 * Returns whether the environment that a process was started with has the entry.
	 * @return false also for a process that is gone or belongs to somebody else
	 */
	boolean isIn(long pid) {
		try (InputStream environment = new FileInputStream("/proc/" + pid + "/environ")) {
			return isIn(environment);
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Searches without holding more than a buffer. The first letter of the entry does not
	 * come again in it, which makes going back after a mismatch simple.
	 */
	boolean isIn(InputStream environment) throws IOException {
		byte[] buffer = new byte[BUFFER];
		int matched = 0;
		for (int count = environment.read(buffer); count > 0; count = environment.read(buffer)) {
			for (int i = 0; i < count; i++) {
				if (buffer[i] == this.entry[matched]) {
					matched++;
				}
				else {
					matched = (buffer[i] == this.entry[0]) ? 1 : 0;
				}
				if (matched == this.entry.length) {
					return true;
				}
			}
		}
		return false;
	}

}
