package io.kairo.host;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The root directory of another process, which shows the mounts of its namespace to this
 * one. Java's real path of a file in there is another file: that of the same path in the
 * namespace of this process.
 *
 * @param pid the process ID
 */
public record ProcessRoot(long pid) {

	private static final Pattern PATH = Pattern.compile("/proc/(\\d{1,18})/root(/.*)?", Pattern.DOTALL);

	/**
	 * Returns the root that a path leads through.
	 * @param path a path
	 * @return the root, null if the path does not begin with one
	 */
	public static @Nullable ProcessRoot of(Path path) {
		Matcher matcher = PATH.matcher(path.toString());
		return matcher.matches() ? new ProcessRoot(Long.parseLong(matcher.group(1))) : null;
	}

	/**
	 * Returns the path by which the process itself reaches a file.
	 * @param path an absolute path, as of this process
	 * @return the same path if it leads through no root
	 */
	public static Path withoutRoot(Path path) {
		ProcessRoot root = of(path);
		return (root != null) ? Path.of("/").resolve(root.path().relativize(path)) : path;
	}

	/**
	 * Returns the real path of an existing file. If the path leads through a root, so
	 * does the result.
	 * @param path an absolute path, as of this process
	 * @return the real path
	 * @throws IOException if the file does not exist, or is reached by a root and a link
	 */
	public static Path realPath(Path path) throws IOException {
		ProcessRoot root = of(path);
		if (root == null) {
			return path.toRealPath();
		}
		Path each = path;
		while (each != null && !each.equals(root.path())) {
			if (Files.isSymbolicLink(each)) {
				throw new FileSystemException(path.toString(), null, "a link is on the way");
			}
			each = each.getParent();
		}
		return path.toRealPath(LinkOption.NOFOLLOW_LINKS);
	}

	/**
	 * Returns the path of the root.
	 * @return a path in {@code /proc}
	 */
	public Path path() {
		return Path.of("/proc", Long.toString(this.pid), "root");
	}

	/**
	 * Returns the path by which this process reaches a file of the other one.
	 * @param path an absolute path, as of the other process
	 * @return the path
	 */
	public Path resolve(Path path) {
		return path().resolve(Path.of("/").relativize(path));
	}

}
