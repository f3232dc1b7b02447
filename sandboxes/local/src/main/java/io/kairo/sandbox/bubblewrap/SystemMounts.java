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
import io.kairo.sandbox.support.mount.MountPlan;
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
	 * @param session the session of the command; null if it has none
	 * @param plan the other mounts of the command
	 * @param readOnly whether the command may change no cache
	 */
	List<String> arguments(ControlDirectory control, @Nullable SessionNamespaces session, MountPlan plan,
			boolean readOnly) throws IOException {
		Lasting lasting = lasting(control);
		List<String> arguments = new ArrayList<>(lasting.programs());
		arguments.addAll(configuration(this.configuration.copy(control, lasting.own())));
		arguments.addAll(lasting.devices());
		for (TemporaryDirectory temporary : TemporaryDirectory.values()) {
			arguments.addAll((session != null && !isMountedIn(temporary, plan)) ? temporary.shown(session.directory())
					: temporary.forCommand(this.options.tmpfsBytes()));
		}
		if (session != null && readOnly && !isMountedIn(TemporaryDirectory.HOME, plan)) {
			session.caches()
				.directories()
				.keySet()
				.forEach((name) -> arguments.addAll(List.of("--remount-ro", ControlDirectory.HOME + "/" + name)));
		}
		this.options.commands()
			.readOnlyPaths()
			.forEach((path) -> arguments.addAll(List.of("--ro-bind-try", path.toString(), path.toString())));
		return arguments;
	}

	/**
	 * Returns whether something is mounted in a directory. A command with the same
	 * session could place a link there that leads bubblewrap to another directory of the
	 * host, in which it would create the mount point.
	 */
	private boolean isMountedIn(TemporaryDirectory temporary, MountPlan plan) {
		return Stream
			.concat(plan.entries().stream().map(MountPlan.Entry::target),
					this.options.commands().readOnlyPaths().stream())
			.anyMatch((target) -> target.startsWith(temporary.path()));
	}

	private synchronized Lasting lasting(ControlDirectory control) throws IOException {
		Lasting known = this.lasting;
		if (known == null) {
			known = new Lasting(programs(), own(control), devices());
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

	private List<String> devices() {
		List<String> arguments = new ArrayList<>();
		if (this.options.network() == Network.HOST) {
			OF_THE_NETWORK
				.forEach((name) -> arguments.addAll(List.of("--ro-bind-try", "/etc/" + name, "/etc/" + name)));
		}
		arguments.addAll(List.of("--proc", "/proc", "--dev", "/dev"));
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

	/**
	 * The arguments that all commands have in common.
	 *
	 * @param programs arguments before those for {@code /etc}
	 * @param own the files of {@code /etc} that the sandbox defines itself
	 * @param devices arguments after those for {@code /etc}
	 */
	private record Lasting(List<String> programs, Map<String, String> own, List<String> devices) {

	}

}
