package io.kairo.sandbox.support;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.host.MountTable;
import org.jspecify.annotations.Nullable;

/**
 * Runs processes in their own mount namespace with directories mounted read-only. The
 * processes have no capability, so that the directories cannot be remounted, unmounted or
 * overmounted. Each also has its own user namespace, so that it cannot reach the mounts
 * of another one through {@code /proc}; it sees itself as root there, with the
 * permissions of the user of the JVM. Requires {@code unshare}, {@code mount} and
 * {@code setpriv} of util-linux, and a kernel that lets the user create user namespaces.
 * Immutable.
 */
public final class ReadOnlyNamespace {

	/**
	 * Exit code of a process that was not run because the directories could not be
	 * mounted read-only.
	 */
	public static final int NOT_RUN = 125;

	/**
	 * The arguments are the directory to start in, the path of {@code mount}, each mount
	 * with its options after {@code --tree} or {@code --mount}, then {@code --} and the
	 * process. The current directory is changed last, since the previous one lies below
	 * the new mounts and is still writable.
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

	private final Path unshare;

	private final Path mount;

	private final Path setpriv;

	private ReadOnlyNamespace(Path unshare, Path mount, Path setpriv) {
		this.unshare = unshare;
		this.mount = mount;
		this.setpriv = setpriv;
	}

	/**
	 * Searches for the required programs. {@link ReadOnlyCheck} checks the support of the
	 * kernel.
	 * @return the namespace, or null if a program is missing or this is not Linux
	 */
	public static @Nullable ReadOnlyNamespace find() {
		Path unshare = Executables.find("unshare");
		Path mount = Executables.find("mount");
		Path setpriv = Executables.find("setpriv");
		boolean linux = System.getProperty("os.name").equals("Linux");
		if (!linux || unshare == null || mount == null || setpriv == null) {
			return null;
		}
		return new ReadOnlyNamespace(unshare, mount, setpriv);
	}

	/**
	 * Returns the command line of a process that mounts directories read-only, including
	 * all mounts below them, and then executes another program.
	 * @param arguments the other program and its arguments
	 * @param start the working directory to start in
	 * @param directories the existing directories to mount read-only
	 * @return the program and its arguments
	 * @throws IOException if the mounts of this machine cannot be read
	 */
	public List<String> arguments(List<String> arguments, Path start, List<Path> directories) throws IOException {
		MountTable table = MountTable.read();
		List<String> all = new ArrayList<>(List.of(this.unshare.toString(), "--map-root-user", "--mount",
				"--propagation", "private", "/bin/sh", "-c", SCRIPT, "kairo"));
		all.addAll(List.of(start.toString(), this.mount.toString()));
		for (Path directory : directories) {
			Path real = directory.toRealPath();
			all.addAll(List.of("--tree", real.toString(), remount(table.of(real))));
			table.below(real).forEach((mount) -> all.addAll(List.of("--mount", mount.point(), remount(mount))));
		}
		all.addAll(List.of("--", this.setpriv.toString(), "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"));
		all.addAll(arguments);
		return all;
	}

	/**
	 * Returns the options that make a mount read-only and change nothing else: the kernel
	 * does not let a user namespace drop options such as nosuid.
	 */
	private static String remount(MountTable.Mount mount) {
		Stream<String> kept = mount.options().stream().filter((option) -> !option.equals("rw") && !option.equals("ro"));
		return String.join(",", Stream.concat(Stream.of("remount", "bind", "ro"), kept).toList());
	}

}
