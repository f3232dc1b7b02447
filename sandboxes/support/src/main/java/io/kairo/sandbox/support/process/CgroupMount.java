package io.kairo.sandbox.support.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.host.MountTable;

/**
 * Finds the directories of the control groups of this JVM: the freezer of version 1
 * first, since it is joined without waiting, then the group of version 2, then others of
 * version 1. Membership alone has no effect on a process as long as no limit is set.
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
	 * Finds the groups for setting controllers for the children of this JVM. Each
	 * controller of version 1 has its own group; the controllers of version 2 share one,
	 * since a process is in a single group there.
	 * @param controllers the names of the controllers, such as {@code memory}
	 * @return the controllers by the groups to try, the nearest group first; unavailable
	 * controllers are left out
	 */
	static Map<List<Path>, List<String>> ofControllers(List<String> controllers) {
		try {
			List<String> memberships = Files.readAllLines(Path.of("/proc/self/cgroup"), StandardCharsets.UTF_8);
			return ofControllers(controllers, memberships, MountTable.read());
		}
		catch (IOException | RuntimeException ex) {
			return Map.of();
		}
	}

	static Map<List<Path>, List<String>> ofControllers(List<String> controllers, List<String> memberships,
			MountTable table) {
		Map<List<Path>, List<String>> found = new LinkedHashMap<>();
		List<String> others = new ArrayList<>();
		for (String controller : controllers) {
			List<Path> own = new ArrayList<>();
			addVersion1(own, controller, memberships, table);
			if (own.isEmpty()) {
				others.add(controller);
			}
			else {
				found.computeIfAbsent(own, (groups) -> new ArrayList<>()).add(controller);
			}
		}
		List<Path> unified = withAncestors(memberships, table);
		others
			.removeIf((controller) -> unified.stream().noneMatch((group) -> controllersOf(group).contains(controller)));
		List<Path> shared = unified.stream().filter((group) -> controllersOf(group).containsAll(others)).toList();
		if (!others.isEmpty() && !shared.isEmpty()) {
			found.put(shared, others);
		}
		return found;
	}

	/**
	 * Finds the group of version 2 and its ancestors: a group with processes does not
	 * delegate controllers to its children, so that an ancestor may have to be used.
	 */
	private static List<Path> withAncestors(List<String> memberships, MountTable table) {
		List<Path> own = new ArrayList<>();
		addVersion2(own, memberships, table);
		List<Path> all = new ArrayList<>();
		for (Path start : own) {
			for (Path group = start; group != null; group = group.getParent()) {
				all.add(group);
			}
		}
		return all;
	}

	private static List<String> controllersOf(Path group) {
		try {
			String all = Files.readString(group.resolve("cgroup.controllers"), StandardCharsets.US_ASCII);
			return List.of(all.trim().split(" ", -1));
		}
		catch (IOException ex) {
			return List.of();
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
	 * Adds the directory of a group, unless it lies outside of the mounted part of the
	 * hierarchy.
	 */
	private static void add(List<Path> found, MountTable.Mount mount, String group) {
		Path root = Path.of(mount.root());
		Path own = Path.of(group);
		if (own.normalize().equals(own) && own.startsWith(root)) {
			found.add(Path.of(mount.point()).resolve(root.relativize(own).toString()));
		}
	}

}
