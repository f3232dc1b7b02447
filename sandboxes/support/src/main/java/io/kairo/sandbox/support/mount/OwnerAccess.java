package io.kairo.sandbox.support.mount;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import io.kairo.host.ProcessRoot;
import io.kairo.sandbox.support.Executables;
import org.jspecify.annotations.Nullable;

/**
 * The access of the user that commands run as to the directories on the way to protected
 * paths. A command can revoke it with {@code chmod 0} on a directory that its user owns,
 * and a later command can grant it again. Mounts below such a directory are impossible,
 * so access is restored before each command. Safe for use by several threads if the
 * runner is.
 *
 * @param runner runs the program that restores access
 * @param user the user that commands run as, or null for the user of the JVM
 */
public record OwnerAccess(Runner runner, @Nullable HostUser user) {

	/**
	 * Grants the owner all access to directories, the outer ones first. Directories of
	 * another user, links and files stay as they are.
	 */
	private static final String OPEN = """
			for each in "$@"; do
				[ -d "$each" ] && [ ! -h "$each" ] && [ -O "$each" ] && chmod u+rwx "$each"
			done
			exit 0
			""";

	private static final int OWNER = 0700;

	private static final int READ_AND_ENTER = 0500;

	private static final int ENTER = 0100;

	/**
	 * Restores the access of the owner to the writable roots of a request, and to the
	 * directories on the way from there to its protected paths, its working directory,
	 * its other roots and the hidden directories. Directories of another user stay as
	 * they are.
	 * @param request the request
	 * @param hidden the hidden directories
	 * @throws IOException if the program that restores access cannot be run
	 */
	public void restore(SandboxRequest request, List<Path> hidden) throws IOException {
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
				List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", OPEN, "kairo"));
				closed.forEach((directory) -> command.add(Runner.TARGET.resolve(directory).toString()));
				this.runner.run(ProcessRoot.realPath(root), command);
			}
		}
	}

	/**
	 * Checks that another user that commands run as can enter the roots of a request,
	 * since they cannot be mounted otherwise. That user tries it only where owner, group
	 * and mode say no, since an access control list may say yes.
	 * @param roots the directories of the request
	 * @throws SandboxException with {@link SandboxErrorCode#SETUP_FAILED} if it cannot
	 * enter one of them
	 */
	public void requireEntry(Roots roots) {
		if (this.user == null) {
			return;
		}
		for (Root root : roots.all()) {
			try {
				Path barrier = this.user.barrier(root.source());
				if (barrier != null && !canEnter(this.user, root.source())) {
					throw new SandboxException(SandboxErrorCode.SETUP_FAILED,
							"Commands cannot be run in " + root.source() + ", since they run as " + this.user
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

	private static boolean canEnter(HostUser user, Path directory) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Objects.requireNonNull(Executables.find("setpriv"), "setpriv").toString());
		command.addAll(user.setprivArguments());
		command.addAll(List.of("/bin/sh", "-c", "[ -x \"$1\" ]", "kairo", directory.toString()));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		try (InputStream output = process.getInputStream()) {
			output.readAllBytes();
			return process.waitFor() == 0;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
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
		if (!isOwner(attributes)) {
			return this.user == null || this.user.mayEnter(attributes);
		}
		if (((Integer) attributes.getOrDefault("mode", 0) & ENTER) == 0) {
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
	 * the way, since an ordinary user cannot examine it yet.
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
				if (Boolean.TRUE.equals(attributes.get("isDirectory")) && isOwner(attributes)
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

	private boolean isOwner(Map<String, Object> attributes) {
		HostUser owner = (this.user != null) ? this.user : HostUser.current();
		return owner != null && Integer.valueOf(owner.uid()).equals(attributes.get("uid"));
	}

	private static Map<String, Object> attributes(Path path) throws IOException {
		return Files.readAttributes(path, "unix:uid,gid,mode,isDirectory", LinkOption.NOFOLLOW_LINKS);
	}

	private static SandboxException refused(Path directory, String problem, @Nullable IOException cause) {
		return new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
				"Nothing below the directory " + directory + " can be protected: it " + problem,
				"grant its owner access again with chmod u+rwx", cause);
	}

	/**
	 * Runs programs as the user that commands run as.
	 */
	@FunctionalInterface
	public interface Runner {

		/** The path of the root in the sandbox. */
		Path TARGET = Path.of("/workspace");

		/**
		 * Runs a program in a sandbox that contains a single root, with the permissions
		 * of a command, so that a directory that is swapped for a link in the meantime
		 * leads nowhere else.
		 * @param root the real path of the root, which is writable at {@link #TARGET}
		 * @param program the program and its arguments
		 * @throws IOException if it cannot be run
		 */
		void run(Path root, List<String> program) throws IOException;

	}

}
