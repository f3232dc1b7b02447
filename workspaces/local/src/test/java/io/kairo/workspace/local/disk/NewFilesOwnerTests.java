package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the owner of new files: files created by the superuser belong to the owner of
 * the directory.
 */
@EnabledOnOs(OS.LINUX)
class NewFilesOwnerTests {

	private static final int NOBODY = 65534;

	@TempDir
	Path root;

	private WorkspaceFiles files;

	private int owner;

	@BeforeEach
	void giveAway() throws IOException {
		this.owner = (Integer) Files.getAttribute(this.root, "unix:uid");
		if (this.owner == 0) {
			this.owner = NOBODY;
			Files.setAttribute(this.root, "unix:uid", NOBODY);
			Files.setAttribute(this.root, "unix:gid", NOBODY);
		}
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.root).acquire(WorkspaceRequest.writable(null));
		this.files = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).open(workspace);
	}

	private Object owner(String path) throws IOException {
		return Files.getAttribute(this.root.resolve(path), "unix:uid");
	}

	private WorkspacePath path(String path) {
		return this.files.resolve(path, this.files.root());
	}

	@Test
	void newFileAndItsParentsBelongToTheOwnerOfTheDirectory() throws IOException {
		assertThat(this.files.tryWriteFile("a/b/new.txt", "text").isOk()).isTrue();
		assertThat(owner("a")).isEqualTo(this.owner);
		assertThat(owner("a/b")).isEqualTo(this.owner);
		assertThat(owner("a/b/new.txt")).isEqualTo(this.owner);
	}

	@Test
	void newDirectoryBelongsToTheOwnerOfTheDirectory() throws IOException {
		this.files.apply(new WorkspaceChange.CreateDirectory(path("empty")));
		assertThat(owner("empty")).isEqualTo(this.owner);
	}

	@Test
	void replacedFileKeepsItsOwner() throws IOException {
		Path file = Files.writeString(this.root.resolve("old.txt"), "old");
		Object before = Files.getAttribute(file, "unix:uid");
		assertThat(this.files.tryWriteFile("old.txt", "new").isOk()).isTrue();
		assertThat(file).hasContent("new");
		assertThat(owner("old.txt")).isEqualTo(before);
	}

}
