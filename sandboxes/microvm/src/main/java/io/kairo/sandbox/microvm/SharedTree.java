package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.mount.SystemFiles;

/**
 * A tree of files that a machine sees, built of mounts below a directory. Its file server
 * confines itself to that directory. Read-only and protected files are so on the host,
 * whatever the kernel of the machine does.
 *
 * @param arguments the arguments for {@code bwrap}
 * @param lines lines that the mount table has to have, to prove that the mounts match the
 * plan
 */
record SharedTree(List<String> arguments, List<String> lines) {

	/** The directory that is shared. */
	static final String ROOT = "/r";

	private static final Path ETC = Path.of("/etc");

	/**
	 * Returns the tree of the system: programs, libraries and a few files of
	 * {@code /etc}.
	 * @param own a directory with the files of {@code /etc} that differ from the host
	 * @param hidden directories that no command sees
	 * @throws IOException if the system cannot be examined
	 */
	static SharedTree ofSystem(Path own, List<Path> hidden) throws IOException {
		List<String> arguments = new ArrayList<>(List.of("--dir", ROOT));
		arguments.addAll(HostConfinement.programs(ROOT));
		arguments.addAll(List.of("--dir", ROOT + "/etc"));
		List<String> names = new ArrayList<>(SystemFiles.CONFIGURATION);
		try (Stream<Path> entries = Files.list(ETC)) {
			entries.map((entry) -> entry.getFileName().toString())
				.filter((name) -> SystemFiles.VERSIONED.matcher(name).matches())
				.forEach(names::add);
		}
		for (String name : names) {
			if (Files.exists(ETC.resolve(name))) {
				arguments.addAll(List.of("--ro-bind", "/etc/" + name, ROOT + "/etc/" + name));
			}
		}
		try (Stream<Path> entries = Files.list(own)) {
			entries.sorted()
				.forEach((file) -> arguments
					.addAll(List.of("--ro-bind", file.toString(), ROOT + "/etc/" + file.getFileName())));
		}
		for (Path directory : hidden) {
			if (directory.startsWith("/usr") && Files.isDirectory(directory)) {
				arguments.addAll(empty(ROOT + directory));
				arguments.addAll(List.of("--remount-ro", ROOT + directory));
			}
		}
		return new SharedTree(arguments, List.of());
	}

	/**
	 * Returns the tree of the directories of a command.
	 * @throws IOException if the mount table of the host cannot be read
	 */
	static SharedTree ofMounts(List<MachineSpec.Mounted> mounts) throws IOException {
		List<String> arguments = new ArrayList<>(List.of("--dir", ROOT));
		MountPlan plan = new MountPlan();
		List<String> last = new ArrayList<>();
		for (MachineSpec.Mounted mounted : mounts) {
			MountPlan.Entry entry = mounted.entry();
			String source = entry.source().toString();
			String target = ROOT + entry.target();
			plan.add(entry.kind(), entry.source(), Path.of(target));
			switch (entry.kind()) {
				case PINNED, WRITABLE -> arguments.addAll(List.of("--bind", source, target));
				case READ_ONLY -> arguments.addAll(List.of("--ro-bind", source, target));
				case HIDDEN -> {
					arguments.addAll(empty(target));
					last.addAll(List.of("--remount-ro", target));
				}
			}
		}
		// last, since something may be mounted inside
		arguments.addAll(last);
		return new SharedTree(arguments, plan.lines());
	}

	private static List<String> empty(String target) {
		return List.of("--size", "4096", "--perms", "0555", "--tmpfs", target);
	}

}
