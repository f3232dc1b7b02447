package io.kairo.sandbox.bubblewrap;

import java.util.ArrayList;
import java.util.List;

/**
 * The environment of an application, created with namespaces, so that this machine is not
 * changed. Requires root.
 */
public enum HostEnvironment {

	/** An ordinary user. */
	ORDINARY_USER("exec setpriv --reuid 65534 --regid 65534 --clear-groups \"$@\""),

	/** An ordinary user who cannot create user namespaces. */
	NO_USER_NAMESPACES("exec setpriv --reuid 65534 --regid 65534 --clear-groups"
			+ " unshare --user --map-current-user --keep-caps sh -c 'echo 0 > /proc/sys/user/max_user_namespaces"
			+ " && exec setpriv --inh-caps=-all --ambient-caps=-all \"$@\"' sh \"$@\""),

	/** A full disk for temporary files. */
	DISK_FULL("exec unshare --mount sh -c 'mount -t tmpfs -o size=256k,mode=1777 none \"$KAIRO_TMP\""
			+ " && head -c 1M /dev/zero > \"$KAIRO_TMP/fill\" 2>/dev/null; exec \"$@\"' sh \"$@\""),

	/** A file system for temporary files from which nothing can be executed. */
	TMP_NOEXEC("exec unshare --mount sh -c 'mount -t tmpfs -o noexec,mode=1777 none \"$KAIRO_TMP\""
			+ " && exec \"$@\"' sh \"$@\""),

	/** A container whose process 1 is the application. */
	PROCESS_1("exec unshare --pid --fork --mount-proc --kill-child \"$@\"");

	private final String script;

	HostEnvironment(String script) {
		this.script = script;
	}

	/**
	 * Returns a command that runs another one in this environment. The directory for
	 * temporary files is read from the environment variable {@code KAIRO_TMP}.
	 */
	public List<String> wrap(List<String> command) {
		List<String> all = new ArrayList<>(List.of("sh", "-c", this.script, "sh"));
		all.addAll(command);
		return all;
	}

}
