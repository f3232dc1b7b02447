package io.kairo.sandbox.support.process;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * An environment variable that marks the processes of one command. It is inherited even
 * if parents, groups and sessions change, unless a program clears it.
 *
 * @since 0.1.0
 */
public final class ProcCookie {

	/** The name of the environment variable. */
	public static final String NAME = "KAIRO_EXECUTION";

	private static final int BUFFER = 8 * 1024;

	private final String value = UUID.randomUUID().toString();

	private final byte[] entry = (NAME + "=" + this.value).getBytes(StandardCharsets.US_ASCII);

	/**
	 * Creates a unique cookie.
	 */
	public ProcCookie() {
	}

	/**
	 * Returns the value of the environment variable.
	 * @return a unique value
	 */
	public String value() {
		return this.value;
	}

	/**
	 * Returns whether the initial environment of a process has the variable.
	 * @return false also for a process that has ended or belongs to another user
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
	 * Searches with a small buffer. The first letter of the entry occurs only once in it,
	 * which makes backtracking after a mismatch simple.
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
