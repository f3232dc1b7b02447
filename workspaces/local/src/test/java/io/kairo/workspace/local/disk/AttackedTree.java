package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A workspace and, outside, a tree with the same names that must not be reached from the
 * workspace.
 *
 * @param temp the directory of both trees
 * @param root the root of the workspace
 * @param outside the other tree
 */
record AttackedTree(Path temp, Path root, Path outside) {

	static final String INSIDE = "inside";

	static final String SECRET = "SECRET";

	/** The names in both trees. */
	private static final String[] FILES = { "top/dir/file", "top/dir/sub/file", "top/dir/made/file", "stock/sub/file",
			"moved" };

	static AttackedTree create(Path temp) throws IOException {
		AttackedTree tree = new AttackedTree(temp, temp.resolve("root"), temp.resolve("outside"));
		for (String name : FILES) {
			TestWorkspaces.file(tree.root.resolve(name), INSIDE);
			TestWorkspaces.file(tree.outside.resolve(name), SECRET);
		}
		TestWorkspaces.file(tree.outside.resolve("top/dir/only-outside"), SECRET);
		TestWorkspaces.link(tree.root.resolve("alias"), "top/dir");
		TestWorkspaces.link(tree.root.resolve("top/dir/sub/up"), "../../../../outside/top/dir/file");
		TestWorkspaces.directory(temp.resolve("garbage"));
		return tree;
	}

	/**
	 * Describes the tree outside: content, identity and time of change of each entry.
	 */
	Map<String, String> describeOutside() throws IOException {
		Map<String, String> facts = new TreeMap<>();
		try (Stream<Path> paths = Files.walk(this.outside)) {
			for (Path path : (Iterable<Path>) paths::iterator) {
				Map<String, Object> attributes = Files.readAttributes(path,
						"unix:ino,mode,nlink,lastModifiedTime,ctime", LinkOption.NOFOLLOW_LINKS);
				facts.put(path.toString(),
						new TreeMap<>(attributes) + (Files.isRegularFile(path) ? Files.readString(path) : ""));
			}
		}
		return facts;
	}

	/**
	 * Checks that nothing from outside is in the workspace, and that no temporary file
	 * was left.
	 */
	void requireNoTraces() throws IOException {
		try (Stream<Path> paths = Files.walk(this.temp)) {
			for (Path path : (Iterable<Path>) paths::iterator) {
				assertThat(TemporaryNames.is(path.getFileName())).as(path.toString()).isFalse();
				if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) && !path.startsWith(this.outside)) {
					assertThat(path).content().doesNotContain(SECRET);
				}
			}
		}
		try (Stream<Path> entries = Files.list(this.temp)) {
			assertThat(entries.map((entry) -> entry.getFileName().toString())).isSubsetOf("root", "outside", "garbage",
					"state", "link", "parked");
		}
	}

}
