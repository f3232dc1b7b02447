package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.host.ProcessIdentity;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.CompareExchange;
import io.kairo.api.workspace.WorkspaceChange.Copy;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a process that writes to a file during a change without taking locks.
 */
class ForeignWriterTests {

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	private Path root;

	private WorkspaceFiles files;

	@BeforeEach
	void openFiles() throws IOException {
		this.root = TestWorkspaces.directory(this.temp.toRealPath().resolve("root"));
		TestWorkspaces.file(this.root.resolve("file"), "old");
		this.files = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS, DirectoryOpener.platform(),
				ProcessIdentity.current(), this::writeOnce)
			.open(TestWorkspaces.of(this.root));
	}

	/**
	 * Replaces the file, once, when the new content is about to be written to a temporary
	 * file.
	 */
	private void writeOnce(String step) throws IOException {
		if ((step.equals("write") || step.equals("copy")) && !Files.exists(this.root.resolve("foreign"))) {
			TestWorkspaces.file(this.root.resolve("foreign"), "");
			Files.writeString(this.root.resolve("file"), "theirs");
		}
	}

	private WorkspacePath path(String relative) {
		return new WorkspacePath(this.root, relative);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@Test
	void compareExchangeDetectsConcurrentWrite() {
		assertThat(this.files.apply(new CompareExchange(path("file"), bytes("old"), bytes("new"))).value().lines())
			.singleElement()
			.satisfies((line) -> assertThat(line.applied()).isFalse());
		assertThat(this.root.resolve("file")).hasContent("theirs");
	}

	@Test
	void writeWithVersionDetectsConcurrentWrite() {
		String version = this.files.read(path("file"), 0, 10).value().version();
		WorkspaceChange change = new Write(path("file"), bytes("new"), version);
		TestWorkspaces.failure(this.files.apply(change), WorkspaceErrorCode.STALE_READ);
		assertThat(this.root.resolve("file")).hasContent("theirs");
	}

	@Test
	void copyDoesNotReplaceConcurrentlyCreatedFile() throws IOException {
		TestWorkspaces.file(this.root.resolve("source"), "source");
		Files.delete(this.root.resolve("file"));
		TestWorkspaces.failure(this.files.apply(new Copy(path("source"), path("file"))),
				WorkspaceErrorCode.FILE_EXISTS);
		assertThat(this.root.resolve("file")).hasContent("theirs");
	}

}
