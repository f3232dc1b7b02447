package io.kairo.sandbox.support.mount;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.host.HostUser;
import io.kairo.host.MountPoint;
import org.jspecify.annotations.Nullable;

/**
 * The mounts of one command: its directories, their protected paths and the hidden
 * directories. Closing it releases the placeholders that were created for the command,
 * and removes files that would redirect Git. For use by one thread at a time.
 */
public final class CommandMounts implements AutoCloseable {

	private static final Logger logger = System.getLogger(CommandMounts.class.getName());

	/**
	 * The directory of a repository. Where it is missing, commands see an empty one that
	 * they cannot write, so that nothing of a half-made repository is left.
	 */
	private static final Path GIT = Path.of(".git");

	private final List<Path> made = new ArrayList<>();

	private final MountPlan plan = new MountPlan();

	private final Roots roots;

	private final MountPlaceholders placeholders;

	private final GitRedirects redirects;

	private final List<Path> forbidden = new ArrayList<>();

	private final OwnerAccess access;

	private final Runnable restoration;

	/**
	 * Creates the mounts of the roots. Does not access the disk.
	 * @param roots the directories of the command
	 * @param placeholders the placeholders of the sandbox
	 * @param redirects the redirects of the sandbox
	 * @param access the access of the user that the command runs as
	 * @param restoration restores the access to the directories of the command
	 */
	public CommandMounts(Roots roots, MountPlaceholders placeholders, GitRedirects redirects, OwnerAccess access,
			Runnable restoration) {
		this.access = access;
		this.roots = roots;
		this.placeholders = placeholders;
		this.redirects = redirects;
		this.restoration = restoration;
		for (Root root : roots.all()) {
			this.plan.add(root.writable() ? MountPlan.Kind.WRITABLE : MountPlan.Kind.READ_ONLY, root.source(),
					root.target());
		}
	}

