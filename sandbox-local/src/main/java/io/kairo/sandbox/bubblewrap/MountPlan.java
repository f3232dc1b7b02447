package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.kairo.host.MountTable;
import org.jspecify.annotations.Nullable;

/**
 * The mounts of one command. Mounting a directory on itself keeps it from being renamed.
 * Outer mounts come before inner ones, which they would otherwise cover. Of several
 * mounts at one path the strictest wins. For use by one thread.
 * <p>
 * Bubblewrap finds the directories to mount by path. A process that may rename something
 * there could put a link in the place of a directory between the check and the mount. The
 * kernel, however, reports the true path of everything that is mounted, and a mount does
 * not change afterwards. The shell therefore compares the mounts with this plan before it
 * runs the command, and runs nothing if they differ.
 */
final class MountPlan {

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

	private final Map<Path, Entry> entries = new TreeMap<>(
			Comparator.comparingInt(Path::getNameCount).thenComparing(Comparator.naturalOrder()));

	void add(Kind kind, Path source, Path target) {
		this.entries.merge(target, new Entry(kind, source),
				(old, added) -> (added.kind().compareTo(old.kind()) > 0) ? added : old);
	}

	/**
	 * Returns the script by which a shell compares the mounts with the plan.
	 * @param bash whether the shell is bash, which reads the table at once
	 */
	static String verification(boolean bash) {
		return (bash ? READ_IN_BASH : READ) + COMPARE;
	}

	/**
	 * Returns whether a path needs no further mounts below it: it is hidden, or it is
	 * read-only in writable surroundings.
	 */
	boolean isSettled(Path target, boolean writable) {
		Entry entry = this.entries.get(target);
		return entry != null && (entry.kind() == Kind.HIDDEN || (writable && entry.kind() == Kind.READ_ONLY));
	}

	/**
	 * Returns the arguments for bubblewrap: the plan for the shell, then the mounts from
	 * the outermost to the innermost.
	 * @throws IOException if the mount table of the host cannot be read
	 */
	List<String> arguments() throws IOException {
		String lines = lines(HostMounts.read()).stream().map((line) -> line + "  ").collect(Collectors.joining());
		List<String> arguments = new ArrayList<>(List.of("--setenv", VARIABLE, lines));
		this.entries.forEach((target, entry) -> {
			String at = target.toString();
			switch (entry.kind()) {
				case PINNED, WRITABLE -> arguments.addAll(List.of("--bind", entry.source().toString(), at));
				case READ_ONLY -> arguments.addAll(List.of("--ro-bind", entry.source().toString(), at));
				case HIDDEN -> arguments.addAll(List.of("--size", "4096", "--perms", "0555", "--tmpfs", at));
			}
		});
		// last, since something may be mounted inside
		this.entries.forEach((target, entry) -> {
			if (entry.kind() == Kind.HIDDEN) {
				arguments.addAll(List.of("--remount-ro", target.toString()));
			}
		});
		return arguments;
	}

	/**
	 * Returns the entries that the mount table will have, as far as they can be
	 * predicted.
	 */
	private List<String> lines(HostMounts host) throws IOException {
		List<String> lines = new ArrayList<>();
		for (Map.Entry<Path, Entry> mount : this.entries.entrySet()) {
			Path target = mount.getKey();
			Entry entry = mount.getValue();
			String line = (entry.kind() == Kind.HIDDEN) ? HostMounts.lineOfNew(target)
					: host.line(entry.source(), target);
			if (line != null) {
				lines.add(line);
			}
		}
		return lines;
	}

	/**
	 * The effect of a mount, from the least to the most strict.
	 */
	enum Kind {

		/** Keeps a directory in its place. */
		PINNED,

		/** Shows a directory. */
		WRITABLE,

		/** Shows a file or directory that cannot be changed. */
		READ_ONLY,

		/** Shows an empty directory. */
		HIDDEN

	}

	/**
	 * A mount.
	 *
	 * @param kind the effect
	 * @param source the path on the host
	 */
	private record Entry(Kind kind, Path source) {

	}

	/**
	 * The mounts of the host, which determine how the mount table of a sandbox lists a
	 * directory of the host. Immutable.
	 *
	 * @param table the mounts of the host
	 */
	record HostMounts(MountTable table) {

		/**
		 * File systems whose mounts do not show which of their directories is mounted.
		 */
		private static final Set<String> SILENT = Set.of("nfs", "nfs4");

		/**
		 * Reads the table of this process.
		 */
		static HostMounts read() throws IOException {
			return new HostMounts(MountTable.read());
		}

		/**
		 * Returns how a table lists the bind mount of a file or directory of the host.
		 * @param source an absolute path without links
		 * @param target the path at which it is mounted
		 * @return device, path in its file system and target; null if its file system
		 * does not show that path
		 * @throws IOException if the path is on none of the mounts
		 */
		@Nullable String line(Path source, Path target) throws IOException {
			MountTable.Mount mount = this.table.of(source);
			if (SILENT.contains(mount.type())) {
				return null;
			}
			String path = withoutSlash(mount.root())
					+ withoutSlash(source.toString()).substring(withoutSlash(mount.point()).length());
			return mount.device() + " " + (path.isEmpty() ? "/" : MountTable.escape(path)) + " "
					+ MountTable.escape(target.toString());
		}

		/**
		 * Returns how a table lists the mount of a new file system.
		 * @param target the path at which it is mounted
		 */
		static String lineOfNew(Path target) {
			return "/ " + MountTable.escape(target.toString());
		}

		private static String withoutSlash(String path) {
			return path.equals("/") ? "" : path;
		}

	}

}
