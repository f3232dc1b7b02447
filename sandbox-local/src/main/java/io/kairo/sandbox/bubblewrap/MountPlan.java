package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is mounted where for one command. A directory that is mounted on itself cannot be
 * renamed, and every mount has to be made after those above it, since each shows the
 * directory of the host as it is there. At one place the strictest wins. For use by one
 * thread.
 */
final class MountPlan {

	private final Map<Path, Entry> entries = new TreeMap<>(
			Comparator.comparingInt(Path::getNameCount).thenComparing(Comparator.naturalOrder()));

	void add(Kind kind, Path source, Path target) {
		this.entries.merge(target, new Entry(kind, source),
				(old, added) -> (added.kind().compareTo(old.kind()) > 0) ? added : old);
	}

	/**
	 * Returns whether there is nothing to do below a place: it is hidden, or cannot be
	 * changed where its surroundings can.
	 */
	boolean isSettled(Path target, boolean writable) {
		Entry entry = this.entries.get(target);
		return entry != null && (entry.kind() == Kind.HIDDEN || (writable && entry.kind() == Kind.READ_ONLY));
	}

	/**
	 * Returns the arguments for bubblewrap, from the outermost to the innermost.
	 */
	List<String> arguments() {
		List<String> arguments = new ArrayList<>();
		this.entries.forEach((target, entry) -> {
			String at = target.toString();
			switch (entry.kind()) {
				case PINNED, WRITABLE -> arguments.addAll(List.of("--bind", entry.source().toString(), at));
				case READ_ONLY -> arguments.addAll(List.of("--ro-bind", entry.source().toString(), at));
				case HIDDEN -> arguments.addAll(List.of("--size", "4096", "--perms", "0555", "--tmpfs", at));
			}
		});
		// only now, since something may be mounted within
		this.entries.forEach((target, entry) -> {
			if (entry.kind() == Kind.HIDDEN) {
				arguments.addAll(List.of("--remount-ro", target.toString()));
			}
		});
		return arguments;
	}

	/**
	 * Returns how the table of mounts lists them, as far as it tells.
	 */
	List<String> lines(HostMounts host) throws IOException {
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
	 * What a mount does, from the least to the most strict.
	 */
	enum Kind {

		/** Keeps a directory in its place. */
		PINNED,

		/** Shows a directory. */
		WRITABLE,

		/** Shows something that cannot be changed. */
		READ_ONLY,

		/** Shows nothing. */
		HIDDEN

	}

	/**
	 * A mount.
	 *
	 * @param kind what it does
	 * @param source what it shows
	 */
	private record Entry(Kind kind, Path source) {

	}

}
