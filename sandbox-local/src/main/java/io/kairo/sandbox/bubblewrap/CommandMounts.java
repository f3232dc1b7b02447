package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * The mounts of one command: its directories, the protected paths in them and what no
 * command may see. Closing it removes the placeholders that were made for it. For use by
 * one thread at a time.
 */
final class CommandMounts implements AutoCloseable {

	private final List<Path> made = new ArrayList<>();

	private final MountPlan plan = new MountPlan();

	private final Roots roots;

	private final MountPlaceholders placeholders;

	private final Predicate<Path> enterable;

	/**
	 * Creates the mounts of a command.
	 * @param enterable whether the user of commands gets to what is in a directory
	 */
	CommandMounts(Roots roots, MountPlaceholders placeholders, Predicate<Path> enterable) {
		this.enterable = enterable;
		this.roots = roots;
		this.placeholders = placeholders;
		for (Root root : roots.all()) {
			this.plan.add(root.writable() ? MountPlan.Kind.WRITABLE : MountPlan.Kind.READ_ONLY, root.source(),
					root.target());
		}
	}

	/**
	 * Keeps the command from changing paths below the workspace and what lies beside it,
	 * and what is to be read-only where it lies in a writable directory.
	 * @throws SandboxException if one cannot be protected
	 */
	void protect(List<String> protectedPaths) {
		List<Path> protectable = this.roots.protectable();
		for (Root root : this.roots.all()) {
			for (Path directory : protectable) {
				protectedPaths.forEach((path) -> add(root, directory.resolve(path), MountPlan.Kind.READ_ONLY));
			}
			this.roots.all()
				.stream()
				.filter((other) -> !other.writable() && !other.equals(root))
				.forEach((other) -> add(root, other.source(), MountPlan.Kind.READ_ONLY));
			this.roots.all()
				.stream()
				.filter((other) -> other.writable() && !other.equals(root))
				.forEach((other) -> pin(root, other));
		}
	}

	/**
	 * Keeps the command from seeing directories.
	 * @param directories real paths of existing directories
	 * @param shown where the command sees something of the host besides its roots, with
	 * its real path
	 */
	void hide(List<Path> directories, Map<Path, Path> shown) {
		List<Path> outermostFirst = directories.stream().sorted(Comparator.comparingInt(Path::getNameCount)).toList();
		for (Path directory : outermostFirst) {
			for (Root root : this.roots.all()) {
				if (root.source().equals(directory)) {
					throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
							"The directory " + root.asked() + " holds what no command may see", "name another one");
				}
				add(root, directory, MountPlan.Kind.HIDDEN);
			}
			shown.forEach((target, source) -> hide(directory, source, target));
		}
	}

	/**
	 * Returns the arguments for bubblewrap.
	 * @throws IOException if it cannot be told what is mounted where
	 */
	List<String> arguments() throws IOException {
		return this.plan.arguments();
	}

	@Override
	public void close() {
		for (int i = this.made.size() - 1; i >= 0; i--) {
			this.placeholders.release(this.made.get(i));
		}
		this.made.clear();
	}

	private void hide(Path directory, Path source, Path target) {
		Path place = directory.startsWith(source) ? target.resolve(source.relativize(directory)) : null;
		if (place != null && this.roots.innermost(place) == null) {
			this.plan.add(MountPlan.Kind.HIDDEN, directory, place);
		}
	}

	/**
	 * Keeps a directory that is shown within another one, at its own place, from being
	 * moved away together with those above it.
	 */
	private void pin(Root root, Root inner) {
		Path target = root.source().equals(inner.source()) ? null : root.toTarget(inner.source());
		if (target != null && target.equals(inner.target())) {
			add(root, inner.source(), MountPlan.Kind.PINNED);
		}
	}

	/**
	 * Adds a mount for something of the host where a root shows it, unless another root
	 * is in front of that place, and one for each directory above it.
	 */
	private void add(Root root, Path path, MountPlan.Kind kind) {
		if (!path.startsWith(root.source()) || path.equals(root.source())) {
			return;
		}
		Path source = root.source();
		Path target = root.target();
		Path relative = source.relativize(path);
		for (int i = 0; i < relative.getNameCount(); i++) {
			source = source.resolve(relative.getName(i));
			target = target.resolve(relative.getName(i));
			boolean last = i == relative.getNameCount() - 1;
			if (!last && (!root.equals(this.roots.innermost(target)) || this.plan.isSettled(target, root.writable()))) {
				return;
			}
			if (!root.writable()) {
				if (last && kind == MountPlan.Kind.HIDDEN) {
					this.plan.add(kind, source, target);
				}
				continue;
			}
			refuseLink(source);
			boolean needed = !last || kind == MountPlan.Kind.READ_ONLY;
			if (needed && !make(source, !last)) {
				return;
			}
			if (last || !Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
				// below a file there can be nothing
				this.plan.add(last ? kind : MountPlan.Kind.READ_ONLY, source, target);
				return;
			}
			this.plan.add(MountPlan.Kind.PINNED, source, target);
			if (!this.enterable.test(source)) {
				return;
			}
		}
	}

	/**
	 * Makes an empty file or directory if there is nothing.
	 * @return false if there is nothing, and commands cannot make anything either
	 */
	private boolean make(Path path, boolean directory) {
		try {
			if (directory ? this.placeholders.directory(path) : this.placeholders.file(path)) {
				this.made.add(path);
			}
			return true;
		}
		catch (IOException ex) {
			if (isBeyondReach(path.resolveSibling(""), ex)) {
				return false;
			}
			throw unsupported(path, "does not exist and nothing can be put in its place", ex);
		}
	}

	/**
	 * Returns whether what failed here fails for commands as well: nobody writes to a
	 * read-only file system, and an ordinary user gets no right to a directory of
	 * somebody else.
	 */
	private static boolean isBeyondReach(Path directory, IOException failure) {
		try {
			int user = ControlDirectory.ownUser();
			return Files.getFileStore(directory).isReadOnly()
					|| (failure instanceof AccessDeniedException && user != 0 && !Integer.valueOf(user)
						.equals(Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS)));
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static void refuseLink(Path path) {
		if (Files.isSymbolicLink(path)) {
			throw unsupported(path, "is a symbolic link, which can be replaced", null);
		}
	}

	private static SandboxException unsupported(Path path, String problem, @Nullable IOException cause) {
		return new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
				"The protected path " + path + " cannot be protected: it " + problem,
				"replace it by a file or a directory, or protect another path", cause);
	}

}
