package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A directory with everything in it, as texts.
 */
final class Tree {

	private Tree() {
	}

	/**
	 * Returns the permissions and the content of each entry by its path.
	 */
	static Map<String, String> of(Path root) throws IOException {
		Map<String, String> tree = new TreeMap<>();
		try (Stream<Path> paths = Files.walk(root)) {
			for (Path path : paths.filter((each) -> !each.equals(root)).toList()) {
				String mode = Files.isSymbolicLink(path) ? ""
						: PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
				tree.put(root.relativize(path).toString(), mode + " " + content(path));
			}
		}
		return tree;
	}

	private static String content(Path path) throws IOException {
		if (Files.isSymbolicLink(path)) {
			return "-> " + Files.readSymbolicLink(path);
		}
		if (Files.isDirectory(path)) {
			return "dir";
		}
		if (!Files.isRegularFile(path)) {
			return "other";
		}
		byte[] bytes = Files.readAllBytes(path);
		return (bytes.length < 40) ? new String(bytes, StandardCharsets.ISO_8859_1)
				: bytes.length + " bytes, " + Arrays.hashCode(bytes);
	}

	/**
	 * Returns what differs.
	 */
	static Map<String, String> difference(Map<String, String> expected, Map<String, String> actual) {
		Map<String, String> difference = new TreeMap<>();
		Stream.concat(expected.keySet().stream(), actual.keySet().stream())
			.filter((name) -> !Objects.equals(expected.get(name), actual.get(name)))
			.forEach((name) -> difference.put(name, expected.get(name) + " became " + actual.get(name)));
		return difference;
	}

}
