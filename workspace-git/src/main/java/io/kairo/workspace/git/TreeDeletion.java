package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Deletes a directory that somebody may still write into: each directory is opened in the
 * one above, and no link is followed.
 */
final class TreeDeletion {

	private static final int ATTEMPTS = 20;

	private TreeDeletion() {
	}

	/**
	 * Deletes a directory with all that is in it, if it is there.
	 */
	static void delete(Path directory) throws IOException {
		Path parent = directory.getParent();
		try (DirectoryStream<Path> stream = Files.newDirectoryStream(parent)) {
			if (stream instanceof SecureDirectoryStream<Path> secure) {
				deleteDirectory(secure, directory.getFileName());
				return;
			}
		}
		catch (NoSuchFileException ex) {
			return;
		}
		deleteByPath(directory);
	}

	private static void deleteDirectory(SecureDirectoryStream<Path> parent, Path name) throws IOException {
		for (int attempt = 1;; attempt++) {
			try {
				makeAccessible(parent, name);
				try (SecureDirectoryStream<Path> directory = parent.newDirectoryStream(name,
						LinkOption.NOFOLLOW_LINKS)) {
					for (Path child : names(directory)) {
						deleteEntry(directory, child);
					}
				}
				parent.deleteDirectory(name);
				return;
			}
			catch (NoSuchFileException ex) {
				return;
			}
			catch (DirectoryNotEmptyException ex) {
				if (attempt == ATTEMPTS) {
					throw ex;
				}
			}
		}
	}

	private static void deleteEntry(SecureDirectoryStream<Path> parent, Path name) throws IOException {
		try {
			BasicFileAttributeView view = parent.getFileAttributeView(name, BasicFileAttributeView.class,
					LinkOption.NOFOLLOW_LINKS);
			if (view.readAttributes().isDirectory()) {
				deleteDirectory(parent, name);
			}
			else {
				parent.deleteFile(name);
			}
		}
		catch (NoSuchFileException ex) {
			// Somebody else deleted it.
		}
	}

	private static void makeAccessible(SecureDirectoryStream<Path> parent, Path name) throws IOException {
		PosixFileAttributeView view = parent.getFileAttributeView(name, PosixFileAttributeView.class,
				LinkOption.NOFOLLOW_LINKS);
		if (view != null && !PosixFilePermissions.toString(view.readAttributes().permissions()).startsWith("rwx")) {
			// A link may have taken its place: then this fails, as it is not to be
			// followed.
			view.setPermissions(PosixFilePermissions.fromString("rwx------"));
		}
	}

	private static List<Path> names(DirectoryStream<Path> directory) throws IOException {
		List<Path> names = new ArrayList<>();
		try {
			directory.forEach((path) -> names.add(path.getFileName()));
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		return names;
	}

	private static void deleteByPath(Path directory) throws IOException {
		if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
			return;
		}
		try (Stream<Path> paths = Files.walk(directory)) {
			for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
				path.toFile().setWritable(true);
				Files.deleteIfExists(path);
			}
		}
	}

}
