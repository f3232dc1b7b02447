package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.kairo.sandbox.bubblewrap.BubblewrapOptions.Network;
import org.jspecify.annotations.Nullable;

/**
 * What commands see of the system: programs and libraries, a few files of {@code /etc},
 * and nothing else. It is an allow-list, since a host has its secrets in many places.
 */
final class SystemMounts {

	private static final List<String> LINKED = List.of("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32");

	private static final List<String> CONFIGURATION = List.of("alternatives", "crypto-policies", "fonts", "ld.so.cache",
			"ld.so.conf", "ld.so.conf.d", "localtime", "maven", "mime.types", "nsswitch.conf", "os-release", "perl",
			"pki/ca-trust", "pki/tls/cert.pem", "pki/tls/certs", "protocols", "services", "ssl/cert.pem", "ssl/certs",
			"ssl/openssl.cnf", "terminfo", "timezone");

	private static final String HOSTS = "127.0.0.1 localhost sandbox\n::1 localhost\n";

	private static final Path ETC = Path.of("/etc");

	private static final Path USR = Path.of("/usr");

	private static final Pattern VERSIONED = Pattern.compile("(java-\\d|python3|php\\d|R$).*");

	/** They change while commands run, so they are no part of a copy. */
	private static final List<String> OF_THE_NETWORK = List.of("hosts", "resolv.conf");

	private final EtcSnapshot configuration = new EtcSnapshot(ETC, CONFIGURATION, VERSIONED);

	private final BubblewrapOptions options;

	/** What stays as it is while the JVM runs, once it is known. */
	private @Nullable Lasting lasting;

	SystemMounts(BubblewrapOptions options) {
		this.options = options;
	}

	/**
	 * Returns the arguments for bubblewrap.
	 * @param targets where the command sees directories besides
	 */
	List<String> arguments(ControlDirectory control, List<Path> targets) throws IOException {
		Lasting lasting = lasting(control);
		List<String> arguments = new ArrayList<>(lasting.programs());
		arguments.addAll(configuration(this.configuration.copy(control, lasting.own()), targets));
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
		for (String path : LINKED) {
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
		this.options.readOnlyPaths()
			.forEach((path) -> arguments.addAll(List.of("--ro-bind-try", path.toString(), path.toString())));
		return arguments;
	}

	/**
	 * Returns where commands see directories of the host, with their real paths.
	 */
	Map<Path, Path> shown() throws IOException {
		Map<Path, Path> shown = new HashMap<>();
		for (Path path : this.options.readOnlyPaths()) {
			if (Files.exists(path)) {
				shown.put(path, path.toRealPath());
			}
		}
		for (String path : LINKED) {
			if (Files.isDirectory(Path.of(path), LinkOption.NOFOLLOW_LINKS)) {
				shown.put(Path.of(path), Path.of(path));
			}
		}
		shown.put(USR, USR);
		return shown;
	}

	/**
	 * Shows a copy of {@code /etc} as a whole, or piece by piece if there has to be a
	 * place in it for something else.
	 */
	private List<String> configuration(EtcSnapshot.Copy copy, List<Path> targets) {
		if (Stream.concat(targets.stream(), this.options.readOnlyPaths().stream())
			.noneMatch((path) -> path.startsWith(ETC))) {
			return List.of("--ro-bind", copy.directory().toString(), ETC.toString());
		}
		return copy.names()
			.stream()
			.flatMap((name) -> Stream.of("--ro-bind", copy.directory().resolve(name).toString(),
					ETC.resolve(name).toString()))
			.toList();
	}

	/**
	 * Returns the files of {@code /etc} that are the sandbox's own. Those of the network
	 * are empty where the files of the host are mounted in their place.
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
	 * What all commands have in common.
	 *
	 * @param programs arguments that come before the configuration
	 * @param own the files of {@code /etc} that are the sandbox's own
	 * @param rest arguments that come after it
	 */
	private record Lasting(List<String> programs, Map<String, String> own, List<String> rest) {

	}

}