	/**
	 * Protects paths below the roots of the command, and read-only roots that lie inside
	 * a writable one, from changes.
	 * @param paths paths relative to each root
	 * @throws SandboxException with {@link SandboxErrorCode#UNSUPPORTED_REQUEST} if a
	 * path cannot be protected
	 */
	public void protect(List<String> paths) {
		List<String> protectedPaths = paths.stream()
			.sorted(Comparator.comparingInt((path) -> Path.of(path).getNameCount()))
			.toList();
		List<Path> protectable = this.roots.protectable();
		for (Root root : this.roots.all()) {
			for (Path directory : protectable) {
				protectedPaths.forEach((path) -> add(root, directory.resolve(path), MountPlan.Kind.READ_ONLY));
				if (root.writable() && directory.equals(root.source())) {
					protectRepository(root, protectedPaths);
				}
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
	 * Protects the protected files of {@code .git} in a root that is a repository itself,
	 * and keeps other roots from becoming one.
	 */
	private void protectRepository(Root root, List<String> protectedPaths) {
		List<Path> inRepository = protectedPaths.stream()
			.map(Path::of)
			.filter((path) -> path.startsWith(".git") && path.getNameCount() > 1)
			.map((path) -> path.subpath(1, path.getNameCount()))
			.toList();
		if (!inRepository.isEmpty() && !forbid(root.source().resolve(GitRedirects.HEAD))) {
			inRepository.forEach((path) -> add(root, root.source().resolve(path), MountPlan.Kind.READ_ONLY));
		}
	}

	private boolean isRedirect(Path path) {
		return path.endsWith(GitRedirects.COMMONDIR)
				&& this.roots.all().stream().noneMatch((root) -> root.source().equals(path));
	}

	private boolean forbid(Path file) {
		return this.redirects.forbid(file) && this.forbidden.add(file);
	}

	/**
	 * Hides directories from the command.
	 * @param directories real paths of existing directories
	 * @param shown real paths of the directories of the host that the command sees
	 * besides its roots, by their paths in the sandbox
	 * @throws SandboxException with {@link SandboxErrorCode#UNSUPPORTED_REQUEST} if a
	 * root is one of the directories
	 */
	public void hide(List<Path> directories, Map<Path, Path> shown) {
		List<Path> outermostFirst = directories.stream().sorted(Comparator.comparingInt(Path::getNameCount)).toList();
		for (Path directory : outermostFirst) {
			for (Root root : this.roots.all()) {
				if (root.source().equals(directory)) {
					throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
							"The directory " + root.asked() + " contains directories that commands must not see",
							"name another directory");
				}
				add(root, directory, MountPlan.Kind.HIDDEN);
			}
			shown.forEach((target, source) -> hide(directory, source, target));
		}
	}

	/**
	 * Returns the mounts so far.
	 * @return the plan; later calls add to it
	 */
	public MountPlan plan() {
		return this.plan;
	}

	/**
	 * Keeps the mounts on placeholders beyond {@link #close()}, for mounts that outlive
	 * the command.
	 * @return ends that
	 */
	public Runnable keepPlaceholders() {
		List<Path> kept = List.copyOf(this.made);
		kept.forEach(this.placeholders::keep);
		return () -> kept.forEach(this.placeholders::unkeep);
	}

	@Override
	public void close() {
		for (Path file : this.forbidden) {
			try {
				remove(file);
			}
			finally {
				this.redirects.release(file);
			}
		}
		this.forbidden.clear();
		for (int i = this.made.size() - 1; i >= 0; i--) {
			this.placeholders.release(this.made.get(i));
		}
		this.made.clear();
	}

	private void remove(Path file) {
		try {
			this.redirects.remove(file);
		}
		catch (AccessDeniedException ex) {
			try {
				this.restoration.run();
				this.redirects.remove(file);
			}
			catch (AccessDeniedException | SandboxException again) {
				logger.log(Level.WARNING, "A command may have left " + file + ", but the access to it is denied",
						again);
			}
		}
	}

	private void hide(Path directory, Path source, Path target) {
		Path place = directory.startsWith(source) ? target.resolve(source.relativize(directory)) : null;
		if (place != null && this.roots.innermost(place) == null) {
			this.plan.add(MountPlan.Kind.HIDDEN, directory, place);
		}
	}

	/**
	 * Pins the directories between a root and another root that is mounted inside it at
	 * its own path, so that the command cannot rename them.
	 */
	private void pin(Root root, Root inner) {
		Path target = root.source().equals(inner.source()) ? null : root.toTarget(inner.source());
		if (target != null && target.equals(inner.target())) {
			add(root, inner.source(), MountPlan.Kind.PINNED);
		}
	}

	/**
	 * Adds a mount for a path of the host inside a root, and one for each directory above
	 * it, unless another root covers the path.
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
			if (last && kind == MountPlan.Kind.READ_ONLY && isRedirect(source) && forbid(source)) {
				return;
			}
			refuseLink(source);
			boolean needed = !last || kind == MountPlan.Kind.READ_ONLY;
			if (needed && !make(source, !last)) {
				return;
			}
			if (!last && source.endsWith(GIT) && (this.made.contains(source) || MountPoint.isMarked(source))) {
				// a repository without its configuration and hooks would be of no use
				this.plan.add(MountPlan.Kind.READ_ONLY, source, target);
				return;
			}
			if (last || !Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
				// a file has nothing below it
				this.plan.add(last ? kind : MountPlan.Kind.READ_ONLY, source, target);
				return;
			}
			this.plan.add(MountPlan.Kind.PINNED, source, target);
			if (!this.access.isEnterable(source)) {
				return;
			}
		}
	}

	/**
	 * Creates an empty file or directory if the path does not exist.
	 * @return false if the path does not exist, and commands cannot create it either
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
			throw unsupported(path, "does not exist and no placeholder can be created", ex);
		}
	}

	/**
	 * Returns whether commands would fail to create a file as well: on a read-only file
	 * system, and, for an ordinary user, in a directory of another user.
	 */
	private static boolean isBeyondReach(Path directory, IOException failure) {
		try {
			HostUser user = HostUser.current();
			return Files.getFileStore(directory).isReadOnly() || (failure instanceof AccessDeniedException
					&& user != null && user.uid() != 0 && !Integer.valueOf(user.uid())
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
				"replace it with a file or a directory, or protect another path", cause);
	}

}
