package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.bubblewrap.BubblewrapOptions.Network;
import org.jspecify.annotations.Nullable;

/**
 * The access of the user that commands run as to the directories on the way to protected
 * paths. A command can revoke it with {@code chmod 0} on a directory that its user owns,
 * and a later command can grant it again. Mounts below such a directory are impossible,
 * so access is restored before each command: in a sandbox that contains a single root,
 * with the permissions of a command, so that a directory that is swapped for a link in
 * the meantime leads nowhere else.
 *
 * @param runner runs the program that restores access
 * @param system the mounts of the system
 * @param runAs the user that commands run as, or null for the user of the JVM
 */
record OwnerAccess(ScriptRunner runner, SystemMounts system, @Nullable RunAs runAs) {

	private static final int OWNER = 0700;

	private static final int READ_AND_ENTER = 0500;

	private static final int ENTER = 0100;

	private static final Path TARGET = Path.of("/workspace");

	/** The arguments are directories, the outer ones first. */
	private static final String SCRIPT = """
			for each in "$@"; do
				[ -d "$each" ] && [ ! -h "$each" ] && [ -O "$each" ] && chmod u+rwx "$each"
			done
			exit 0
			""";

	/**
	 * Restores the access of the owner to the writable roots of a request, and to the
	 * directories on the way from there to its protected paths, its working directory,
	 * its other roots and the hidden directories. Directories of another user stay as
	 * they are.
	 * @param hidden the hidden directories
	 * @throws IOException if the program that restores access cannot be run
	 */
	void restore(Bubblewrap bubblewrap, SandboxRequest request, List<Path> hidden) throws IOException {
		List<Path> sources = new ArrayList<>();
		List<Path> writable = new ArrayList<>();
		add(request.workspaceRoot(), !request.readOnly(), sources, writable);
		for (Mount mount : request.attributes().mounts()) {
			add(mount.source(), mount.writable(), sources, writable);
		}
		for (Path root : writable) {
			Set<Path> closed = new LinkedHashSet<>();
			Set<Path> known = new LinkedHashSet<>();
			for (Path directory : directories(root, request, sources, hidden)) {
				addClosed(root, directory, known, closed);
			}
			if (!closed.isEmpty()) {
				open(bubblewrap, root, closed);
			}
		}
	}

	/**
	 * Checks that another user that commands run as can enter the roots of a request,
	 * which cannot be mounted otherwise. The program is asked only where owner, group and
	 * mode say no, since an access control list may say yes.
	 * @throws SandboxException if it cannot enter one of them
	 */
	void requireEntry(Bubblewrap bubblewrap, Roots roots) {
		if (this.runAs == null) {
			return;
		}
		for (Root root : roots.all()) {
			try {
				Path barrier = this.runAs.user().barrier(root.source());
				if (barrier != null && !bubblewrap.canEnter(root.source())) {
					throw new SandboxException(SandboxErrorCode.SETUP_FAILED,
							"Commands cannot be run in " + root.source() + ", since they run as " + this.runAs
									+ ", who may not enter " + barrier,
							"the operator has to give the directory to that user (chown), or to let it pass (chmod o+x)");
				}
			}
			catch (IOException ex) {
				throw new SandboxException(SandboxErrorCode.SETUP_FAILED,
						"The directory " + root.source() + " cannot be examined", "see the cause", ex);
			}
		}
	}

	/**
	 * Returns whether the user that commands run as can enter a directory now, or can
	 * give itself access later.
	 * @throws SandboxException if the user owns the directory and cannot enter it, so
	 * that nothing can be mounted below it
	 */
	boolean isEnterable(Path directory) {
		Map<String, Object> attributes;
		try {
			attributes = attributes(directory);
		}
		catch (IOException ex) {
			throw refused(directory, "cannot be examined", ex);
		}
		int mode = (Integer) attributes.getOrDefault("mode", 0);
		if (!Integer.valueOf(user()).equals(attributes.get("uid"))) {
			return this.runAs == null || this.runAs.canEnter((Integer) attributes.getOrDefault("gid", 0), mode);
		}
		if ((mode & ENTER) == 0) {
			throw refused(directory, "denies access to its owner", null);
		}
		return true;
	}

