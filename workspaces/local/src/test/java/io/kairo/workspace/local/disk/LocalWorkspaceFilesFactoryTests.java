package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.PathPolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LocalWorkspaceFilesFactory}.
 */
class LocalWorkspaceFilesFactoryTests {

	@TempDir
	Path temp;

	Path root;

	@BeforeEach
	void createRoot() throws IOException {
		this.temp = this.temp.toRealPath();
		this.root = TestWorkspaces.directory(this.temp.resolve("root"));
	}

	@Test
	void rootsAreReadAgainOnEachOpen() throws IOException {
		Path added = TestWorkspaces.directory(this.temp.resolve("added"));
		List<Path> roots = new ArrayList<>(List.of(this.root));
		Workspace workspace = new GrowingWorkspace(roots);
		LocalWorkspaceFilesFactory factory = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS);
		assertThat(factory.open(workspace).root()).isEqualTo(new WorkspacePath(this.root, ""));
		roots.add(added);
		WorkspaceFiles files = factory.open(workspace);
		assertThat(files.resolve(added + "/x", files.root())).isEqualTo(new WorkspacePath(added, "x"));
	}

	@Test
	void openRefusesWorkspaceThatIsNotOnDisk() {
		Workspace elsewhere = new GrowingWorkspace(List.of(this.root)) {

			@Override
			public boolean onDisk() {
				return false;
			}

		};
		assertThatExceptionOfType(WorkspaceException.class)
			.isThrownBy(() -> new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).open(elsewhere));
	}

	@Test
	void changeWithoutStateDirectoryFailsWithItsReason() throws IOException {
		Path state = Files.createFile(this.temp.resolve("file")).resolve("state");
		WorkspaceFiles files = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withStateDirectory(state))
			.open(new GrowingWorkspace(List.of(this.root)));
		WorkspaceResult<ChangeReport> result = files
			.apply(new WorkspaceChange.Write(new WorkspacePath(this.root, "x"), new byte[1], null));
		assertThat(result).isInstanceOfSatisfying(WorkspaceResult.Failure.class, (failure) -> {
			assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.WRITE_FAILED);
			assertThat(failure.message()).contains("its own state directory").doesNotContain(state.toString());
		});
		assertThat(this.root).isEmptyDirectory();
	}

	@Test
	void optionsChangeOneAtATime() {
		LocalFilesOptions options = LocalFilesOptions.DEFAULTS.withPathPolicy(PathPolicy.LOGICAL)
			.withWritePolicy(WritePolicy.READ_ONLY)
			.withStateDirectory(this.temp);
		assertThat(options).isEqualTo(new LocalFilesOptions(PathPolicy.LOGICAL, WritePolicy.READ_ONLY, this.temp));
	}

	@Nested
	class Locating {

		@Test
		void locateFindsHostPathsInEveryRootAndThroughLinks() throws IOException {
			Path added = Files.createDirectories(temp.resolve("added/inner"));
			Path alias = TestWorkspaces.link(temp.resolve("alias"), root);
			WorkspaceFiles files = TestWorkspaces.open(PathPolicy.ROOTS, alias, added.getParent());
			assertThat(files.locate(alias)).isEqualTo(files.root());
			assertThat(files.locate(root.resolve("sub/../x"))).isEqualTo(new WorkspacePath(alias, "x"));
			assertThat(files.locate(added)).isEqualTo(new WorkspacePath(added.getParent(), "inner"));
		}

		@ParameterizedTest
		@EnumSource
		void locateReturnsNullOutsideTheRootsUnderAnyPolicy(PathPolicy policy) {
			WorkspaceFiles files = TestWorkspaces.open(policy, root);
			assertThat(files.locate(root.resolve("../elsewhere"))).isNull();
			assertThat(files.locate(Path.of("/"))).isNull();
			assertThat(files.locate(root.resolve("a\nb"))).isNull();
			assertThat(files.locate(root.resolve("sub"))).isEqualTo(new WorkspacePath(root, "sub"));
		}

	}

	@Nested
	class StateDirectory {

		@ParameterizedTest
		@EnumSource
		void stateDirectoryInsideARootIsHidden(PathPolicy policy) throws IOException {
			Path state = TestWorkspaces.file(root.resolve("sub/state/journal"), "own").getParent();
			TestWorkspaces.file(root.resolve("sub/file"), "x");
			TestWorkspaces.link(root.resolve("link"), "sub/state");
			TestWorkspaces.link(root.resolve("absolute"), state.resolve("journal"));
			TestWorkspaces.link(root.resolve("beside"), "sub/state/../file");
			WorkspaceFiles files = open(policy, state, root);
			for (String path : new String[] { "sub/state", "sub/state/journal", "link", "link/journal", "absolute",
					"beside" }) {
				TestWorkspaces.failure(files.info(new WorkspacePath(root, path)), WorkspaceErrorCode.FILE_NOT_FOUND);
				TestWorkspaces.failure(files.read(new WorkspacePath(root, path), 0, 1),
						WorkspaceErrorCode.FILE_NOT_FOUND);
				TestWorkspaces.failure(files.list(new WorkspacePath(root, path), 1), WorkspaceErrorCode.FILE_NOT_FOUND);
			}
			assertThat(files.list(files.root(), 5).value().entries()).extracting(FileInfo::path)
				.extracting(WorkspacePath::relative)
				.containsExactly("absolute", "beside", "link", "sub", "sub/file");
			assertThat(files.list(new WorkspacePath(root, "sub"), 1).value().omitted()).isZero();
			assertThat(files.getFilePaths().value()).containsExactly("sub/file");
		}

		@Test
		void stateDirectorySpelledThroughALinkIsHidden() throws IOException {
			TestWorkspaces.file(root.resolve("state/journal"), "own");
			Path alias = TestWorkspaces.link(temp.resolve("alias"), root.resolve("state"));
			WorkspaceFiles files = open(PathPolicy.ROOTS, alias, root);
			TestWorkspaces.failure(files.info(new WorkspacePath(root, "state/journal")),
					WorkspaceErrorCode.FILE_NOT_FOUND);
		}

		@Test
		void stateDirectoryCreatedLaterIsHidden() throws IOException {
			WorkspaceFiles files = open(PathPolicy.ROOTS, root.resolve("state"), root);
			TestWorkspaces.file(root.resolve("state/journal"), "own");
			TestWorkspaces.failure(files.info(new WorkspacePath(root, "state/journal")),
					WorkspaceErrorCode.FILE_NOT_FOUND);
			assertThat(files.getFilePaths().value()).isEmpty();
		}

		@Test
		void stateDirectoryMayContainAWorkspace() throws IOException {
			Path inner = TestWorkspaces.file(root.resolve("state/workspaces/1/file"), "x").getParent();
			WorkspaceFiles files = open(PathPolicy.ROOTS, root.resolve("state"), inner, root);
			assertThat(TestWorkspaces.read(files, "file")).isEqualTo("x");
			assertThat(files.list(new WorkspacePath(root, ""), 3).value().entries()).isEmpty();
		}

		@Test
		void stateDirectoryCannotBeARoot() {
			assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> open(PathPolicy.ROOTS, root, root));
		}

		private WorkspaceFiles open(PathPolicy policy, Path state, Path... roots) {
			return new LocalWorkspaceFilesFactory(
					LocalFilesOptions.DEFAULTS.withPathPolicy(policy).withStateDirectory(state))
				.open(TestWorkspaces.of(roots));
		}

	}

	/**
	 * A workspace whose roots grow.
	 */
	static class GrowingWorkspace implements Workspace {

		private final List<Path> roots;

		GrowingWorkspace(List<Path> roots) {
			this.roots = roots;
		}

		@Override
		public String id() {
			return "growing";
		}

		@Override
		public Path root() {
			return this.roots.get(0);
		}

		@Override
		public List<Path> roots() {
			return this.roots;
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.LOCAL;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

	}

}
