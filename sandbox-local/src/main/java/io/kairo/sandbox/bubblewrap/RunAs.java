package io.kairo.sandbox.bubblewrap;

import java.util.List;

import io.kairo.host.HostUser;

/**
 * The user that commands run as if the JVM runs as root.
 *
 * @param uid the user id, above zero
 * @param gid the group id, above zero
 */
public record RunAs(int uid, int gid) {

	/**
	 * Creates the value.
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
		HostUser user = HostUser.parse(text);
		return new RunAs(user.uid(), user.gid());
	}

	HostUser user() {
		return new HostUser(this.uid, this.gid);
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
