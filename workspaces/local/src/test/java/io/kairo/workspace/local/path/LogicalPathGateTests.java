package io.kairo.workspace.local.path;

import java.io.IOException;
import java.nio.file.Files;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.disk.TestWorkspaces;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LogicalPathGate}, through the store that has it.
 */
class LogicalPathGateTests extends GateFixture {

	@Nested
	class UnderRelativeOnly {

		@ParameterizedTest
		@ValueSource(strings = { "/etc/passwd", "/", "//workspace/a", "/workspaces", "\\etc\\passwd", "/workspace/../a",
				"a/..", "a/../b", "a\\..\\b", "..", "./.." })
		void absolutePathsAndParentsAreBlocked(String path) {
			assertRefused(open(PathPolicy.RELATIVE_ONLY), path, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

		@Test
		void hostPathOfTheRootIsBlocked() {
			assertRefused(open(PathPolicy.RELATIVE_ONLY), root + "/a", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

		@Test
		void backslashSeparatesAndWhiteSpaceIsKept() {
			WorkspaceFiles files = open(PathPolicy.RELATIVE_ONLY);
			assertThat(files.resolve("a\\b", files.root()).relative()).isEqualTo("a/b");
			assertThat(files.resolve(" a ", files.root()).relative()).isEqualTo(" a ");
		}

		@Test
		void rootMayBeSpelledAsInCommands() {
			WorkspaceFiles files = open(PathPolicy.RELATIVE_ONLY);
			WorkspacePath cwd = files.resolve("deep/down", files.root());
			assertThat(files.resolve("/workspace", cwd)).isEqualTo(files.root());
			assertThat(files.resolve("/workspace/", cwd)).isEqualTo(files.root());
			assertThat(files.resolve("/workspace/a/b", cwd).relative()).isEqualTo("a/b");
			assertThat(files.resolve("\\workspace\\a", cwd).relative()).isEqualTo("a");
			assertThat(files.resolve("/workspace/workspace", cwd).relative()).isEqualTo("workspace");
			assertThat(files.display(files.resolve("/workspace/a/b", cwd), cwd)).isEqualTo("/workspace/a/b");
			assertThat(files.display(files.root(), cwd)).isEqualTo("/workspace");
		}

		@Test
		void messagesDoNotContainHostPaths() {
			WorkspaceFiles files = open(PathPolicy.RELATIVE_ONLY);
			assertThat(assertRefused(files, "../x", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED).getMessage())
				.doesNotContain(temp.toString());
			assertThat(files.read(files.resolve("x", files.root()), 0, 1).toString()).doesNotContain(temp.toString());
		}

	}

	@Nested
	class UnderLogical {

		@ParameterizedTest
		@CsvSource(ignoreLeadingAndTrailingWhitespace = false, textBlock = """
				kb/foo.md
				./kb/foo.md
				kb//foo.md
				/kb/foo.md
				kb/foo.md/
				//kb//foo.md//
				kb\\foo.md
				 kb/foo.md\s
				/workspace/kb/foo.md
				""")
		void spellingsOfAFileResolveToOnePath(String spelling) {
			WorkspaceFiles files = open(PathPolicy.LOGICAL);
			assertThat(files.resolve(spelling, files.root()).relative()).isEqualTo("kb/foo.md");
		}

		@Test
		void leadingSlashDenotesTheRoot() {
			WorkspaceFiles files = open(PathPolicy.LOGICAL);
			WorkspacePath cwd = files.resolve("deep/down", files.root());
			assertThat(files.resolve("/a", cwd).relative()).isEqualTo("a");
			assertThat(files.resolve("/", cwd)).isEqualTo(files.root());
			assertThat(files.resolve(root + "/a", cwd).relative()).isEqualTo(root.toString().substring(1) + "/a");
			assertThat(files.display(files.resolve("/a/b", cwd), cwd)).isEqualTo("/a/b");
			assertThat(files.display(files.root(), cwd)).isEqualTo("/");
		}

		@ParameterizedTest
		@ValueSource(strings = { "kb/../foo.md", "..", "kb\\..\\foo.md", "/..", "/workspace/..", " .. " })
		void parentsAreBlocked(String path) {
			assertRefused(open(PathPolicy.LOGICAL), path, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

		@Test
		void directoryNamedWorkspaceIsDisplayedInFull() {
			WorkspaceFiles files = open(PathPolicy.LOGICAL);
			WorkspacePath cwd = files.resolve("a", files.root());
			WorkspacePath path = new WorkspacePath(root, "workspace/b");
			assertThat(files.resolve("workspace/b", files.root())).isEqualTo(path);
			assertThat(files.display(path, cwd)).isEqualTo("/workspace/workspace/b");
			assertThat(files.resolve("/workspace/workspace/b", cwd)).isEqualTo(path);
		}

		@Test
		void namesWithOuterWhiteSpaceAreDisplayedSafely() {
			WorkspaceFiles files = open(PathPolicy.LOGICAL);
			for (String name : new String[] { " a", "a ", " ", "x/ b ", "\u2003c\u2003" }) {
				WorkspacePath path = new WorkspacePath(root, name);
				assertThat(files.resolve(files.display(path, files.root()), files.root())).isEqualTo(path);
				WorkspacePath cwd = files.resolve("elsewhere", files.root());
				assertThat(files.resolve(files.display(path, cwd), cwd)).isEqualTo(path);
			}
		}

		@Test
		void namesWithoutSpellingAreCountedAndNotListed() throws IOException {
			TestWorkspaces.file(root.resolve("a\\b"), "x");
			TestWorkspaces.file(root.resolve("c"), "x");
			WorkspaceFiles files = open(PathPolicy.LOGICAL);
			assertThat(files.list(files.root(), 1).value().entries()).singleElement()
				.satisfies((entry) -> assertThat(entry.path().relative()).isEqualTo("c"));
			assertThat(files.list(files.root(), 1).value().omitted()).isOne();
			assertThat(Files.exists(root.resolve("a\\b"))).isTrue();
		}

		@Test
		void onlyThePrimaryRootHasAName() {
			WorkspaceFiles files = TestWorkspaces.open(PathPolicy.LOGICAL, root, added);
			assertRefused(files, "a", new WorkspacePath(added, ""), WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

	}

}
