package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A workspace for {@link Descent} with either kind of {@link OpenDirectory}, and files
 * that it must not reach.
 */
abstract class DescentFixture {

	static final String SECRET = "SECRET";

	@TempDir
	Path temp;

	Path root;

	Path added;

	Path outside;

	WorkspaceFiles files;

	private final OpenedBy openedBy;

	DescentFixture(OpenedBy openedBy) {
		this.openedBy = openedBy;
	}

	@BeforeEach
	void createTree() throws IOException {
		this.temp = this.temp.toRealPath();
		this.root = TestWorkspaces.directory(this.temp.resolve("root"));
		this.added = TestWorkspaces.directory(this.temp.resolve("added"));
		this.outside = TestWorkspaces.directory(this.temp.resolve("outside"));
		TestWorkspaces.file(this.outside.resolve("secret"), SECRET);
		TestWorkspaces.file(this.root.resolve("a/b/file"), "inside");
		TestWorkspaces.file(this.added.resolve("dir/file"), "added");
		this.files = open(PathPolicy.ROOTS, this.root, this.added);
	}

	WorkspaceFiles open(PathPolicy policy, Path... roots) {
		return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withPathPolicy(policy), this.openedBy.opener())
			.open(TestWorkspaces.of(roots));
	}

	OpenDirectory opened(Path directory) throws IOException {
		return this.openedBy.opener().open(directory);
	}

	WorkspacePath path(String relative) {
		return new WorkspacePath(this.root, relative);
	}

	void assertFails(String relative, WorkspaceErrorCode code) {
		for (WorkspaceResult<?> result : List.of(this.files.read(path(relative), 0, 100),
				this.files.info(path(relative)), this.files.list(path(relative), 1),
				this.files.walk(path(relative), (file) -> {
					throw new AssertionError("visited " + file.path());
				}))) {
			assertThat(TestWorkspaces.failure(result, code).message()).doesNotContain(this.outside.toString())
				.doesNotContain(SECRET);
		}
	}

	String read(String relative) {
		return TestWorkspaces.text(this.files.read(path(relative), 0, 100).value().bytes());
	}

}
