package io.kairo.sandbox.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The mounts that this JVM sees, see proc_pid_mountinfo(5). Immutable.
 *
 * @param mounts from the first to the last, which covers what was there before
 */
record MountTable(List<Mount> mounts) {

	private static final Pattern ESCAPED = Pattern.compile("\\\\([0-7]{3})");

	/**
	 * Creates the value.
	 * @param mounts copied
	 */
	MountTable {
		mounts = List.copyOf(mounts);
	}

	/**
	 * Reads the table of this moment.
	 * @throws IOException if there is none
	 */
	static MountTable read() throws IOException {
		return parse(Files.readString(Path.of("/proc/self/mountinfo"), StandardCharsets.ISO_8859_1));
	}

	/**
	 * Parses a table.
	 * @param text what was read, one character for each byte
	 */
	static MountTable parse(String text) {
		return new MountTable(text.lines().map(MountTable::parseLine).toList());
	}

	private static Mount parseLine(String line) {
		List<String> fields = List.of(line.split(" "));
		int dash = fields.indexOf("-");
		String superOptions = (fields.size() > dash + 3) ? fields.get(dash + 3) : "";
		return new Mount(unescape(fields.get(3)), Path.of(unescape(fields.get(4))), List.of(fields.get(5).split(",")),
				fields.get(dash + 1), List.of(superOptions.split(",")));
	}

	private static String unescape(String field) {
		String bytes = ESCAPED.matcher(field).replaceAll(MountTable::unescape);
		return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
	}

	private static String unescape(MatchResult match) {
		String character = String.valueOf((char) Integer.parseInt(match.group(1), 8));
		return character.equals("\\") ? "\\\\" : character;
	}

	/**
	 * Returns the mount that a path is on.
	 * @throws IOException if there is none
	 */
	Mount of(Path path) throws IOException {
		Mount found = null;
		for (Mount mount : this.mounts) {
			boolean closer = found == null || mount.point().getNameCount() >= found.point().getNameCount();
			if (path.startsWith(mount.point()) && closer) {
				found = mount;
			}
		}
		if (found == null) {
			throw new IOException("No mount is known for a directory");
		}
		return found;
	}

	/**
	 * Returns the mounts below a path, the path itself left out.
	 */
	List<Mount> below(Path path) {
		List<Mount> below = new ArrayList<>(this.mounts);
		below.removeIf((mount) -> mount.point().equals(path) || !mount.point().startsWith(path));
		return below;
	}

	/**
	 * A mount.
	 *
	 * @param root the directory of the file system that is mounted
	 * @param point where it is mounted
	 * @param options options of the mount
	 * @param type the type of the file system
	 * @param superOptions options of the file system
	 */
	record Mount(String root, Path point, List<String> options, String type, List<String> superOptions) {

	}

}
