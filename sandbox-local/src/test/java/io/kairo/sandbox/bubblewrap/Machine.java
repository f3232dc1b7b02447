package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

import io.kairo.api.sandbox.SandboxAttributes.Mount;
import io.kairo.api.sandbox.SandboxRequest;
import org.jspecify.annotations.Nullable;

/**
 * What the user who runs the tests is, and what an application of that user has to do:
 * one that is root hands the directories of commands over to the user of commands.
 */
final class Machine {

	static final RunAs NOBODY = new RunAs(65534, 65534);

	private Machine() {
	}

	static boolean isRoot() {
		return Exchange.ownUser() == 0;
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
				Files.walkFileTree(directory, new Owner());
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
	 * Takes what it gets at: a test may move files meanwhile, or make names too long.
	 */
	private static final class Owner extends SimpleFileVisitor<Path> {

		@Override
		public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
			return visitFile(directory, attributes);
		}

		@Override
		public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
			try {
				Files.setAttribute(file, "unix:uid", NOBODY.uid(), LinkOption.NOFOLLOW_LINKS);
				return FileVisitResult.CONTINUE;
			}
			catch (NoSuchFileException ex) {
				return FileVisitResult.SKIP_SUBTREE;
			}
		}

		@Override
		public FileVisitResult visitFileFailed(Path file, IOException failure) {
			return FileVisitResult.CONTINUE;
		}

		@Override
		public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) {
			return FileVisitResult.CONTINUE;
		}

	}

}
