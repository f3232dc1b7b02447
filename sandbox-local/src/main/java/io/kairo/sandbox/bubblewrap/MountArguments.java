package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.kairo.sandbox.support.mount.MountPlan;

/**
 * The mounts of one command as arguments for bubblewrap, which finds the directories to
 * mount by path. The shell compares the mounts with the plan before it runs the command,
 * and runs nothing if they differ.
 *
 * @param plan the mounts
 */
record MountArguments(MountPlan plan) {

	/**
	 * The environment variable that hands the plan to the shell, which removes it before
	 * the command runs.
	 */
	static final String VARIABLE = "kairo_mounts";

	private static final String READ_IN_BASH = "IFS= read -r -d '' kairo_all </proc/self/mountinfo; ";

	private static final String READ = "kairo_all=; while IFS= read -r kairo_one; do"
			+ " kairo_all=\"$kairo_all $kairo_one\"; done </proc/self/mountinfo; ";

	/** No field of the table contains a blank. */
	private static final String COMPARE = "while [ -n \"$kairo_mounts\" ]; do kairo_one=${kairo_mounts%%\"  \"*};"
			+ " kairo_mounts=${kairo_mounts#*\"  \"}; case $kairo_all in *\" $kairo_one \"*) ;; *)"
			+ " echo 'kairo: a directory was replaced while it was being mounted, so the command was not run' >&2;"
			+ " exit " + Bubblewrap.NOT_RUN + ";; esac; done; unset kairo_mounts kairo_all kairo_one; ";

	/**
	 * Returns the script by which a shell compares the mounts with the plan.
	 * @param bash whether the shell is bash, which reads the table at once
	 */
	static String verification(boolean bash) {
		return (bash ? READ_IN_BASH : READ) + COMPARE;
	}

	/**
	 * Returns the arguments: the plan for the shell, then the mounts from the outermost
	 * to the innermost.
	 * @throws IOException if the mount table of the host cannot be read
	 */
	List<String> all() throws IOException {
		String lines = this.plan.lines().stream().map((line) -> line + "  ").collect(Collectors.joining());
		List<String> arguments = new ArrayList<>(List.of("--setenv", VARIABLE, lines));
		List<MountPlan.Entry> entries = this.plan.entries();
		entries.forEach((entry) -> {
			String source = entry.source().toString();
			String target = entry.target().toString();
			arguments.addAll(switch (entry.kind()) {
				case PINNED, WRITABLE -> List.of("--bind", source, target);
				case READ_ONLY -> List.of("--ro-bind", source, target);
				case HIDDEN -> List.of("--size", "4096", "--perms", "0555", "--tmpfs", target);
			});
		});
		// last, since something may be mounted inside
		entries.forEach((entry) -> {
			if (entry.kind() == MountPlan.Kind.HIDDEN) {
				arguments.addAll(List.of("--remount-ro", entry.target().toString()));
			}
		});
		return arguments;
	}

}
