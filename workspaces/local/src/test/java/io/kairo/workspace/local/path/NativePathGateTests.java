package io.kairo.workspace.local.path;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.disk.TestWorkspaces;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NativePathGate}, through the store that has it.
 */
class NativePathGateTests extends GateFixture {

	@Nested
	class UnderRoots {

		@Test
		void absolutePathsAreAllowedInsideAnyRoot() {
			WorkspaceFiles files = open(PathPolicy.ROOTS);
			assertThat(files.resolve(root + "/a/b", files.root())).isEqualTo(new WorkspacePath(root, "a/b"));
			assertThat(files.resolve(added + "/a", files.root())).isEqualTo(new WorkspacePath(added, "a"));
			assertThat(files.resolve(added.toString(), files.root())).isEqualTo(new WorkspacePath(added, ""));
		}

		@Test
		void pathBelongsToTheLongestRoot() {
			WorkspaceFiles files = open(PathPolicy.ROOTS);
			assertThat(files.resolve(added + "/in/nested/a", files.root())).isEqualTo(new WorkspacePath(nested, "a"));
			assertThat(files.resolve(added + "/in/nestedish", files.root()))
				.isEqualTo(new WorkspacePath(added, "in/nestedish"));
		}

		@Test
		void parentsAreAllowedInsideTheRoots() {
			WorkspaceFiles files = open(PathPolicy.ROOTS);
			assertThat(files.resolve("a/../b", files.root()).relative()).isEqualTo("b");
			assertThat(files.resolve("../added/x", files.root())).isEqualTo(new WorkspacePath(added, "x"));
			assertThat(files.resolve("..", files.resolve("a/b", files.root())).relative()).isEqualTo("a");
		}

		@Test
		void absolutePathsOutsideAreRefusedWithTheRootsAsAdvice() {
			WorkspaceFiles files = open(PathPolicy.ROOTS);
			WorkspacePathException thrown = assertRefused(files, "/etc/passwd",
					WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			assertThat(thrown.getMessage()).contains("'/etc/passwd'", root.toString(), added.toString());
			assertRefused(files, "/", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			assertRefused(files, "/workspace/a", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			assertRefused(files, root + "ish/a", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			assertRefused(files, root + "/../x", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

		@Test
		void backslashIsPartOfAName() {
			WorkspaceFiles files = open(PathPolicy.ROOTS);
			assertThat(files.resolve("a\\b", files.root()).relative()).isEqualTo("a\\b");
			assertThat(files.resolve("..\\b", files.root()).relative()).isEqualTo("..\\b");
			assertRefused(files, "\\".repeat(256), WorkspaceErrorCode.INVALID_PATH);
		}

		@Test
		void outerWhiteSpaceIsPartOfAName() {
			WorkspaceFiles files = open(PathPolicy.ROOTS);
			assertThat(files.resolve(" a ", files.root()).relative()).isEqualTo(" a ");
			WorkspacePath blank = new WorkspacePath(root, " ");
			assertThat(files.resolve(files.display(blank, files.root()), files.root())).isEqualTo(blank);
		}

		@Test
		void rootBehindALinkHasBothSpellings() throws IOException {
			Path alias = TestWorkspaces.link(temp.resolve("alias"), root);
			WorkspaceFiles files = TestWorkspaces.open(PathPolicy.ROOTS, alias);
			WorkspacePath expected = new WorkspacePath(alias, "a");
			assertThat(files.resolve(alias + "/a", files.root())).isEqualTo(expected);
			assertThat(files.resolve(root + "/a", files.root())).isEqualTo(expected);
			assertThat(files.display(expected, files.resolve("b", files.root()))).isEqualTo(alias + "/a");
		}

		@Test
		void twoSpellingsOfOneDirectoryAreOneRoot() throws IOException {
			Path alias = TestWorkspaces.link(temp.resolve("alias"), root);
			WorkspaceFiles files = TestWorkspaces.open(PathPolicy.ROOTS, root, alias);
			assertThat(files.resolve(alias + "/a", files.root())).isEqualTo(new WorkspacePath(root, "a"));
		}

		@Test
		void pathsOutsideTheCurrentDirectoryAreDisplayedAbsolute() {
			WorkspaceFiles files = open(PathPolicy.ROOTS);
			WorkspacePath cwd = files.resolve("a", files.root());
			assertThat(files.display(files.resolve("b", files.root()), cwd)).isEqualTo(root + "/b");
			assertThat(files.display(files.resolve("ab", files.root()), cwd)).isEqualTo(root + "/ab");
			WorkspacePath outer = new WorkspacePath(added, "");
			assertThat(files.display(new WorkspacePath(nested, "x"), outer)).isEqualTo("in/nested/x");
		}

	}

	@Nested
	class UnderHost {

		@Test
		void absolutePathsAreUsedVerbatim() {
			WorkspaceFiles files = open(PathPolicy.HOST);
			assertThat(files.resolve("/etc/passwd", files.root()))
				.isEqualTo(new WorkspacePath(Path.of("/"), "etc/passwd"));
			assertThat(files.resolve("/", files.root())).isEqualTo(new WorkspacePath(Path.of("/"), ""));
			assertThat(files.resolve(nested + "/a", files.root())).isEqualTo(new WorkspacePath(nested, "a"));
		}

		@Test
		void relativePathsMustStayInside() {
			WorkspaceFiles files = open(PathPolicy.HOST);
			assertRefused(files, "../x", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			assertThat(files.resolve("../added/x", files.root()).root()).isEqualTo(added);
		}

		@Test
		void relativePathsMustStayBelowACurrentDirectoryOutsideTheRoots() {
			WorkspaceFiles files = open(PathPolicy.HOST);
			WorkspacePath cwd = files.resolve("/etc", files.root());
			assertThat(files.resolve("passwd", cwd)).isEqualTo(files.resolve("/etc/passwd", cwd));
			assertRefused(files, "../etcetera", cwd, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

	}

}
