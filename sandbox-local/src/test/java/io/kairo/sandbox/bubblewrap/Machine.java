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
 * What the user who runs the tests is, and what an application of that user has to do:
 * one that is root hands the directories of commands over to the user of commands.
 */
final class Machine {

	static final RunAs NOBODY = new RunAs(65534, 65534);

	private Machine() {
	}

	static boolean isRoot() {
		return ControlDirectory.ownUser() == 0;
	}

	static BubblewrapOptions options() {
		return isRoot() ? BubblewrapOptions.defaults().withRunAs(NOBODY) : BubblewrapOptions.defaults();
	}

	static SandboxRequest handOver(SandboxRequest request) {
		if (isRoot()
				&& request.attributes().mounts().stream().noneMatch((mount) -> mount.source().getNameCount() == 0)) {
			handOver(request.workspaceRoot());
			request.attributes().mounts().stream().map(Mount::source).forEach(Machine::handOver);
		}
		return request;
	}

	static void handOver(Path directory) {
		try {
			openParents(directory.toAbsolutePath());
			if (Files.isDirectory(directory)) {
				Files.setAttribute(directory, "unix:uid", NOBODY.uid());
				UserPrincipal owner = Files.getOwner(directory);
				try (DirectoryStream<Path> opened = Files.newDirectoryStream(directory)) {
					take((SecureDirectoryStream<Path>) opened, directory, owner);
				}
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void openParents(Path directory) throws IOException {
		Path parent = directory.getParent();
		if (parent.getNameCount() > 1 && Files.isDirectory(parent)) {
			openParents(parent);
			Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(parent);
			if (permissions.add(PosixFilePermission.OTHERS_EXECUTE)) {
				Files.setPosixFilePermissions(parent, permissions);
			}
		}
	}

	/**
	 * Takes what it gets at, and follows no link: a test may move files meanwhile, or
	 * make names too long.
	 */
	private static void take(SecureDirectoryStream<Path> directory, Path path, UserPrincipal owner) {
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
					// what cannot be opened, such as a socket
					Files.setAttribute(path.resolve(name), "unix:uid", NOBODY.uid(), LinkOption.NOFOLLOW_LINKS);
				}
				if (attributes.isDirectory()) {
					try (SecureDirectoryStream<Path> below = directory.newDirectoryStream(name,
							LinkOption.NOFOLLOW_LINKS)) {
						take(below, path.resolve(name), owner);
					}
				}
			}
			catch (IOException ex) {
				// it is gone, or another one by now
			}
		}
	}

}