	private static void add(Path source, boolean isWritable, List<Path> sources, List<Path> writable) {
		Path path = source.toAbsolutePath().normalize();
		sources.add(path);
		if (isWritable) {
			writable.add(path);
		}
	}

	/**
	 * Returns the directories inside a root, relative to it, that have to be accessible.
	 */
	private static Set<Path> directories(Path root, SandboxRequest request, List<Path> sources, List<Path> hidden) {
		Set<Path> directories = new LinkedHashSet<>(List.of(Path.of("")));
		for (String path : request.attributes().protectedPaths()) {
			Path parent = parse(path).getParent();
			if (parent != null) {
				directories.add(parent);
			}
		}
		Path workingDirectory = request.attributes().workingDirectory();
		List<Path> others = new ArrayList<>(sources);
		if (workingDirectory != null) {
			others.add(workingDirectory.toAbsolutePath().normalize());
		}
		hidden.forEach((path) -> others.add(path.toAbsolutePath().normalize()));
		others.stream().filter((path) -> path.startsWith(root)).map(root::relativize).forEach(directories::add);
		return directories;
	}

	private static Path parse(String path) {
		try {
			return Path.of(path);
		}
		catch (InvalidPathException ex) {
			return Path.of("");
		}
	}

	/**
	 * Adds the directories that are closed to their owner, with everything further down
	 * the way, which an ordinary user cannot examine yet.
	 */
	private void addClosed(Path root, Path directory, Set<Path> known, Set<Path> closed) {
		boolean beyond = addIfClosed(root, Path.of(""), READ_AND_ENTER, known, closed);
		Path relative = null;
		for (Path name : directory) {
			relative = (relative != null) ? relative.resolve(name) : name;
			if (beyond) {
				closed.add(relative);
			}
			else {
				beyond = addIfClosed(root, relative, OWNER, known, closed);
			}
		}
	}

	private boolean addIfClosed(Path root, Path relative, int needed, Set<Path> known, Set<Path> closed) {
		if (known.add(relative)) {
			try {
				Map<String, Object> attributes = attributes(root.resolve(relative));
				if (Boolean.TRUE.equals(attributes.get("isDirectory"))
						&& Integer.valueOf(user()).equals(attributes.get("uid"))
						&& ((Integer) attributes.getOrDefault("mode", 0) & needed) != needed) {
					closed.add(relative);
				}
			}
			catch (IOException ex) {
				return false; // it does not exist, or another user has closed it
			}
		}
		return closed.contains(relative);
	}

	private void open(Bubblewrap bubblewrap, Path root, Set<Path> closed) throws IOException {
		MountPlan plan = new MountPlan();
		plan.add(MountPlan.Kind.WRITABLE, root.toRealPath(), TARGET);
		List<String> command = new ArrayList<>(
				List.of("/bin/sh", "-c", MountPlan.verification(false) + SCRIPT, "kairo"));
		closed.forEach((directory) -> command.add(TARGET.resolve(directory).toString()));
		try (CommandFiles files = this.runner.control().newCommandFiles()) {
			List<String> environment = List.of("--clearenv", "--setenv", "PATH", "/usr/bin:/bin");
			files.writeArguments(
					Bubblewrap.arguments(Network.NONE, this.system.arguments(this.runner.control(), List.of(TARGET)),
							plan.arguments(), environment, files, Path.of("/")));
			this.runner.run(bubblewrap, files, command, new Networks.CommandNetwork(null, null, files.socket()));
		}
	}

	private int user() {
		return (this.runAs != null) ? this.runAs.uid() : ControlDirectory.ownUser();
	}

	private static Map<String, Object> attributes(Path path) throws IOException {
		return Files.readAttributes(path, "unix:uid,gid,mode,isDirectory", LinkOption.NOFOLLOW_LINKS);
	}

	private static SandboxException refused(Path directory, String problem, @Nullable IOException cause) {
		return new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
				"Nothing below the directory " + directory + " can be protected: it " + problem,
				"grant its owner access again with chmod u+rwx", cause);
	}

}
