package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspaceChange.Batch;
import io.kairo.api.workspace.WorkspaceChange.Copy;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Depth;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.OrdinaryUser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the deletion of trees of which a part is hard or impossible to remove: either
 * the whole tree is deleted or nothing.
 */
@Timeout(60)
class DeletedTreeTests extends CrashFixture {

	private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f", "g", "vendor/mod");

	private WorkspaceFiles files() throws IOException {
		createTree(0);
		for (String name : NAMES) {
			TestWorkspaces.file(this.root.resolve("project").resolve(name).resolve("file"), "x");
		}
		return factory("one-", FaultPoints.UNHINDERED).open(TestWorkspaces.of(this.root));
	}

	private Delete delete() {
		return new Delete(path("project"), Depth.RECURSIVE, null);
	}

	private void setMode(String path, String mode) throws IOException {
		Files.setPosixFilePermissions(this.root.resolve(path), PosixFilePermissions.fromString(mode));
	}

	@Test
	void deleteLeavesTreeIntactIfAccessIsDenied() throws IOException {
		WorkspaceFiles files = files();
		setMode("project/vendor/mod", "r-xr-xr-x");
		try {
			OrdinaryUser.required(!Files.isWritable(this.root.resolve("project/vendor/mod")));
			Map<String, String> before = tree();
			TestWorkspaces.failure(files.apply(delete()), WorkspaceErrorCode.PERMISSION_DENIED);
			assertThat(tree()).isEqualTo(before);
			TestWorkspaces.failure(files.apply(new Batch(List.of(new Delete(path("other")), delete()))),
					WorkspaceErrorCode.PERMISSION_DENIED);
			assertThat(tree()).isEqualTo(before);
		}
		finally {
			setMode("project/vendor/mod", "rwxr-xr-x");
		}
	}

	@Test
	void rolledBackCopyIsRemovedWhateverItsModes() throws IOException {
		WorkspaceFiles files = files();
		setMode("project/vendor/mod", "r-xr-xr-x");
		Map<String, String> before = tree();
		TestWorkspaces.failure(
				files.apply(new Batch(List.of(new Copy(path("project"), path("copy")), new Delete(path("missing"))))),
				WorkspaceErrorCode.FILE_NOT_FOUND);
		assertThat(tree()).isEqualTo(before);
		setMode("project/vendor/mod", "rwxr-xr-x");
	}

	@Test
	void deleteRemovesTreeDeeperThanAnyWalk() throws IOException {
		WorkspaceFiles files = files();
		TestWorkspaces.file(this.root.resolve("project").resolve("m/".repeat(TreeWalk.MAX_DEPTH * 3)).resolve("file"),
				"x");
		assertThat(files.apply(delete()).isOk()).isTrue();
		assertThat(tree().keySet()).containsExactlyInAnyOrder("", "file", "other", "dir", "dir/sub", "dir/sub/file",
				"dir/link");
	}

	@Test
	void failedRemovalIsHiddenAndRetriedLater() throws IOException {
		Busy steps = new Busy();
		createTree(0);
		LocalWorkspaceFilesFactory factory = factory("one-", steps);
		WorkspaceFiles files = factory.open(TestWorkspaces.of(this.root));
		steps.busy = true;
		WorkspaceResult<?> result = files.apply(new Delete(path("dir"), Depth.RECURSIVE, null));
		assertThat(result.isOk()).as(result.toString()).isTrue();
		assertThat(files.list(files.root(), 9).value().entries()).hasSize(2);
		assertThat(names()).hasSize(3).anyMatch((name) -> name.startsWith(".kairo-"));
		steps.busy = false;
		factory.open(TestWorkspaces.of(this.root));
		assertThat(names()).containsExactlyInAnyOrder("file", "other");
	}

	@Test
	void failedRemovalIsRetriedByTheNextProcess() throws IOException {
		Busy steps = new Busy();
		createTree(0);
		LocalWorkspaceFilesFactory dying = factory("dying-", steps);
		steps.busy = true;
		dying.open(TestWorkspaces.of(this.root)).apply(new Delete(path("dir"), Depth.RECURSIVE, null)).value();
		assertThat(names()).hasSize(3);
		dying.state().journal().abandon();
		factory("next-", FaultPoints.UNHINDERED).open(TestWorkspaces.of(this.root));
		assertThat(names()).containsExactlyInAnyOrder("file", "other");
	}

	private Set<String> names() throws IOException {
		try (Stream<Path> entries = Files.list(this.root)) {
			return entries.map(Path::getFileName).map(Path::toString).collect(Collectors.toSet());
		}
	}

	/**
	 * Refuses removals for a while.
	 */
	private static final class Busy implements FaultPoints {

		private boolean busy;

		@Override
		public void before(String step) throws IOException {
			if (this.busy && step.equals("discard")) {
				throw new FileSystemException("", null, "Device or resource busy");
			}
		}

	}

}
