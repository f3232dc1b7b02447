package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.mount.Roots;
import org.jspecify.annotations.Nullable;

/**
 * The distinctive features of a machine: commands with equal values can share one.
 *
 * @param tenant the ID of the tenant
 * @param mounts the mounts, the outer ones first, copied
 * @param targets the paths, as commands see them, of the directories that are not inside
 * another one, copied
 */
record MachineSpec(String tenant, List<Mounted> mounts, List<Path> targets) {

	/**
	 * Creates the value.
	 */
	MachineSpec {
		mounts = List.copyOf(mounts);
		targets = List.copyOf(targets);
	}

	/**
	 * Returns the value for a machine with the mounts of a plan.
	 * @param caches the paths of caches, as commands see them
	 * @throws IOException if a file or directory to mount cannot be examined
	 */
	static MachineSpec of(String tenant, Roots roots, MountPlan plan, List<Path> caches) throws IOException {
		List<Mounted> mounts = new ArrayList<>();
		for (MountPlan.Entry entry : plan.entries()) {
			mounts.add(new Mounted(entry, key(entry)));
		}
		List<Path> all = new ArrayList<>(roots.targets());
		all.addAll(caches);
		List<Path> outermost = all.stream()
			.filter((target) -> all.stream().noneMatch((other) -> !target.equals(other) && target.startsWith(other)))
			.toList();
		return new MachineSpec(tenant, mounts, outermost);
	}

	/**
	 * Returns the lines that a mount table has if these mounts are all that there is.
	 * @throws IOException if the mount table of the host cannot be read
	 */
	static List<String> lines(List<Mounted> mounts) throws IOException {
		MountPlan plan = new MountPlan();
		mounts
			.forEach((mounted) -> plan.add(mounted.entry().kind(), mounted.entry().source(), mounted.entry().target()));
		return plan.lines();
	}

	/**
	 * Identifies the mounted file or directory: another file at the same path needs
	 * another machine.
	 */
	private static @Nullable Object key(MountPlan.Entry entry) throws IOException {
		return (entry.kind() == MountPlan.Kind.HIDDEN) ? null
				: Files.readAttributes(entry.source(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
	}

	/**
	 * A mount, and the mounted file or directory.
	 *
	 * @param entry the mount
	 * @param key the identity of the file or directory; null for an empty directory
	 */
	record Mounted(MountPlan.Entry entry, @Nullable Object key) {

	}

}
