package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What is mounted on the host, see proc_pid_mountinfo(5). Immutable.
 */
final class HostMounts {

	private static final Path TABLE = Path.of("/proc/self/mountinfo");

	/** They do not tell which of their directories is mounted. */
	private static final Set<String> SILENT = Set.of("nfs", "nfs4");

	private final Map<Place, Mount> mounts = new HashMap<>();

	private @Nullable Mount root;

	/**
	 * Reads the table of this process.
	 */
	static HostMounts read() throws IOException {
		return parse(new String(Files.readAllBytes(TABLE), StandardCharsets.UTF_8));
	}

	/**
	 * Parses a table. A mount that is hidden by a later one is still listed, which is why
	 * each is looked for in the one that it was mounted on.
	 */
	static HostMounts parse(String table) {
		HostMounts mounts = new HostMounts();
		table.lines().forEach((line) -> {
			String[] fields = line.split(" ", 6);
			String type = line.substring(line.indexOf(" - ") + 3).split(" ", 2)[0];
			Mount mount = new Mount(fields[0], fields[2], fields[3], fields[4], type);
			if (mount.point().equals("/") && mounts.root == null) {
				mounts.root = mount;
			}
			mounts.mounts.put(new Place(fields[1], mount.point()), mount);
		});
		return mounts;
	}

	/**
	 * Returns how a table lists the mount of a file or directory of the host somewhere.
	 * @param source an absolute path without links
	 * @param target where it is mounted
	 * @return device, path in its file system and target; null if its file system does
	 * not tell
	 * @throws IOException if the path lies on no mount of the table
	 */
	@Nullable String line(Path source, Path target) throws IOException {
		Mount mount = mountOf(source);
		if (SILENT.contains(mount.type())) {
			return null;
		}
		String path = withoutSlash(mount.root())
				+ withoutSlash(escape(source.toString())).substring(withoutSlash(mount.point()).length());
		return mount.device() + " " + (path.isEmpty() ? "/" : path) + " " + escape(target.toString());
	}

	/**
	 * Returns how a table lists the mount of a file system of its own.
	 * @param target where it is mounted
	 */
	static String lineOfNew(Path target) {
		return "/ " + escape(target.toString());
	}

	private Mount mountOf(Path source) throws IOException {
		if (this.root == null) {
			throw new IOException("The table of mounts has no root directory");
		}
		Mount mount = topmost(this.root, "/");
		for (int i = 1; i <= source.getNameCount(); i++) {
			mount = topmost(mount, escape("/" + source.subpath(0, i)));
		}
		return mount;
	}

	private Mount topmost(Mount below, String point) {
		Mount mount = below;
		for (Mount next = mount; next != null; next = this.mounts.get(new Place(mount.id(), point))) {
			mount = next;
		}
		return mount;
	}

	private static String withoutSlash(String path) {
		return path.equals("/") ? "" : path;
	}

	private static String escape(String path) {
		return path.replace("\\", "\\134").replace(" ", "\\040").replace("\t", "\\011").replace("\n", "\\012");
	}

	/**
	 * Where something is mounted.
	 *
	 * @param on the mount below
	 * @param point the path
	 */
	private record Place(String on, String point) {

	}

	/**
	 * A mount.
	 *
	 * @param id its id
	 * @param device the device of its file system
	 * @param root what of its file system is mounted
	 * @param point where
	 * @param type the type of its file system
	 */
	private record Mount(String id, String device, String root, String point, String type) {

	}

}
