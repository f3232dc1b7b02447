package io.kairo.sandbox.support.mount;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.kairo.host.MountTable;
import io.kairo.host.ProcessRoot;
import org.jspecify.annotations.Nullable;

/**
 * The mounts of one command. Mounting a directory on itself keeps it from being renamed.
 * Outer mounts come before inner ones, since they would otherwise cover them. Of several
 * mounts at one path the strictest wins. For use by one thread.
 * <p>
 * A directory to mount is found by path. A process that may rename something there could
 * put a link in the place of a directory between the check and the mount. The kernel,
 * however, reports the true path of everything that is mounted, and a mount does not
 * change afterwards. The {@link #lines()} therefore tell whether the mounts match the
 * plan.
 */
public final class MountPlan {

	private final Map<Path, Entry> entries = new TreeMap<>(
			Comparator.comparingInt(Path::getNameCount).thenComparing(Comparator.naturalOrder()));

	/**
	 * Creates a plan without mounts.
	 */
	public MountPlan() {
	}

	/**
	 * Adds a mount, unless there is a stricter one at its path in the sandbox.
	 * @param kind the effect
	 * @param source the real path on the host
	 * @param target the path in the sandbox
	 */
	public void add(Kind kind, Path source, Path target) {
		this.entries.merge(target, new Entry(kind, source, target),
				(old, added) -> (added.kind().compareTo(old.kind()) > 0) ? added : old);
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
	 * Returns the mounts so far.
	 * @return the mounts, the outer ones first
	 */
	public List<Entry> entries() {
		return List.copyOf(this.entries.values());
	}

	/**
	 * Returns lines that {@code /proc/self/mountinfo} will have in the sandbox, as far as
	 * they can be predicted.
	 * @return consecutive fields of a line for each mount: the device, except of a hidden
	 * directory, the path in the file system and the path in the sandbox; nothing for a
	 * file system that does not show the path
	 * @throws IOException if the mount table of the host cannot be read
	 */
	public List<String> lines() throws IOException {
		HostMounts host = new HostMounts(MountTable.read());
		List<String> lines = new ArrayList<>();
		for (Entry entry : this.entries.values()) {
			String line = (entry.kind() == Kind.HIDDEN) ? HostMounts.lineOfNew(entry.target())
					: host.line(entry.source(), entry.target());
			if (line != null) {
				lines.add(line);
			}
		}
		return lines;
	}

	/**
	 * The effect of a mount, from the least to the most strict.
	 */
	public enum Kind {

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
	 * @param source the real path on the host
	 * @param target the path in the sandbox
	 */
	public record Entry(Kind kind, Path source, Path target) {

	}

	/**
	 * The mounts of the host. They determine how the mount table of a sandbox lists a
	 * directory of the host. Immutable.
	 *
	 * @param table the mounts of the host
	 */
	record HostMounts(MountTable table) {

		/**
		 * File systems whose mounts do not show the mounted directory.
		 */
		private static final Set<String> SILENT = Set.of("nfs", "nfs4");

		/**
		 * Returns the line of a table for the bind mount of a file or directory of the
		 * host.
		 * @param source an absolute path without links
		 * @param target the path of the mount point
		 * @return device, path in its file system and target; null if its file system
		 * does not show that path
		 * @throws IOException if no mount contains the path
		 */
		@Nullable String line(Path source, Path target) throws IOException {
			ProcessRoot root = ProcessRoot.of(source);
			if (root != null) {
				return new HostMounts(MountTable.read(root.pid())).line(ProcessRoot.withoutRoot(source), target);
			}
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
		 * Returns the line of a table for the mount of a new file system.
		 * @param target the path of the mount point
		 */
		static String lineOfNew(Path target) {
			return "/ " + MountTable.escape(target.toString());
		}

		private static String withoutSlash(String path) {
			return path.equals("/") ? "" : path;
		}

	}

}
