package io.kairo.sandbox.support.mount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.ProcessRoot;
import org.jspecify.annotations.Nullable;

/**
 * The directories of the host that are mounted for one command. Immutable.
 *
 * @param all the directories, the workspace first, copied
 */
public record Roots(List<Root> all) {

	/** Paths that the sandbox itself defines. */
	private static final Set<Path> TAKEN = Set.of(Path.of("/"), Path.of("/usr"), Path.of("/etc"), Path.of("/bin"),
			Path.of("/sbin"), Path.of("/lib"), Path.of("/lib32"), Path.of("/lib64"), Path.of("/libx32"),
			Path.of("/proc"), Path.of("/sys"), Path.of("/dev"), Path.of("/dev/shm"), Path.of("/run"));

	private static final List<Path> TAKEN_TREES = List.of(Path.of("/proc"), Path.of("/sys"), Path.of("/dev"),
			Path.of("/run/kairo"));

	/** Directories of programs and of the files that they read at their start. */
	private static final List<Path> PROGRAMS = Stream.concat(Stream.of("/usr", "/etc"), SystemFiles.LINKED.stream())
		.map(Path::of)
		.toList();

	/**
	 * Creates the value.
	 */
	public Roots {
		all = List.copyOf(all);
	}

	/**
	 * Returns the directories of a request.
	 * @param request the request
	 * @return its workspace and its mounts
	 * @throws SandboxException with {@link SandboxErrorCode#INVALID_DIRECTORY} if one
	 * does not exist, or with {@link SandboxErrorCode#UNSUPPORTED_REQUEST} if it cannot
	 * be mounted at the requested path
	 */
	public static Roots of(SandboxRequest request) {
		List<Root> roots = new ArrayList<>();
		String target = request.attributes().workspaceTarget();
		Path workspace = request.workspaceRoot().toAbsolutePath().normalize();
		roots.add(root(workspace, (target != null) ? target : workspace.toString(), !request.readOnly()));
		for (Mount mount : request.attributes().mounts()) {
			Path asked = mount.source().toAbsolutePath().normalize();
			boolean atItsPlace = mount.target().equals(mount.source().toString());
			roots.add(root(asked, atItsPlace ? asked.toString() : mount.target(), mount.writable()));
		}
		Roots all = new Roots(roots);
		roots.forEach((root) -> all.check(root, request.attributes().allowedRoots()));
		return all;
	}

