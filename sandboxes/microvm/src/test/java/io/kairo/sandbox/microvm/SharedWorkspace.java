package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.host.TreeDeletion;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A workspace for all tests of a class and of those nested in it, which run one after the
 * other: a machine is started once instead of for each test.
 */
final class SharedWorkspace implements AfterAllCallback {

	private @Nullable Path directory;

	/**
	 * Returns the workspace, which is empty.
	 */
	Path get() throws IOException {
		Path parent = this.directory;
		if (parent == null) {
			parent = Files.createTempDirectory("shared-").toRealPath();
			this.directory = parent;
		}
		Path workspace = Files.createDirectories(parent.resolve("workspace"));
		List<Path> entries;
		try (Stream<Path> listed = Files.list(workspace)) {
			entries = listed.toList();
		}
		for (Path entry : entries) {
			TreeDeletion.delete(entry);
		}
		return workspace;
	}

	/**
	 * Deletes the workspace. Called for nested classes as well.
	 */
	@Override
	public void afterAll(ExtensionContext context) throws IOException {
		if (!context.getRequiredTestClass().isMemberClass() && this.directory != null) {
			TreeDeletion.delete(this.directory);
			this.directory = null;
		}
	}

}
