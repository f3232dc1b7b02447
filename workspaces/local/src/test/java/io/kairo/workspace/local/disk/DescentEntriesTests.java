package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.OrdinaryUser;
import io.kairo.workspace.local.PathPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Descent} with few links.
 */
@ParameterizedClass
@EnumSource
class DescentEntriesTests extends DescentFixture {

	DescentEntriesTests(OpenedBy openedBy) {
		super(openedBy);
	}

	@Test
	void missingEntriesAreNotFound() {
		assertFails("missing", WorkspaceErrorCode.FILE_NOT_FOUND);
		assertFails("a/missing/file", WorkspaceErrorCode.FILE_NOT_FOUND);
		assertThat(
				TestWorkspaces.failure(this.files.info(path("a/missing")), WorkspaceErrorCode.FILE_NOT_FOUND).message())
			.startsWith("'" + path("a/missing").toPath() + "' does not exist");
	}

	@Test
	void entriesBelowAFileAreRefused() {
		assertFails("a/b/file/x", WorkspaceErrorCode.NOT_A_DIRECTORY);
		assertFails("a/b/file/x/y", WorkspaceErrorCode.NOT_A_DIRECTORY);
	}

	@Test
	@Timeout(20)
	void specialFilesAreRefusedWithoutBlocking() throws Exception {
		TestWorkspaces.fifo(this.root.resolve("fifo"));
		TestWorkspaces.link(this.root.resolve("link"), "fifo");
		for (String path : new String[] { "fifo", "link" }) {
			TestWorkspaces.failure(this.files.read(path(path), 0, 1), WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
			TestWorkspaces.failure(this.files.list(path(path), 1), WorkspaceErrorCode.NOT_A_DIRECTORY);
			assertThat(this.files.info(path(path)).value())
				.satisfies((info) -> assertThat(info.type()).isEqualTo(FileType.OTHER))
				.satisfies((info) -> assertThat(info.version()).isNull());
		}
		this.files = open(PathPolicy.HOST, this.root);
		TestWorkspaces.failure(this.files.read(new WorkspacePath(Path.of("/"), "dev/zero"), 0, 1),
				WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
	}

	@Test
	void namesTooLongForTheFileSystemFail() {
		assertFails("x".repeat(300), WorkspaceErrorCode.READ_FAILED);
	}

	@Test
	void missingRootIsEmpty() {
		this.root = this.temp.resolve("later/root");
		this.files = open(PathPolicy.ROOTS, this.root);
		WorkspacePath top = this.files.root();
		TestWorkspaces.failure(this.files.read(path("x"), 0, 1), WorkspaceErrorCode.FILE_NOT_FOUND);
		TestWorkspaces.failure(this.files.info(top), WorkspaceErrorCode.FILE_NOT_FOUND);
		TestWorkspaces.failure(this.files.list(path("x"), 1), WorkspaceErrorCode.FILE_NOT_FOUND);
		assertThat(this.files.list(top, 3).value().entries()).isEmpty();
		assertThat(this.files.getFilePaths().value()).isEmpty();
		assertThat(this.temp.resolve("later")).doesNotExist();
	}

	@Test
	void entriesOfRootCreatedLaterAreFound() throws IOException {
		Path later = this.temp.resolve("later/root");
		this.files = open(PathPolicy.ROOTS, later);
		TestWorkspaces.file(later.resolve("x"), "came");
		assertThat(TestWorkspaces.read(this.files, "x")).isEqualTo("came");
	}

	@Test
	void entriesOfLinkedRootAreFoundByBothSpellings() throws IOException {
		Path alias = TestWorkspaces.link(this.temp.resolve("alias"), this.root);
		this.files = open(PathPolicy.ROOTS, alias);
		assertThat(TestWorkspaces.read(this.files, "a/b/file")).isEqualTo("inside");
		assertThat(TestWorkspaces.read(this.files, this.root + "/a/b/file")).isEqualTo("inside");
	}

	@Test
	void nestedRootSwappedForALinkStaysConfined() throws IOException {
		Path nested = TestWorkspaces.directory(this.root.resolve("nested"));
		Files.delete(nested);
		TestWorkspaces.link(nested, this.outside);
		this.files = open(PathPolicy.ROOTS, this.root, nested);
		TestWorkspaces.failure(this.files.read(new WorkspacePath(nested, "secret"), 0, 10),
				WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		TestWorkspaces.link(this.root.resolve("link"), this.outside.resolve("secret"));
		assertFails("link", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "a/b", "a/b/file" })
	void entriesWithoutPermissionAreDenied(String path) throws IOException {
		Path target = this.root.resolve(path);
		Files.setPosixFilePermissions(target, Set.of());
		OrdinaryUser.required(!Files.isReadable(target));
		try {
			assertThat(TestWorkspaces
				.failure(this.files.read(path("a/b/file"), 0, 1), WorkspaceErrorCode.PERMISSION_DENIED)
				.message()).startsWith("'" + path("a/b/file").toPath() + "' cannot be read");
		}
		finally {
			Files.setPosixFilePermissions(target, PosixFilePermissions.fromString("rwx------"));
		}
	}

}