	private static Root root(Path asked, String target, boolean writable) {
		Path source;
		try {
			source = ProcessRoot.realPath(asked);
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.INVALID_DIRECTORY,
					"The directory " + asked + " does not exist or cannot be reached", "create it or name another one",
					ex);
		}
		if (source.getNameCount() == 0) {
			throw unsupported("The root directory of the host cannot be mounted for a confined command");
		}
		return new Root(source, asked, target(target), writable);
	}

	private static Path target(String text) {
		Path target;
		try {
			target = Path.of(text);
		}
		catch (InvalidPathException ex) {
			throw unsupported("'" + text.replace('\0', '?') + "' is not a path at which a directory can be mounted");
		}
		boolean taken = TAKEN.contains(target)
				|| (!target.startsWith("/dev/shm") && TAKEN_TREES.stream().anyMatch(target::startsWith));
		if (!target.isAbsolute() || !target.equals(target.normalize()) || taken) {
			throw unsupported("A confined command cannot have a directory mounted at " + text);
		}
		return target;
	}

	/**
	 * Refuses a directory that cannot be mounted as requested.
	 */
	private void check(Root root, List<Path> allowed) {
		if (!allowed.isEmpty() && allowed.stream().noneMatch(root.source()::startsWith)) {
			throw unsupported("The directory " + root.asked() + " leads out of the directories that are allowed");
		}
		for (Root other : this.all) {
			if (other.equals(root)) {
				continue;
			}
			if (other.target().equals(root.target())) {
				throw unsupported("Two directories are to be mounted at " + root.target());
			}
			if (other.source().equals(root.source()) && other.writable() != root.writable()) {
				throw unsupported("The directory " + root.asked() + " is to be read-only and writable at once");
			}
			Path within = other.toSource(root.target());
			if (within != null && other.equals(innermost(root.target().getParent()))
					&& !Files.exists(within, LinkOption.NOFOLLOW_LINKS)) {
				throw unsupported("There is nothing at " + root.target() + " to mount a directory on");
			}
		}
	}

	/**
	 * Returns the paths in the sandbox.
	 * @return the paths, the workspace first
	 */
	public List<Path> targets() {
		return this.all.stream().map(Root::target).toList();
	}

	/**
	 * Refuses a directory that is to be mounted among the programs of the sandbox, or on
	 * a link in another directory that may lead there. It could take the place of
	 * programs that run before the command or after it.
	 * @throws SandboxException with {@link SandboxErrorCode#UNSUPPORTED_REQUEST} if there
	 * is one
	 */
	public void requireMountable() {
		for (Path target : targets()) {
			if (PROGRAMS.stream().anyMatch(target::startsWith)) {
				throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
						"A confined command cannot have a directory mounted at " + target
								+ ", among the programs of the sandbox",
						"use a directory elsewhere, or show it at another path such as /workspace");
			}
			Root outer = innermost(target.getParent());
			Path within = (outer != null) ? outer.toSource(target) : null;
			if (within != null && !isReal(within)) {
				throw unsupported("A directory cannot be mounted at " + target + ", where a link leads elsewhere");
			}
		}
	}

	private static boolean isReal(Path path) {
		try {
			return ProcessRoot.realPath(path).equals(path);
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Returns the real paths of directories that commands must not see. A missing one
	 * inside a root is created, since the command could create it otherwise.
	 * @param own directories of the sandbox
	 * @param configured directories that need not exist
	 * @return real paths of existing directories
	 * @throws IOException if a directory cannot be created or examined
	 */
	public List<Path> hidden(List<Path> own, List<Path> configured) throws IOException {
		List<Path> hidden = new ArrayList<>();
		for (Path path : own) {
			hidden.add(path.toRealPath());
		}
		for (Path path : configured) {
			Path directory = path.toAbsolutePath().normalize();
			if (!Files.exists(directory) && this.all.stream().anyMatch((root) -> root.toTarget(directory) != null)) {
				Files.createDirectories(directory);
			}
			if (Files.isDirectory(directory)) {
				hidden.add(directory.toRealPath());
			}
		}
		return hidden;
	}

	/**
	 * Returns the directories of the host that protected paths are relative to: all
	 * except writable parts of a read-only directory.
	 */
	List<Path> protectable() {
		return this.all.stream().filter((root) -> !isWritablePart(root)).map(Root::source).distinct().toList();
	}

	private boolean isWritablePart(Root root) {
		return root.writable() && this.all.stream()
			.filter((other) -> !root.source().equals(other.source()) && root.source().startsWith(other.source()))
			.max(Comparator.comparingInt((other) -> other.source().getNameCount()))
			.map((around) -> !around.writable())
			.orElse(false);
	}

	/**
	 * Returns the innermost root that contains a path in the sandbox.
	 * @param target an absolute path without {@code ..}, or null
	 * @return the root, or null for a path that the sandbox itself defines
	 */
	public @Nullable Root innermost(@Nullable Path target) {
		return this.all.stream()
			.filter((root) -> target != null && target.startsWith(root.target()))
			.max(Comparator.comparingInt((root) -> root.target().getNameCount()))
			.orElse(null);
	}

	/**
	 * Returns the path in the sandbox of a directory on the host.
	 * @param directory the absolute path of the directory
	 * @return its path in the sandbox
	 * @throws SandboxException with {@link SandboxErrorCode#INVALID_DIRECTORY} if the
	 * directory is not mounted
	 */
	public Path toTarget(Path directory) {
		return this.all.stream()
			.filter((root) -> root.toTarget(directory) != null)
			.max(Comparator.comparingInt((root) -> root.source().getNameCount()))
			.map((root) -> root.toTarget(directory))
			.orElseThrow(() -> new SandboxException(SandboxErrorCode.INVALID_DIRECTORY,
					"The working directory " + directory + " lies outside of the directories of the command",
					"name one in the workspace or in a mount"));
	}

	/**
	 * Returns the directory that a command reported as its last one.
	 * @param text the report, not trusted
	 * @return an absolute path in the sandbox, or null if there is none
	 */
	public static @Nullable Path reported(String text) {
		try {
			Path directory = Path.of(text);
			return directory.isAbsolute() ? directory : null;
		}
		catch (InvalidPathException ex) {
			return null;
		}
	}

	/**
	 * Returns whether a directory that a command reported is in none of the roots.
	 * @param target the reported path in the sandbox, or null
	 * @return false if there is none
	 */
	public boolean isOutside(@Nullable Path target) {
		return target != null && innermost(target.normalize()) == null;
	}

	/**
	 * Returns the directory on the host that a command reported.
	 * @param target the reported path in the sandbox, not trusted, or null
	 * @return an existing directory inside a root, or null
	 */
	public @Nullable Path toHost(@Nullable Path target) {
		if (target == null) {
			return null;
		}
		Path normal = target.normalize();
		Root root = innermost(normal);
		Path source = (root != null) ? root.toSource(normal) : null;
		if (root == null || source == null) {
			return null;
		}
		try {
			Path real = ProcessRoot.realPath(source);
			return (real.startsWith(root.source()) && Files.isDirectory(real)) ? real : null;
		}
		catch (IOException ex) {
			return null;
		}
	}

	private static SandboxException unsupported(String reason) {
		return new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST, reason, "request another path");
	}

}
