package io.kairo.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The mounts that this process sees, as of {@code /proc/self/mountinfo}, see
 * proc_pid_mountinfo(5). Immutable.
 */
public final class MountTable {

	private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");

	/** The parent of mounts whose real parent is not listed, such as the root. */
	private static final String UNLISTED = "";

	private final List<Mount> mounts;

	/** The last mount at a point of another mount. It covers the previous ones. */
	private final Map<Place, Mount> byPlace = new HashMap<>();

	private MountTable(List<Mount> mounts) {
		this.mounts = List.copyOf(mounts);
		Set<String> ids = new HashSet<>();
		mounts.forEach((mount) -> ids.add(mount.id()));
		for (Mount mount : mounts) {
			boolean listed = ids.contains(mount.parent()) && !mount.parent().equals(mount.id());
			this.byPlace.put(new Place(listed ? mount.parent() : UNLISTED, mount.point()), mount);
		}
	}

	/**
	 * Reads the current table.
	 * @return the table
	 * @throws IOException if the operating system has no such table
	 */
	public static MountTable read() throws IOException {
		return read(Path.of("/proc/self/mountinfo"));
	}

	/**
	 * Reads the current table of another process.
	 * @param pid the process ID
	 * @return the table
	 * @throws IOException if there is no such process, or it has no such table
	 */
	public static MountTable read(long pid) throws IOException {
		return read(Path.of("/proc", Long.toString(pid), "mountinfo"));
	}

	private static MountTable read(Path table) throws IOException {
		return parse(Files.readString(table, StandardCharsets.ISO_8859_1));
	}

	/**
	 * Parses a table.
	 * @param text the content of the file, one character for each byte
	 * @return the table
	 */
	public static MountTable parse(String text) {
		return new MountTable(text.lines().map(MountTable::parseLine).toList());
	}

	private static Mount parseLine(String line) {
		List<String> fields = List.of(line.split(" "));
		int dash = fields.indexOf("-");
		String superOptions = (fields.size() > dash + 3) ? fields.get(dash + 3) : "";
		return new Mount(fields.get(0), fields.get(1), fields.get(2), unescape(fields.get(3)), unescape(fields.get(4)),
				List.of(fields.get(5).split(",")), fields.get(dash + 1), List.of(superOptions.split(",")));
	}

	private static String unescape(String field) {
		String bytes = (field.indexOf('\\') < 0) ? field : ESCAPED.matcher(field).replaceAll(MountTable::unescape);
		return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
	}

	private static String unescape(MatchResult match) {
		String character = String.valueOf((char) Integer.parseInt(match.group(1), 8));
		return character.equals("\\") ? "\\\\" : character;
	}

	/**
	 * Escapes a path as the kernel does in its tables.
	 * @param path a path
	 * @return the path without blanks
	 */
	public static String escape(String path) {
		return path.replace("\\", "\\134").replace(" ", "\\040").replace("\t", "\\011").replace("\n", "\\012");
	}

	/**
	 * Returns all mounts.
	 * @return the mounts in the order of the table
	 */
	public List<Mount> mounts() {
		return this.mounts;
	}

	/**
	 * Returns the mount that a path is on. A mount that is hidden by a later one is still
	 * listed, so each mount is looked up on the one below it, beginning with the root.
	 * @param path an absolute path without links
	 * @return the mount
	 * @throws IOException if the path is on none of the mounts
	 */
	public Mount of(Path path) throws IOException {
		Mount mount = topmost(null, "/");
		for (int i = 1; i <= path.getNameCount(); i++) {
			mount = topmost(mount, "/" + path.subpath(0, i));
		}
		if (mount == null) {
			throw new IOException("The table of mounts has no mount for a directory");
		}
		return mount;
	}

	private @Nullable Mount topmost(@Nullable Mount below, String point) {
		Mount mount = below;
		Mount next = mountAt(mount, point);
		while (next != null) {
			mount = next;
			next = mountAt(mount, point);
		}
		return mount;
	}

	private @Nullable Mount mountAt(@Nullable Mount below, String point) {
		return this.byPlace.get(new Place((below != null) ? below.id() : UNLISTED, point));
	}

	/**
	 * Returns the mounts below a path, without one at the path itself.
	 * @param path an absolute path without links
	 * @return the mounts in the order of the table
	 */
	public List<Mount> below(Path path) {
		String prefix = path.toString().endsWith("/") ? path.toString() : path + "/";
		List<Mount> below = new ArrayList<>(this.mounts);
		below.removeIf((mount) -> mount.point().equals(prefix) || !mount.point().startsWith(prefix));
		return below;
	}

	/**
	 * A mount.
	 *
	 * @param id the ID of the mount
	 * @param parent the ID of the mount that it is mounted on
	 * @param device the number of the device of the file system
	 * @param root the directory of the file system that is mounted
	 * @param point the path at which it is mounted
	 * @param options the options of the mount
	 * @param type the type of the file system
	 * @param superOptions the options of the file system
	 */
	public record Mount(String id, String parent, String device, String root, String point, List<String> options,
			String type, List<String> superOptions) {

	}

	/**
	 * A point of a mount.
	 *
	 * @param mount the ID of the mount
	 * @param point the path
	 */
	private record Place(String mount, String point) {

	}

}
