package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.mount.SystemFiles;
import org.jspecify.annotations.Nullable;

/**
 * The mounts of the system: programs and libraries, and a few files of {@code /etc}. They
 * form an allow-list, since a host has secrets in many places.
 */
final class SystemMounts {

	private static final String HOSTS = "127.0.0.1 localhost sandbox\n::1 localhost\n";

	private static final Path ETC = Path.of("/etc");

	private static final Path USR = Path.of("/usr");

	/** Not copied, since they change while commands run. */
	private static final List<String> OF_THE_NETWORK = List.of("hosts", "resolv.conf");

	private final EtcSnapshot configuration = new EtcSnapshot(ETC, SystemFiles.CONFIGURATION, SystemFiles.VERSIONED);

	private final BubblewrapOptions options;

	/** The arguments that do not change while the JVM runs, once they are known. */
	private @Nullable Lasting lasting;

	SystemMounts(BubblewrapOptions options) {
		this.options = options;
	}

	/**
	 * Returns the arguments for bubblewrap.
	 */
	List<String> arguments(ControlDirectory control) throws IOException {
		Lasting lasting = lasting(control);
		List<String> arguments = new ArrayList<>(lasting.programs());
		arguments.addAll(configuration(this.configuration.copy(control, lasting.own())));
		arguments.addAll(lasting.rest());
		return arguments;
	}

	private synchronized Lasting lasting(ControlDirectory control) throws IOException {
		Lasting known = this.lasting;
		if (known == null) {
			known = new Lasting(programs(), own(control), rest());
			this.lasting = known;
		}
		return known;
	}

	private static List<String> programs() throws IOException {
		List<String> arguments = new ArrayList<>(List.of("--ro-bind", USR.toString(), USR.toString()));
		for (String path : SystemFiles.LINKED) {
			Path directory = Path.of(path);
			if (Files.isSymbolicLink(directory)) {
				arguments.addAll(List.of("--symlink", Files.readSymbolicLink(directory).toString(), path));
			}
			else if (Files.isDirectory(directory)) {
				arguments.addAll(List.of("--ro-bind", path, path));
			}
		}
		return arguments;
	}

	private List<String> rest() {
		List<String> arguments = new ArrayList<>();
		if (this.options.network() == Network.HOST) {
			OF_THE_NETWORK
				.forEach((name) -> arguments.addAll(List.of("--ro-bind-try", "/etc/" + name, "/etc/" + name)));
		}
		arguments.addAll(List.of("--proc", "/proc", "--dev", "/dev"));
		for (String directory : List.of("/dev/shm", "/tmp")) {
			arguments.addAll(temporary(directory, "1777"));
		}
		arguments.addAll(temporary(ControlDirectory.HOME, "0700"));
		this.options.commands()
			.readOnlyPaths()
			.forEach((path) -> arguments.addAll(List.of("--ro-bind-try", path.toString(), path.toString())));
		return arguments;
	}

	/**
	 * Returns the real paths of the directories of the host that commands see, by their
	 * paths in the sandbox.
	 */
	Map<Path, Path> shown() throws IOException {
		Map<Path, Path> shown = new HashMap<>();
		for (Path path : this.options.commands().readOnlyPaths()) {
			if (Files.exists(path)) {
				shown.put(path, path.toRealPath());
			}
		}
		for (String path : SystemFiles.LINKED) {
			if (Files.isDirectory(Path.of(path), LinkOption.NOFOLLOW_LINKS)) {
				shown.put(Path.of(path), Path.of(path));
			}
		}
		shown.put(USR, USR);
		return shown;
	}

	/**
	 * Mounts a copy of {@code /etc} as a whole, or entry by entry if a path of the
	 * options is to be mounted inside it.
	 */
	private List<String> configuration(EtcSnapshot.Copy copy) {
		if (this.options.commands().readOnlyPaths().stream().noneMatch((path) -> path.startsWith(ETC))) {
			return List.of("--ro-bind", copy.directory().toString(), ETC.toString());
		}
		return copy.names()
			.stream()
			.flatMap((name) -> Stream.of("--ro-bind", copy.directory().resolve(name).toString(),
					ETC.resolve(name).toString()))
			.toList();
	}

	/**
	 * Returns the files of {@code /etc} that the sandbox defines itself. Network files
	 * are empty if the files of the host are mounted on them.
	 */
	private Map<String, String> own(ControlDirectory control) throws IOException {
		Map<String, String> own = new HashMap<>();
		own.put("passwd", control.users());
		own.put("group", control.groups());
		if (this.options.network() != Network.HOST) {
			own.put("hosts", HOSTS);
		}
		else {
			OF_THE_NETWORK.forEach((name) -> own.put(name, ""));
		}
		return own;
	}

	private List<String> temporary(String directory, String permissions) {
		return List.of("--size", Long.toString(this.options.tmpfsBytes()), "--perms", permissions, "--tmpfs",
				directory);
	}

	/**
	 * The arguments that all commands have in common.
	 *
	 * @param programs arguments before those for {@code /etc}
	 * @param own the files of {@code /etc} that the sandbox defines itself
	 * @param rest arguments after those for {@code /etc}
	 */
	private record Lasting(List<String> programs, Map<String, String> own, List<String> rest) {

	}

}
