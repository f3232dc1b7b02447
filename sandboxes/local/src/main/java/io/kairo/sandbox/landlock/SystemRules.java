package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.kairo.linux.LandlockRules;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.mount.SystemFiles;
import org.jspecify.annotations.Nullable;

/**
 * The rules that all commands of a sandbox have in common: programs, libraries, a few
 * files of {@code /etc}, and the kernel's information about the machine, but not about
 * processes. Looked up once. Safe for use by several threads.
 */
final class SystemRules {

	private static final Path ETC = Path.of("/etc");

	/**
	 * User names, without which {@code ssh} finds no home directory, and files that
	 * programs expect to be readable if they exist.
	 */
	private static final List<String> FOR_PROGRAMS = List.of("passwd", "group", "bash.bashrc", "debian_version",
			"host.conf", "inputrc", "lsb-release", "pip.conf", "profile", "profile.d", "wgetrc");

	private static final List<String> OF_THE_NETWORK = List.of("hosts", "resolv.conf", "gai.conf");

	private static final List<String> OF_THE_KERNEL = List.of("/proc/cpuinfo", "/proc/filesystems", "/proc/loadavg",
			"/proc/meminfo", "/proc/stat", "/proc/sys/kernel/osrelease", "/proc/sys/kernel/random",
			"/proc/sys/kernel/pid_max", "/proc/sys/kernel/threads-max", "/proc/sys/vm/overcommit_memory",
			"/proc/sys/vm/max_map_count", "/proc/uptime", "/proc/version", "/sys/devices/system/cpu",
			"/sys/kernel/mm/transparent_hugepage");

	private static final List<String> READABLE_DEVICES = List.of("/dev/urandom", "/dev/random");

	private static final List<String> WRITABLE_DEVICES = List.of("/dev/null", "/dev/zero", "/dev/full");

	private final CommandSettings settings;

	private @Nullable List<Path> readable;

	SystemRules(CommandSettings settings) {
		this.settings = settings;
	}

	/**
	 * Adds the rules.
	 * @throws IOException if a path cannot be looked up
	 */
	LandlockRules addTo(LandlockRules rules) throws IOException {
		readable().forEach(rules::read);
		WRITABLE_DEVICES.stream().map(Path::of).filter(Files::exists).forEach(rules::write);
		return rules;
	}

	private synchronized List<Path> readable() throws IOException {
		List<Path> found = this.readable;
		if (found == null) {
			found = List.copyOf(find());
			this.readable = found;
		}
		return found;
	}

	private Set<Path> find() throws IOException {
		List<Path> candidates = new ArrayList<>(List.of(Path.of("/usr")));
		Stream.of(SystemFiles.LINKED, OF_THE_KERNEL, READABLE_DEVICES)
			.flatMap(List::stream)
			.map(Path::of)
			.forEach(candidates::add);
		Stream
			.of(SystemFiles.CONFIGURATION, FOR_PROGRAMS,
					(this.settings.network() == Network.HOST) ? OF_THE_NETWORK : List.<String>of())
			.flatMap(List::stream)
			.map(ETC::resolve)
			.forEach(candidates::add);
		try (DirectoryStream<Path> versioned = Files.newDirectoryStream(ETC,
				(path) -> SystemFiles.VERSIONED.matcher(path.getFileName().toString()).matches())) {
			versioned.forEach(candidates::add);
		}
		candidates.addAll(this.settings.readOnlyPaths());
		Set<Path> found = new LinkedHashSet<>();
		for (Path candidate : candidates) {
			if (Files.exists(candidate) && !isWithin(found, candidate.toRealPath())) {
				found.add(candidate.toRealPath());
			}
		}
		return found;
	}

	private static boolean isWithin(Set<Path> found, Path path) {
		return found.stream()
			.anyMatch((each) -> path.startsWith(each) && Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS));
	}

}
