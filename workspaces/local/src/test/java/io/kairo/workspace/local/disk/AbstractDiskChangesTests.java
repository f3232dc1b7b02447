package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Base class for the tests of {@link DiskChanges}. All of them run with directories held
 * by handles, and with paths that are compared instead.
 */
@Timeout(60)
@ParameterizedClass
@EnumSource
abstract class AbstractDiskChangesTests {

	@Parameter
	Directories directories;

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	Path root;

	Path added;

	WorkspaceFiles files;

	@BeforeEach
	void openFiles() throws IOException {
		this.temp = this.temp.toRealPath();
		this.root = TestWorkspaces.directory(this.temp.resolve("root"));
		this.added = TestWorkspaces.directory(this.temp.resolve("added"));
		this.files = new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withStateDirectory(this.temp.resolve("state")), opener())
			.open(TestWorkspaces.of(this.root, this.added));
	}

	DirectoryOpener opener() {
		return (this.directories == Directories.HANDLES) ? DirectoryOpener.platform() : DirectoryOpener.checked();
	}

	@AfterEach
	void nothingTemporaryIsLeft() throws IOException {
		for (Path directory : List.of(this.root, this.added)) {
			if (Files.exists(directory)) {
				try (Stream<Path> tree = Files.walk(directory)) {
					assertThat(tree).noneMatch((path) -> path.getFileName().toString().startsWith(".kairo-"));
				}
			}
		}
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

	Write write(String relative, String text) {
		return new Write(path(relative), bytes(text));
	}

	ChangeReport.Line done(WorkspaceChange change) {
		return this.files.apply(change).value().lines().get(0);
	}

	WorkspaceResult.Failure<?> refused(WorkspaceChange change, WorkspaceErrorCode code) {
		return TestWorkspaces.failure(this.files.apply(change), code);
	}

	/**
	 * The opener of directories.
	 */
	enum Directories {

		HANDLES, PATHS

	}

}
