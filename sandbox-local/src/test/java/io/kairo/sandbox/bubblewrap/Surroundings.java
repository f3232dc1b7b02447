package io.kairo.sandbox.bubblewrap;

import java.util.ArrayList;
import java.util.List;

/**
 * Surroundings in which applications run, made of namespaces: nothing of this machine is
 * changed. All but the first take root.
 */
enum Surroundings {

	/** As the tests run. */
	AS_IT_IS(""),

	/** An ordinary user. */
	ORDINARY_USER("exec setpriv --reuid 65534 --regid 65534 --clear-groups \"$@\""),

	/** An ordinary user who cannot make user namespaces. */
	NO_USER_NAMESPACES("exec setpriv --reuid 65534 --regid 65534 --clear-groups"
			+ " unshare --user --map-current-user --keep-caps sh -c 'echo 0 > /proc/sys/user/max_user_namespaces"
			+ " && exec setpriv --inh-caps=-all --ambient-caps=-all \"$@\"' sh \"$@\""),

	/** No space where files for temporary use are made. */
	DISK_FULL("exec unshare --mount sh -c 'mount -t tmpfs -o size=256k,mode=1777 none \"$KAIRO_TMP\""
			+ " && head -c 1M /dev/zero > \"$KAIRO_TMP/fill\" 2>/dev/null; exec \"$@\"' sh \"$@\""),

	/** Nothing can be executed where files for temporary use are made. */
	TMP_NOEXEC("exec unshare --mount sh -c 'mount -t tmpfs -o noexec,mode=1777 none \"$KAIRO_TMP\""
			+ " && exec \"$@\"' sh \"$@\"");

	private final String script;

	Surroundings(String script) {
		this.script = script;
	}

	/**
	 * Returns a command that runs another one in these surroundings. They find the
	 * directory for temporary files in the variable {@code KAIRO_TMP}.
	 */
	List<String> around(List<String> command) {
		if (this == AS_IT_IS) {
			return command;
		}
		List<String> all = new ArrayList<>(List.of("sh", "-c", this.script, "sh"));
		all.addAll(command);
		return all;
	}

}
