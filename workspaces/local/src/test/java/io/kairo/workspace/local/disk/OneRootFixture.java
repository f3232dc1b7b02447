package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.PathPolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A workspace on disk with one root.
 */
abstract class OneRootFixture {

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	Path root;

	WorkspaceFiles files;

	@BeforeEach
	void openFiles() throws IOException {
		this.root = TestWorkspaces.directory(this.temp.toRealPath().resolve("root"));
		this.files = TestWorkspaces.open(PathPolicy.ROOTS, this.root);
	}

	WorkspacePath path(String relative) {
		return new WorkspacePath(this.root, relative);
	}

	Path file(String relative, String text) throws IOException {
		return TestWorkspaces.file(this.root.resolve(relative), text);
	}

	static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	void badName() throws Exception {
		Process process = new ProcessBuilder("sh", "-c",
				"touch \"$(printf 'bad\\377name')\" \"$(printf 'new\\nline')\"")
			.directory(this.root.toFile())
			.start();
		assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
		assertThat(process.exitValue()).isZero();
	}

}
