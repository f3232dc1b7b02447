package io.kairo.sandbox.support.process;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/**
 * An environment variable that marks the processes of one command. It is inherited even
 * if parents, groups and sessions change, unless a program clears it.
 */
public final class ProcCookie {

	/** The name of the environment variable. */
	public static final String NAME = "KAIRO_EXECUTION";

	private static final byte[] BEGINNING = (NAME + "=").getBytes(StandardCharsets.US_ASCII);

	private static final int BUFFER = 8 * 1024;

	/** Number of characters of a value. */
	private static final int DIGITS = 36;

	private final String value = UUID.randomUUID().toString();

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
	 * Returns the values of the variable in the initial environment of a process.
	 * @return an empty set also for a process that has ended or belongs to another user
	 */
	static Set<String> values(long pid) {
		try (InputStream environment = new FileInputStream("/proc/" + pid + "/environ")) {
			return values(environment);
		}
		catch (IOException ex) {
			return Set.of();
		}
	}

	/**
	 * Searches with a small buffer. The first letter of the name occurs only once in it,
	 * and is no digit of a value. This makes backtracking after a mismatch simple.
	 */
	static Set<String> values(InputStream environment) throws IOException {
		Set<String> values = new HashSet<>();
		StringBuilder value = new StringBuilder();
		byte[] buffer = new byte[BUFFER];
		int matched = 0;
		for (int count = environment.read(buffer); count > 0; count = environment.read(buffer)) {
			for (int i = 0; i < count; i++) {
				byte octet = buffer[i];
				boolean fits = (matched < BEGINNING.length) ? octet == BEGINNING[matched] : isDigit(octet);
				if (!fits) {
					matched = (octet == BEGINNING[0]) ? 1 : 0;
					value.setLength(0);
					continue;
				}
				matched++;
				if (matched > BEGINNING.length) {
					value.append((char) octet);
				}
				if (value.length() == DIGITS) {
					values.add(value.toString());
					matched = 0;
					value.setLength(0);
				}
			}
		}
		return values;
	}

	private static boolean isDigit(byte octet) {
		return octet == '-' || Character.digit(octet, 16) >= 0;
	}

}
