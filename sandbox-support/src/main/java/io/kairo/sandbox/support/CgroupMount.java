package io.kairo.sandbox.support;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the control groups that this JVM is in, as directories: the freezer of version 1
 * first, which is joined without waiting, then that of version 2, then others of version
 * 1. None makes a difference to what is in it, as long as nothing is set.
 */
final class CgroupMount {

	private CgroupMount() {
	}

	static List<Path> own() {
		try {
			return own(Files.readAllLines(Path.of("/proc/self/cgroup"), StandardCharsets.UTF_8), MountTable.read());
		}
		catch (IOException | RuntimeException ex) {
			return List.of();
		}
	}

	/**
	 * Finds the groups that this JVM is in and that a controller works in, or can be made
	 * to.
	 * @param controller its name, such as {@code memory}
	 */
	static List<Path> ofController(String controller) {
		try {
			List<String> memberships = Files.readAllLines(Path.of("/proc/self/cgroup"), StandardCharsets.UTF_8);
			return ofController(controller, memberships, MountTable.read());
		}
		catch (IOException | RuntimeException ex) {
			return List.of();
		}
	}

	static List<Path> ofController(String controller, List<String> memberships, MountTable table) {
		List<Path> found = new ArrayList<>();
		addVersion1(found, controller, memberships, table);
		List<Path> unified = new ArrayList<>();
		addVersion2(unified, memberships, table);
		for (Path own : unified) {
			// a group with processes hands nothing down, so the one above may have to do
			for (Path group = own; group != null; group = group.getParent()) {
				if (hasController(group, controller)) {
					found.add(group);
				}
			}
		}
		return found;
	}

	private static boolean hasController(Path group, String controller) {
		try {
			String all = Files.readString(group.resolve("cgroup.controllers"), StandardCharsets.US_ASCII);
			return List.of(all.trim().split(" ", -1)).contains(controller);
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Finds the directories.
	 * @param memberships the lines of {@code /proc/self/cgroup}
	 */
	static List<Path> own(List<String> memberships, MountTable table) {
		List<Path> found = new ArrayList<>();
		addVersion1(found, "freezer", memberships, table);
		addVersion2(found, memberships, table);
		addVersion1(found, "pids", memberships, table);
		addVersion1(found, "name=systemd", memberships, table);
		return found;
	}

	private static void addVersion2(List<Path> found, List<String> memberships, MountTable table) {
		memberships.stream().filter((line) -> line.startsWith("0::")).forEach((line) -> {
			String group = line.substring(3);
			table.mounts()
				.stream()
				.filter((mount) -> mount.type().equals("cgroup2"))
				.forEach((mount) -> add(found, mount, group));
		});
	}

	private static void addVersion1(List<Path> found, String controller, List<String> memberships, MountTable table) {
		for (String line : memberships) {
			String[] fields = line.split(":", 3);
			if (fields.length == 3 && List.of(fields[1].split(",")).contains(controller)) {
				table.mounts()
					.stream()
					.filter((mount) -> mount.type().equals("cgroup") && mount.superOptions().contains(controller))
					.forEach((mount) -> add(found, mount, fields[2]));
			}
		}
	}

	/**
	 * Adds the directory of a group, unless it lies outside of what is mounted.
	 */
	private static void add(List<Path> found, MountTable.Mount mount, String group) {
		Path root = Path.of(mount.root());
		Path own = Path.of(group);
		if (own.normalize().equals(own) && own.startsWith(root)) {
			found.add(mount.point().resolve(root.relativize(own).toString()));
		}
	}

}
