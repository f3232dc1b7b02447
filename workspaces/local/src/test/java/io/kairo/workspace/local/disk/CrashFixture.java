package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.kairo.host.ProcessIdentity;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A workspace whose changes can be ended at any step.
 */
abstract class CrashFixture {

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	Path root;

	Path state;

	@BeforeEach
	void prepare() throws IOException {
		this.temp = this.temp.toRealPath();
		this.state = this.temp.resolve("state");
	}

	void createTree(int round) throws IOException {
		this.root = TestWorkspaces.directory(this.temp.resolve("root" + round));
		TestWorkspaces.file(this.root.resolve("file"), "old");
		TestWorkspaces.file(this.root.resolve("other"), "other");
		TestWorkspaces.file(this.root.resolve("dir/sub/file"), "deep");
		TestWorkspaces.link(this.root.resolve("dir/link"), "sub/file");
	}

	WorkspacePath path(String relative) {
		return new WorkspacePath(this.root, relative);
	}

	LocalWorkspaceFilesFactory factory(String process, FaultPoints steps) {
		return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withStateDirectory(this.state),
				DirectoryOpener.platform(), process(process), steps);
	}

	/**
	 * Returns the identity of a process that stands for another one in a test.
	 */
	static ProcessIdentity process(String name) {
		return new ProcessIdentity(1, name.hashCode() & 0xffff_ffffL, 1);
	}

	/**
	 * Returns all entries of the root: texts of files and links, and directories.
	 */
	Map<String, String> tree() throws IOException {
		Map<String, String> tree = new TreeMap<>();
		try (Stream<Path> paths = Files.walk(this.root)) {
			for (Path path : (Iterable<Path>) paths::iterator) {
				String text = Files.isSymbolicLink(path) ? "-> " + Files.readSymbolicLink(path)
						: Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) ? "/" : Files.readString(path);
				tree.put(this.root.relativize(path).toString(), text);
			}
		}
		return tree;
	}

	static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Ends at a step, from which on every step fails.
	 */
	static final class Dying implements FaultPoints {

		private final int last;

		private int count;

		Dying(int last) {
			this.last = last;
		}

		@Override
		public void before(String step) {
			if (++this.count >= this.last) {
				throw new Killed();
			}
		}

	}

	static final class Killed extends Error {

		private static final long serialVersionUID = 1L;

	}

}
