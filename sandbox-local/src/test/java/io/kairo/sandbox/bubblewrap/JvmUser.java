package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * The user of the JVM. If that is root, commands run as the user {@code nobody}, who
 * needs access to their directories.
 */
final class JvmUser {

	static final RunAs NOBODY = new RunAs(65534, 65534);

	private JvmUser() {
	}

	static boolean isRoot() {
		return ControlDirectory.ownUser() == 0;
	}

	static BubblewrapOptions bubblewrapOptions() {
		return isRoot() ? BubblewrapOptions.defaults().withRunAs(NOBODY) : BubblewrapOptions.defaults();
	}

	/**
	 * Grants the user of commands access to the directories of a request, unless the root
	 * directory is one of them.
	 */
	static SandboxRequest grantAccess(SandboxRequest request) {
		if (isRoot()
				&& request.attributes().mounts().stream().noneMatch((mount) -> mount.source().getNameCount() == 0)) {
			grantAccess(request.workspaceRoot());
			request.attributes().mounts().stream().map(Mount::source).forEach(JvmUser::grantAccess);
		}
		return request;
	}

	/**
	 * Grants the user of commands access to a path: makes its parents accessible and, for
	 * a directory, changes the owner of the whole tree.
	 */
	static void grantAccess(Path directory) {
		try {
			makeParentsAccessible(directory.toAbsolutePath());
			if (Files.isDirectory(directory)) {
				Files.setAttribute(directory, "unix:uid", NOBODY.uid());
				UserPrincipal owner = Files.getOwner(directory);
				try (DirectoryStream<Path> opened = Files.newDirectoryStream(directory)) {
					changeOwner((SecureDirectoryStream<Path>) opened, directory, owner);
				}
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void makeParentsAccessible(Path directory) throws IOException {
		Path parent = directory.getParent();
		if (parent.getNameCount() > 1 && Files.isDirectory(parent)) {
			makeParentsAccessible(parent);
			Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(parent);
			if (permissions.add(PosixFilePermission.OTHERS_EXECUTE)) {
				Files.setPosixFilePermissions(parent, permissions);
			}
		}
	}

	/**
	 * Changes the owner of the entries as far as possible, without following links: a
	 * test may move files in the meantime, or create names that are too long.
	 */
	private static void changeOwner(SecureDirectoryStream<Path> directory, Path path, UserPrincipal owner) {
		for (Path entry : directory) {
			Path name = entry.getFileName();
			try {
				PosixFileAttributeView view = directory.getFileAttributeView(name, PosixFileAttributeView.class,
						LinkOption.NOFOLLOW_LINKS);
				BasicFileAttributes attributes = view.readAttributes();
				if (attributes.isRegularFile() || attributes.isDirectory()) {
					view.setOwner(owner);
				}
				else if (attributes.isOther()) {
					// cannot be opened, such as a socket
					Files.setAttribute(path.resolve(name), "unix:uid", NOBODY.uid(), LinkOption.NOFOLLOW_LINKS);
				}
				if (attributes.isDirectory()) {
					try (SecureDirectoryStream<Path> below = directory.newDirectoryStream(name,
							LinkOption.NOFOLLOW_LINKS)) {
						changeOwner(below, path.resolve(name), owner);
					}
				}
			}
			catch (IOException ex) {
				// the entry has been removed or replaced in the meantime
			}
		}
	}

}
