package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.util.List;

/**
 * Proves, before a command runs, that it sees what it is to see. Bubblewrap finds what it
 * mounts by path, and whoever may rename something there could put a link in its place
 * between the look at it and the mount. The kernel, however, tells the true path of all
 * that is mounted, and what is mounted stays what it is. So the shell compares that with
 * what was planned, and runs nothing if there is a difference.
 */
final class MountProof {

	/** The environment of the shell has the plan, and that of the command has it not. */
	static final String PLAN = "kairo_mounts";

	private static final String READ_IN_BASH = "IFS= read -r -d '' kairo_all </proc/self/mountinfo; ";

	private static final String READ = "kairo_all=; while IFS= read -r kairo_one; do"
			+ " kairo_all=\"$kairo_all $kairo_one\"; done </proc/self/mountinfo; ";

	/** No field of the table contains a blank. */
	private static final String COMPARE = "while [ -n \"$kairo_mounts\" ]; do kairo_one=${kairo_mounts%%\"  \"*};"
			+ " kairo_mounts=${kairo_mounts#*\"  \"}; case $kairo_all in *\" $kairo_one \"*) ;; *)"
			+ " echo 'kairo: a directory was replaced while it was being mounted, so the command was not run' >&2;"
			+ " exit " + Bubblewrap.NOT_RUN + ";; esac; done; unset kairo_mounts kairo_all kairo_one; ";

	private MountProof() {
	}

	/**
	 * Returns what the shell does before the command.
	 */
	static String prelude(boolean bash) {
		return (bash ? READ_IN_BASH : READ) + COMPARE;
	}

	/**
	 * Returns the arguments for bubblewrap that hand over the plan.
	 */
	static List<String> arguments(MountPlan plan) throws IOException {
		StringBuilder lines = new StringBuilder();
		for (String line : plan.lines(HostMounts.read())) {
			lines.append(line).append("  ");
		}
		return List.of("--setenv", PLAN, lines.toString());
	}

}
