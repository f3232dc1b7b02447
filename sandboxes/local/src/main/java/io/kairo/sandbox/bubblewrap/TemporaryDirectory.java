package io.kairo.sandbox.bubblewrap;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A directory in memory that commands can write to.
 */
enum TemporaryDirectory {

	SHM("/dev/shm", "1777"), TMP("/tmp", "1777"), HOME(ControlDirectory.HOME, "0700");

	private final String path;

	private final String permissions;

	TemporaryDirectory(String path, String permissions) {
		this.path = path;
		this.permissions = permissions;
	}

	/**
	 * Returns the path for commands.
	 */
	String path() {
		return this.path;
	}

	/**
	 * Returns the arguments of bubblewrap that create the directory for one command.
	 */
	List<String> forCommand(long bytes) {
		return List.of("--size", Long.toString(bytes), "--perms", this.permissions, "--tmpfs", this.path);
	}

	/**
	 * Returns the path in the directory of a session, and the permissions, separated by a
	 * space.
	 */
	String forSession(Path session) {
		return this.permissions + " " + in(session);
	}

	/**
	 * Returns the arguments of bubblewrap that show the directory of a session to a
	 * command.
	 * @param session the directory of the session
	 */
	List<String> shown(Path session) {
		return List.of("--bind", in(session).toString(), this.path);
	}

	/**
	 * Returns the path in the directory of a session.
	 */
	Path in(Path session) {
		return session.resolve(name().toLowerCase(Locale.ROOT));
	}

}
