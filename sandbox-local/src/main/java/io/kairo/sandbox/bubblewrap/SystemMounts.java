package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.kairo.sandbox.bubblewrap.BubblewrapOptions.Network;

/**
 * What commands see of the system: programs and libraries, a few files of {@code /etc},
 * and nothing else. It is an allow-list, since a host has its secrets in many places.
 */
final class SystemMounts {

	private static final List<String> LINKED = List.of("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32");

	/** Few, since each costs a quarter of a millisecond for each command. */
	private static final List<String> CONFIGURATION = List.of("alternatives", "crypto-policies", "fonts", "ld.so.cache",
			"ld.so.conf", "ld.so.conf.d", "localtime", "maven", "mime.types", "nsswitch.conf", "os-release", "perl",
			"pki/ca-trust", "pki/tls/cert.pem", "pki/tls/certs", "protocols", "services", "ssl/cert.pem", "ssl/certs",
			"ssl/openssl.cnf", "terminfo", "timezone");

	private static final Path ETC = Path.of("/etc");

	private static final Pattern VERSIONED = Pattern.compile("(java-\\d|python3|php\\d|R$).*");

	private static final List<String> OF_THE_NETWORK = List.of("hosts", "resolv.conf");

	private final BubblewrapOptions options;

	SystemMounts(BubblewrapOptions options) {
		this.options = options;
	}

	/**
	 * Returns the arguments for bubblewrap.
	 */
	List<String> arguments(Exchange exchange) throws IOException {
		List<String> arguments = new ArrayList<>(List.of("--ro-bind", "/usr", "/usr"));
		for (String path : LINKED) {
			Path directory = Path.of(path);
			if (Files.isSymbolicLink(directory)) {
				arguments.addAll(List.of("--symlink", Files.readSymbolicLink(directory).toString(), path));
			}
			else if (Files.isDirectory(directory)) {
				arguments.addAll(List.of("--ro-bind", path, path));
			}
		}
		for (String name : configuration()) {
			arguments.addAll(List.of("--ro-bind-try", "/etc/" + name, "/etc/" + name));
		}
		arguments.addAll(List.of("--ro-bind", exchange.users().toString(), "/etc/passwd", "--ro-bind",
				exchange.groups().toString(), "/etc/group"));
		if (this.options.network() != Network.HOST) {
			arguments.addAll(List.of("--ro-bind", exchange.hosts().toString(), "/etc/hosts"));
		}
		arguments.addAll(List.of("--proc", "/proc", "--dev", "/dev"));
		for (String directory : List.of("/dev/shm", "/tmp")) {
			arguments.addAll(temporary(directory, "1777"));
		}
		arguments.addAll(temporary(Exchange.HOME, "0700"));
		this.options.readOnlyPaths()
			.forEach((path) -> arguments.addAll(List.of("--ro-bind-try", path.toString(), path.toString())));
		return arguments;
	}

	private List<String> configuration() throws IOException {
		List<String> names = new ArrayList<>(CONFIGURATION);
		if (this.options.network() == Network.HOST) {
			names.addAll(OF_THE_NETWORK);
		}
		try (Stream<Path> entries = Files.list(ETC)) {
			entries.map((entry) -> entry.getFileName().toString())
				.filter((name) -> VERSIONED.matcher(name).matches())
				.forEach(names::add);
		}
		names.removeIf((name) -> !Files.exists(ETC.resolve(name)));
		return names;
	}

	private List<String> temporary(String directory, String permissions) {
		return List.of("--size", Long.toString(this.options.tmpfsBytes()), "--perms", permissions, "--tmpfs",
				directory);
	}

}
