package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The user that commands run as if the JVM runs as root.
 *
 * @param uid the user id, above zero
 * @param gid the group id, above zero
 * @since 0.1.0
 */
public record RunAs(int uid, int gid) {

	private static final Pattern NUMBERS = Pattern.compile("(\\d{1,9})(?::(\\d{1,9}))?");

	private static final Path USERS = Path.of("/etc/passwd");

	/**
	 * Creates the value.
	 * @param uid the user id
	 * @param gid the group id
	 * @throws IllegalArgumentException if one of them is that of root
	 */
	public RunAs {
		if (uid <= 0 || gid <= 0) {
			throw new IllegalArgumentException(
					uid + ":" + gid + " is root or has its group: commands must run as another user, such as 65534");
		}
	}

	/**
	 * Parses a user.
	 * @param text the name of a user of this machine, a user id, or user id and group id
	 * such as {@code 1000:1000}; a single number is also the group id
	 * @return the user
	 * @throws IllegalArgumentException if the user does not exist or is root
	 */
	public static RunAs parse(String text) {
		Matcher numbers = NUMBERS.matcher(text);
		if (numbers.matches()) {
			int uid = Integer.parseInt(numbers.group(1));
			return new RunAs(uid, (numbers.group(2) != null) ? Integer.parseInt(numbers.group(2)) : uid);
		}
		try {
			for (String line : Files.readAllLines(USERS, StandardCharsets.ISO_8859_1)) {
				String[] fields = line.split(":", -1);
				if (fields.length > 3 && fields[0].equals(text)) {
					return new RunAs(Integer.parseInt(fields[2]), Integer.parseInt(fields[3]));
				}
			}
		}
		catch (IOException ex) {
			throw new IllegalArgumentException("The users of this machine cannot be read: use numbers such as 65534",
					ex);
		}
		throw new IllegalArgumentException(
				"'" + text + "' is not a user of this machine: use a name, or numbers such as 65534 or 1000:1000");
	}

	/**
	 * Returns whether this user may enter a directory of another user.
	 * @param owningGroup the group of the directory
	 * @param mode the mode of the directory
	 */
	boolean canEnter(int owningGroup, int mode) {
		return (mode & ((this.gid == owningGroup) ? 0010 : 0001)) != 0;
	}

	/**
	 * Returns the arguments of {@code setpriv} that switch to this user.
	 */
	List<String> arguments() {
		return List.of("--reuid=" + this.uid, "--regid=" + this.gid, "--clear-groups");
	}

	@Override
	public String toString() {
		return this.uid + ":" + this.gid;
	}

}
