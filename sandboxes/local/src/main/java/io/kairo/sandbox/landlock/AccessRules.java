package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.linux.LandlockRules;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.support.CommandDirectory;
import io.kairo.sandbox.support.mount.Root;
import io.kairo.sandbox.support.mount.Roots;
import io.kairo.sandbox.support.seccomp.SeccompArchitecture;
import io.kairo.sandbox.support.seccomp.SeccompFilter;
import io.kairo.sandbox.support.seccomp.SeccompFilter.Facility;
import org.jspecify.annotations.Nullable;

/**
 * Creates the rules of commands from their requests. Safe for use by several threads.
 */
final class AccessRules {

	private static final String REMEDY = "use bubblewrap or Docker, or remove it from the request";

	private final CommandSettings settings;

	private final SystemRules system;

	private final @Nullable SeccompArchitecture architecture = SeccompArchitecture.ofThisMachine();

	private final Map<Set<Facility>, byte[]> filters = new ConcurrentHashMap<>();

	AccessRules(CommandSettings settings) {
		this.settings = settings;
		this.system = new SystemRules(settings);
	}

	/**
	 * Returns the facilities that the rules of Landlock confine, and the harmless ones.
	 * The rules confine neither the attributes of files nor the notification of events in
	 * directories.
	 */
	private static Set<Facility> facilities(Access access) {
		Set<Facility> facilities = EnumSet.noneOf(Facility.class);
		if (access.network()) {
			facilities.add(Facility.INTERNET_SOCKETS);
		}
		if (!access.readOnly()) {
			facilities.add(Facility.FILE_ATTRIBUTES);
		}
		return facilities;
	}

	/**
	 * Returns whether there is a filter for the processor.
	 */
	boolean hasFilter() {
		return this.architecture != null;
	}

	/**
	 * Returns the access that a request allows.
	 * @throws SandboxException if rules cannot express it
	 */
	Access access(SandboxRequest request) {
		Roots roots = roots(request);
		try {
			return Access.of(roots, request.readOnly(),
					this.settings.network() == Network.HOST && !request.attributes().withoutNetwork());
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.INVALID_DIRECTORY,
					"A directory of the request was removed meanwhile", "repeat the request", ex);
		}
	}

	private Roots roots(SandboxRequest request) {
		if (!request.attributes().protectedPaths().isEmpty()) {
			throw unsupported("Landlock cannot prevent a command that can write to a directory from changing "
					+ request.attributes().protectedPaths().get(0) + " in it");
		}
		Roots roots = Roots.of(request);
		for (Root root : roots.all()) {
			if (!root.target().equals(root.asked()) && !root.target().equals(root.source())) {
				throw unsupported(
						"A command in a Landlock domain sees directories at their own path, not at " + root.target());
			}
			for (Root other : roots.all()) {
				if (root.writable() && !other.writable() && other.source().startsWith(root.source())) {
					throw unsupported(
							"The read-only directory " + other.asked() + " lies within the writable " + root.asked());
				}
			}
			for (Path hidden : this.settings.hiddenPaths()) {
				if (real(hidden).startsWith(root.source())) {
					throw unsupported("A directory that no command may see lies within " + root.asked());
				}
			}
		}
		return roots;
	}

	/**
	 * Resolves the links of a path as far as it exists.
	 */
	private static Path real(Path path) {
		Path absolute = path.toAbsolutePath().normalize();
		try {
			return absolute.toRealPath();
		}
		catch (IOException ex) {
			Path parent = absolute.getParent();
			return (parent != null) ? real(parent).resolve(absolute.getFileName()) : absolute;
		}
	}

	/**
	 * Returns the rules of commands.
	 * @param files their temporary files
	 */
	LandlockRules of(Access access, TemporaryFiles files) throws IOException {
		LandlockRules rules = this.system.addTo(LandlockRules.ofFiles(access.network()));
		for (Root root : access.roots().all()) {
			if (files.directory().startsWith(root.source())) {
				throw unsupported("The temporary files of commands lie within " + root.asked());
			}
			if (root.writable()) {
				rules.change(root.source());
			}
			else {
				rules.read(root.source());
			}
		}
		for (Path cache : files.caches().directories().values()) {
			if (access.readOnly()) {
				rules.read(cache);
			}
			else {
				rules.change(cache);
			}
		}
		return rules.change(files.directory());
	}

	/**
	 * Returns the filter for system calls of commands.
	 */
	byte[] filter(Access access) {
		SeccompArchitecture known = Objects.requireNonNull(this.architecture, "no filter");
		return this.filters.computeIfAbsent(facilities(access), (each) -> SeccompFilter.create(known, each));
	}

	/**
	 * Returns the directory to start a command in.
	 * @param access the access that the request allows
	 * @throws SandboxException if it lies outside of the directories of the request, as
	 * behind a link
	 */
	Path directory(SandboxRequest request, Access access) {
		Path directory = CommandDirectory.of(request);
		try {
			Path real = directory.toRealPath();
			if (access.roots().all().stream().anyMatch((root) -> real.startsWith(root.source()))) {
				return directory;
			}
		}
		catch (IOException ex) {
			throw outside(ex);
		}
		throw outside(null);
	}

	private static SandboxException outside(@Nullable IOException cause) {
		return new SandboxException(SandboxErrorCode.INVALID_DIRECTORY,
				"The working directory lies outside of the workspace and its mounts", "name a directory inside", cause);
	}

	private static SandboxException unsupported(String reason) {
		return new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST, reason, REMEDY);
	}

}
