package io.kairo.sandbox.support;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Runs processes in a mount namespace of their own in which directories are mounted
 * read-only, without any capability, so that they cannot be remounted, unmounted or
 * covered. Needs {@code unshare}, {@code mount} and {@code setpriv} of util-linux, and
 * root or a kernel that lets ordinary users make user namespaces; then the process sees
 * itself as root, with the rights that the user has. Immutable.
 *
 * @since 0.1.0
 */
public final class ReadOnlyNamespace {

	/**
	 * What a process exits with whose directories could not be mounted read-only. It has
	 * not run then.
	 */
	public static final int NOT_RUN = 125;

	/**
	 * Takes the directory to start in, then each mount with its options behind
	 * {@code --tree} or {@code --mount}, then {@code --} and the process. What was the
	 * current directory before is below the new mounts and still writable.
	 */
	private static final String SCRIPT = """
			fail() { echo 'kairo: a directory could not be made read-only, so the command was not run' >&2; exit 125; }
			start=$1; mount=$2; shift 2
			while [ "$1" != -- ]; do
				[ "$1" = --mount ] || "$mount" --rbind -- "$2" "$2" || fail
				"$mount" -o "$3" -- "$2" || fail
				shift 3
			done
			shift
			cd -- "$start" || fail
			exec "$@"
			""";

	private static final String EFFECTIVE = "CapEff:\t";

	private final Path unshare;

	private final Path mount;

	private final Path setpriv;

	private final boolean root;

	private ReadOnlyNamespace(Path unshare, Path mount, Path setpriv, boolean root) {
		this.unshare = unshare;
		this.mount = mount;
		this.setpriv = setpriv;
		this.root = root;
	}

	/**
	 * Finds the programs that it needs. Whether the kernel plays along is for
	 * {@link ReadOnlyCheck} to find out.
	 * @return null if one is missing, or this is not Linux
	 */
	public static @Nullable ReadOnlyNamespace find() {
		Path unshare = Executables.find("unshare");
		Path mount = Executables.find("mount");
		Path setpriv = Executables.find("setpriv");
		boolean linux = System.getProperty("os.name").equals("Linux");
		if (!linux || unshare == null || mount == null || setpriv == null) {
			return null;
		}
		return new ReadOnlyNamespace(unshare, mount, setpriv, isRoot());
	}

	/**
	 * Returns the arguments of a process that runs another one where directories are
	 * read-only, with all that is mounted below them. It replaces itself by the other
	 * one.
	 * @param arguments program and arguments of the other process
	 * @param start where it starts
	 * @param directories existing directories that are read-only for it
	 * @return program and arguments
	 * @throws IOException if the mounts of this machine cannot be read
	 */
	public List<String> arguments(List<String> arguments, Path start, List<Path> directories) throws IOException {
		MountTable table = MountTable.read();
		List<String> all = new ArrayList<>(List.of(this.unshare.toString()));
		if (!this.root) {
			all.add("--map-root-user");
		}
		all.addAll(List.of("--mount", "--propagation", "private", "/bin/sh", "-c", SCRIPT, "kairo"));
		all.addAll(List.of(start.toString(), this.mount.toString()));
		for (Path directory : directories) {
			Path real = directory.toRealPath();
			all.addAll(List.of("--tree", real.toString(), remount(table.of(real))));
			table.below(real)
				.forEach((mount) -> all.addAll(List.of("--mount", mount.point().toString(), remount(mount))));
		}
		all.addAll(List.of("--", this.setpriv.toString(), "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"));
		all.addAll(arguments);
		return all;
	}

	/**
	 * Returns the options that make a mount read-only and change nothing else: the kernel
	 * does not let a user namespace drop one such as nosuid.
	 */
	private static String remount(MountTable.Mount mount) {
		Stream<String> kept = mount.options().stream().filter((option) -> !option.equals("rw") && !option.equals("ro"));
		return String.join(",", Stream.concat(Stream.of("remount", "bind", "ro"), kept).toList());
	}

	/**
	 * Returns whether this JVM may mount without a user namespace of its own: whether it
	 * has CAP_SYS_ADMIN, number 21 of capabilities(7), among its effective capabilities,
	 * see proc_pid_status(5).
	 */
	private static boolean isRoot() {
		try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1)) {
			return lines.filter((line) -> line.startsWith(EFFECTIVE))
				.anyMatch((line) -> new BigInteger(line.substring(EFFECTIVE.length()), 16).testBit(21));
		}
		catch (IOException ex) {
			return false;
		}
	}

}
