package io.kairo.api.attack;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

import org.jspecify.annotations.Nullable;

/**
 * Removes what an attack may have left, links and directories without permissions among
 * it.
 *
 * @since 0.1.0
 */
public final class Trees {

	private Trees() {
	}

	/**
	 * Removes a directory, or a file. Follows no links, and goes into no other file
	 * system.
	 * @param tree what to remove
	 * @throws IOException if it cannot be removed, or something is mounted in it
	 */
	public static void delete(Path tree) throws IOException {
		Object device = Files.getAttribute(tree, "unix:dev", LinkOption.NOFOLLOW_LINKS);
		Files.walkFileTree(tree, new SimpleFileVisitor<>() {

			@Override
			public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
					throws IOException {
				if (!Files.getAttribute(directory, "unix:dev", LinkOption.NOFOLLOW_LINKS).equals(device)) {
					throw new IOException("Something is mounted on " + directory);
				}
				if (!Files.isWritable(directory) || !Files.isExecutable(directory)) {
					Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
				}
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
