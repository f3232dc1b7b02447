package io.kairo.api.attack;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

import org.jspecify.annotations.Nullable;

/**
 * Removes trees that an attack may have left, including links and directories without
 * permissions.
 */
public final class Trees {

	private Trees() {
	}

	/**
	 * Removes a directory or a file, without following links or entering other file
	 * systems.
	 * @param tree the tree to remove
	 * @throws IOException if it cannot be removed, or contains a mount point
	 */
	public static void delete(Path tree) throws IOException {
		Object device = Files.getAttribute(tree, "unix:dev", LinkOption.NOFOLLOW_LINKS);
		Files.walkFileTree(tree, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
					throws IOException {
				if (!Files.getAttribute(directory, "unix:dev", LinkOption.NOFOLLOW_LINKS).equals(device)) {
					throw new IOException("A file system is mounted on '" + directory + "': unmount it");
				}
				if (!Files.isWritable(directory) || !Files.isExecutable(directory)) {
					Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
				}
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
				if (!(failure instanceof AccessDeniedException)
						|| !Files.getAttribute(file, "unix:dev", LinkOption.NOFOLLOW_LINKS).equals(device)
						|| Files.isReadable(file)) {
					throw failure;
				}
				Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
				delete(file);
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
				Files.deleteIfExists(file);
				return FileVisitResult.CONTINUE;
			}

			@Override
			public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
					throws IOException {
				Files.deleteIfExists(directory);
				return FileVisitResult.CONTINUE;
			}

		});
	}

}
