package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import org.jspecify.annotations.Nullable;

/**
 * The directories of the host that one command sees, the workspace first. Immutable.
 *
 * @param all all of them
 */
record Roots(List<Root> all) {

	/** What the sandbox has of its own. */
	private static final Set<Path> TAKEN = Set.of(Path.of("/"), Path.of("/usr"), Path.of("/etc"), Path.of("/bin"),
			Path.of("/sbin"), Path.of("/lib"), Path.of("/lib32"), Path.of("/lib64"), Path.of("/libx32"),
			Path.of("/proc"), Path.of("/sys"), Path.of("/dev"), Path.of("/dev/shm"), Path.of("/run"));

	private static final List<Path> TAKEN_TREES = List.of(Path.of("/proc"), Path.of("/sys"), Path.of("/dev"),
			Path.of("/run/kairo"));

	/**
	 * Creates the value.
	 * @param all copied
	 */
	Roots {
		all = List.copyOf(all);
	}

	/**
	 * Returns the directories that a request asks for.
	 * @throws SandboxException if one is none or cannot be shown where it is wanted
	 */
	static Roots of(SandboxRequest request) {
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
		roots.forEach(all::check);
		return all;
	}

	private static Root root(Path asked, String target, boolean writable) {
		Path source;
		try {
			source = asked.toRealPath();
		}
		catch (IOException ex) {
			throw new SandboxException(SandboxErrorCode.INVALID_DIRECTORY,
					"The directory " + asked + " does not exist or cannot be reached", "create it or name another one",
					ex);
		}
		if (source.getNameCount() == 0) {
			throw unsupported("The root directory of the host cannot be shown to a confined command");
		}
		return new Root(source, asked, target(target), writable);
	}

	private static Path target(String text) {
		Path target;
		try {
			target = Path.of(text);
		}
		catch (InvalidPathException ex) {
			throw unsupported("'" + text.replace('\0', '?') + "' is no path that a command can see a directory at");
		}
		boolean taken = TAKEN.contains(target)
				|| (!target.startsWith("/dev/shm") && TAKEN_TREES.stream().anyMatch(target::startsWith));
		if (!target.isAbsolute() || !target.equals(target.normalize()) || taken) {
			throw unsupported("A confined command cannot see a directory at " + text);
		}
		return target;
	}

	/**
	 * Refuses what cannot be shown as it is asked for.
	 */
	private void check(Root root) {
		for (Root other : this.all) {
			if (other.equals(root)) {
				continue;
			}
			if (other.target().equals(root.target())) {
				throw unsupported("Two directories are to be seen at " + root.target());
			}
			if (other.source().equals(root.source()) && other.writable() != root.writable()) {
				throw unsupported("The directory " + root.asked() + " is to be read-only and writable at once");
			}
			Path within = other.toSource(root.target());
			if (within != null && other.equals(innermost(root.target().getParent()))
					&& !Files.exists(within, LinkOption.NOFOLLOW_LINKS)) {
				throw unsupported("There is nothing at " + root.target() + " to show a directory in place of");
			}
		}
	}

	/**
	 * Returns where the command sees them.
	 */
	List<Path> targets() {
		return this.all.stream().map(Root::target).toList();
	}

	/**
	 * Returns the directories of the host that protected paths are relative to: all but
	 * those that are only the writable parts of one that is not.
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
	 * Returns the directory that a command is in when it is at a path.
	 * @return null for a directory of the sandbox's own
	 */
	@Nullable Root innermost(@Nullable Path target) {
		return this.all.stream()
			.filter((root) -> target != null && target.startsWith(root.target()))
			.max(Comparator.comparingInt((root) -> root.target().getNameCount()))
			.orElse(null);
	}

	/**
	 * Returns where a command sees a directory of the host.
	 * @throws SandboxException if it does not
	 */
	Path toTarget(Path directory) {
		return this.all.stream()
			.filter((root) -> root.toTarget(directory) != null)
			.max(Comparator.comparingInt((root) -> root.source().getNameCount()))
			.map((root) -> root.toTarget(directory))
			.orElseThrow(() -> new SandboxException(SandboxErrorCode.INVALID_DIRECTORY,
					"The working directory " + directory + " lies outside of what the command sees",
					"name one in the workspace or in a mount"));
	}

	/**
	 * Returns the directory of the host that a command was in.
	 * @param target where it says it was, which may be a lie
	 * @return an existing directory in one of these, or null
	 */
	@Nullable Path toHost(Path target) {
		Path normal = target.normalize();
		Root root = innermost(normal);
		Path source = (root != null) ? root.toSource(normal) : null;
		if (root == null || source == null) {
			return null;
		}
		try {
			Path real = source.toRealPath();
			return (real.startsWith(root.source()) && Files.isDirectory(real)) ? real : null;
		}
		catch (IOException ex) {
			return null;
		}
	}

	private static SandboxException unsupported(String reason) {
		return new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST, reason, "ask for another place");
	}

}
