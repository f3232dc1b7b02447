package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

import io.kairo.host.MountTable;
import org.jspecify.annotations.Nullable;

/**
 * The mounts of the host, from which follows how the table of a sandbox lists the mount
 * of one of its directories. Immutable.
 *
 * @param table the mounts of the host
 */
record HostMounts(MountTable table) {

	/** File systems whose mounts do not show which of their directories is mounted. */
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
	 * @return device, path in its file system and target; null if its file system does
	 * not show that path
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
