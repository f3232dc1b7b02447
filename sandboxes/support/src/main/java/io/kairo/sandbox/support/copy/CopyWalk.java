package io.kairo.sandbox.support.copy;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import io.kairo.api.workspace.FileType;
import io.kairo.sandbox.support.mount.HeldDirectory;

/**
 * A walk through a directory that other processes may change meanwhile. Links are not
 * followed, not even if a link takes the place of a directory during the walk. A
 * directory comes before everything in it.
 */
public final class CopyWalk {

	/** Replacement for bytes of a name that are not UTF-8. */
	static final char UNREADABLE = '\ufffd';

	private CopyWalk() {
	}

	/**
	 * Walks through a directory.
	 * @param root the real path of the directory
	 * @param visitor receives everything in it
	 * @throws IOException if a directory cannot be read, or the visitor fails
	 */
	public static void walk(Path root, Visitor visitor) throws IOException {
		Deque<Path> directories = new ArrayDeque<>(List.of(Path.of("")));
		while (!directories.isEmpty()) {
			Path directory = directories.pop();
			boolean isRoot = directory.toString().isEmpty();
			try (HeldDirectory held = HeldDirectory.open(isRoot ? root : root.resolve(directory))) {
				for (Path name : names(held)) {
					Path relative = isRoot ? name : directory.resolve(name);
					if (visit(relative, held.resolve(name), visitor)) {
						directories.push(relative);
					}
				}
			}
			catch (NoSuchFileException ex) {
				visitor.vanished(directory);
			}
		}
	}

	private static boolean visit(Path relative, Path path, Visitor visitor) throws IOException {
		CopiedEntry entry;
		try {
			entry = CopiedEntry.of(path);
		}
		catch (NoSuchFileException ex) {
			return false;
		}
		return visitor.visit(relative, entry, path) && entry.type() == FileType.DIRECTORY;
	}

	private static List<Path> names(HeldDirectory directory) throws IOException {
		List<Path> names = new ArrayList<>();
		try (DirectoryStream<Path> found = Files.newDirectoryStream(directory.resolve(Path.of(".")))) {
			for (Path path : found) {
				names.add(path.getFileName());
			}
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		return names;
	}

	/**
	 * Returns whether a name, or the target of a link, is UTF-8.
	 * @param name the name as this JVM shows it
	 * @return whether it can be copied
	 */
	public static boolean isReadable(String name) {
		return name.indexOf(UNREADABLE) < 0;
	}

	/**
	 * Returns whether a text can be the target of a link.
	 * @param target the text
	 * @return whether it is a path in UTF-8
	 */
	public static boolean isPath(String target) {
		try {
			return isReadable(target) && !Path.of(target).toString().isEmpty();
		}
		catch (InvalidPathException ex) {
			return false;
		}
	}

	/**
	 * Receives the entries of a walk.
	 */
	public interface Visitor {

		/**
		 * Takes an entry.
		 * @param relative its path relative to the root
		 * @param entry the entry
		 * @param path a path to open it, valid during this call
		 * @return whether to walk through it, if it is a directory
		 * @throws IOException if the walk has to end
		 */
		boolean visit(Path relative, CopiedEntry entry, Path path) throws IOException;

		/**
		 * Takes note that a directory has been deleted since it was visited.
		 * @param relative its path relative to the root
		 */
		default void vanished(Path relative) {
		}

	}

}
