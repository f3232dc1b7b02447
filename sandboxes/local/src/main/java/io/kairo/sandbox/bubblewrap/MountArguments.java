package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.host.ProcessRoot;
import io.kairo.sandbox.support.mount.MountPlan;

/**
 * The mounts of one command as arguments for bubblewrap. It finds the directories to
 * mount by path. When everything is mounted, bubblewrap waits, and the JVM compares the
 * mounts with the plan. Only then anything of the command takes effect: its environment,
 * and the programs that its mounts may cover.
 *
 * @param plan the mounts
 */
record MountArguments(MountPlan plan) {

	private static final long PATIENCE_SECONDS = 20;

	private static final long PAUSE_NANOS = 500_000;

	/**
	 * Returns the arguments, from the outermost mount to the innermost.
	 */
	List<String> all() {
		List<String> arguments = new ArrayList<>();
		List<MountPlan.Entry> entries = this.plan.entries();
		entries.forEach((entry) -> {
			String source = ProcessRoot.withoutRoot(entry.source()).toString();
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

	/**
	 * Lets bubblewrap run the command if the mounts match the plan. Does nothing if
	 * bubblewrap has failed.
	 * @param files the files of the command
	 * @param alive returns whether bubblewrap runs
	 * @param input the standard input of bubblewrap. If this method fails, it must not
	 * end before bubblewrap, since its end lets the command run as well
	 * @throws SandboxException if the mounts differ
	 * @throws IOException if a mount table cannot be read, or bubblewrap takes too long
	 */
	void release(ControlFiles files, BooleanSupplier alive, OutputStream input) throws IOException {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
		String table = files.mountTable();
		while (table == null) {
			if (!alive.getAsBoolean()) {
				return;
			}
			if (System.nanoTime() > deadline) {
				throw new IOException("bubblewrap did not mount the directories in time");
			}
			LockSupport.parkNanos(PAUSE_NANOS);
			table = files.mountTable();
		}
		if (!isIn(table)) {
			throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
					"A directory was replaced while it was being mounted, so the command was not run", "try again");
		}
		input.write('\n');
		input.flush();
	}

	/**
	 * Returns whether a mount table, with one character for each byte, has every mount.
	 */
	boolean isIn(String table) throws IOException {
		// no field of a table contains a blank
		return this.plan.lines()
			.stream()
			.map((line) -> " " + new String(line.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1) + " ")
			.allMatch(table::contains);
	}

}
