package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link PathGate}, through the store that has it.
 */
class PathGateTests {

	@TempDir
	Path temp;

	Path root;

	Path added;

	Path nested;

	@BeforeEach
	void createRoots() throws IOException {
		this.temp = this.temp.toRealPath();
		this.root = TestWorkspaces.directory(this.temp.resolve("primary"));
		this.added = TestWorkspaces.directory(this.temp.resolve("added"));
		this.nested = TestWorkspaces.directory(this.added.resolve("in/nested"));
	}

	WorkspaceFiles open(PathPolicy policy) {
		return policy.hidesHost() ? TestWorkspaces.open(policy, this.root)
				: TestWorkspaces.open(policy, this.root, this.added, this.nested);
	}

	static WorkspacePathException assertRefused(WorkspaceFiles files, String argument, WorkspaceErrorCode code) {
		return assertRefused(files, argument, files.root(), code);
	}

	static WorkspacePathException assertRefused(WorkspaceFiles files, String argument, WorkspacePath cwd,
			WorkspaceErrorCode code) {
		WorkspacePathException thrown = assertThatExceptionOfType(WorkspacePathException.class)
			.isThrownBy(() -> files.resolve(argument, cwd))
			.actual();
		assertThat(thrown.code()).as(thrown.getMessage()).isEqualTo(code);
		return thrown;
	}

	@Nested
	class UnderEveryPolicy {

		@ParameterizedTest
		@EnumSource
		void namesWithDotsAndTildesAreOrdinary(PathPolicy policy) {
			WorkspaceFiles files = open(policy);
			for (String name : new String[] { "version..draft.md", "..hidden", "...", "a..", "~", "~root", "-rf", "C:",
					"ünïcödé", "日本", "😀" }) {
				assertThat(files.resolve(name, files.root()).relative()).isEqualTo(name);
				assertThat(files.resolve("sub/" + name, files.root()).relative()).isEqualTo("sub/" + name);
			}
		}

		@ParameterizedTest
		@EnumSource
		void trailingAndDoubledSlashesAndDotsAreDropped(PathPolicy policy) {
			WorkspaceFiles files = open(policy);
			for (String spelling : new String[] { "kb/foo.md", "./kb/foo.md", "kb//foo.md", "kb/./foo.md", "kb/foo.md/",
					"kb//foo.md//", "kb/foo.md/." }) {
				assertThat(files.resolve(spelling, files.root()).relative()).isEqualTo("kb/foo.md");
			}
		}

		@ParameterizedTest
		@EnumSource
		void theRootIsNamedByADot(PathPolicy policy) {
			WorkspaceFiles files = open(policy);
			assertThat(files.resolve(".", files.root())).isEqualTo(files.root());
			assertThat(files.resolve("./", files.root())).isEqualTo(files.root());
			assertThat(files.display(files.root(), files.root())).isEqualTo(".");
		}

		@ParameterizedTest
		@EnumSource
		void relativePathsStartFromTheCurrentDirectory(PathPolicy policy) {
			WorkspaceFiles files = open(policy);
			WorkspacePath cwd = files.resolve("a/b", files.root());
			assertThat(files.resolve("c", cwd).relative()).isEqualTo("a/b/c");
			assertThat(files.resolve(".", cwd)).isEqualTo(cwd);
			assertThat(files.display(files.resolve("c", cwd), cwd)).isEqualTo("c");
		}

		@ParameterizedTest
		@EnumSource
		void pathsThatCannotBePathsAreInvalid(PathPolicy policy) {
			WorkspaceFiles files = open(policy);
			for (String bad : new String[] { "", " ", "\t", "a\0b", "a/\u0007/b", "a\nb", "a\u0085b", "x".repeat(256),
					"a/" + "ü".repeat(128), "a/".repeat(2100), "half\ud83d" }) {
				WorkspacePathException thrown = assertRefused(files, bad, WorkspaceErrorCode.INVALID_PATH);
				assertThat(thrown.getMessage()).doesNotContain("\0", "\n").hasSizeLessThan(500);
			}
			assertThat(files.resolve("x".repeat(255), files.root()).relative()).hasSize(255);
		}

		@ParameterizedTest
		@EnumSource
		void nullIsAProgrammingError(PathPolicy policy) {
			WorkspaceFiles files = open(policy);
			assertThatNullPointerException().isThrownBy(() -> files.resolve(null, files.root()));
			assertThatNullPointerException().isThrownBy(() -> files.resolve("a", null));
		}

		@ParameterizedTest
		@EnumSource
		void pathsOfAnotherWorkspaceAreRefused(PathPolicy policy) {
			WorkspaceFiles files = open(policy);
			WorkspacePath foreign = new WorkspacePath(temp.resolve("foreign"), "a");
			assertThat(assertRefused(files, "a", foreign, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED).getMessage())
				.doesNotContain("foreign");
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> files.display(foreign, files.root()));
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> files.read(foreign, 0, 1));
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> files.info(foreign));
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> files.list(foreign, 1));
		}

		@ParameterizedTest
		@EnumSource
		void pathsUnderOutputAreKeptApartFromTheOutputPlace(PathPolicy policy) {
			WorkspaceFiles files = open(policy);
			WorkspacePath path = files.resolve("./@output/1", files.root());
			assertThat(files.display(path, files.root())).isEqualTo("./@output/1");
			assertThat(files.display(path, path.parent())).isEqualTo("1");
		}

		@ParameterizedTest
		@EnumSource
		void parentsLeadOutOfNothing(PathPolicy policy) {
			WorkspaceFiles files = open(policy);
			for (String path : new String[] { "..", "../x", "a/../../x", "../../../../../../etc/passwd" }) {
				assertThat(assertRefused(files, path, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED).getMessage())
					.contains("'" + path + "'");
			}
		}

	}

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
		void aPathBelongsToTheLongestRoot() {
			WorkspaceFiles files = open(PathPolicy.ROOTS);
			assertThat(files.resolve(added + "/in/nested/a", files.root())).isEqualTo(new WorkspacePath(nested, "a"));
			assertThat(files.resolve(added + "/in/nestedish", files.root()))
				.isEqualTo(new WorkspacePath(added, "in/nestedish"));
		}

		@Test
		void parentsAreAllowedWhileTheyStayInside() {
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
		void aBackslashIsPartOfAName() {
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
		void aRootBehindALinkHasBothSpellings() throws IOException {
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
		void whatIsNotBelowTheCurrentDirectoryIsShownAbsolute() {
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
		void relativePathsOfACurrentDirectoryOutsideMustStayBelowIt() {
			WorkspaceFiles files = open(PathPolicy.HOST);
			WorkspacePath cwd = files.resolve("/etc", files.root());
			assertThat(files.resolve("passwd", cwd)).isEqualTo(files.resolve("/etc/passwd", cwd));
			assertRefused(files, "../etcetera", cwd, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

	}

	@Nested
	class UnderRelativeOnly {

		@ParameterizedTest
		@ValueSource(strings = { "/etc/passwd", "/", "//workspace/a", "/workspaces", "\\etc\\passwd", "/workspace/../a",
				"a/..", "a/../b", "a\\..\\b", "..", "./.." })
		void absolutePathsAndParentsAreBlocked(String path) {
			assertRefused(open(PathPolicy.RELATIVE_ONLY), path, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

		@Test
		void theHostPathOfTheRootIsBlockedToo() {
			assertRefused(open(PathPolicy.RELATIVE_ONLY), root + "/a", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

		@Test
		void aBackslashSeparatesAndWhiteSpaceIsKept() {
			WorkspaceFiles files = open(PathPolicy.RELATIVE_ONLY);
			assertThat(files.resolve("a\\b", files.root()).relative()).isEqualTo("a/b");
			assertThat(files.resolve(" a ", files.root()).relative()).isEqualTo(" a ");
		}

		@Test
		void theRootMayBeSpelledAsCommandsSeeIt() {
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
		void noMessageNamesTheHost() {
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
		void spellingsOfOneFileAreOnePath(String spelling) {
			WorkspaceFiles files = open(PathPolicy.LOGICAL);
			assertThat(files.resolve(spelling, files.root()).relative()).isEqualTo("kb/foo.md");
		}

		@Test
		void aLeadingSlashIsTheRoot() {
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
		void aDirectoryNamedLikeTheRootOfCommandsIsSpelledInFull() {
			WorkspaceFiles files = open(PathPolicy.LOGICAL);
			WorkspacePath cwd = files.resolve("a", files.root());
			WorkspacePath path = new WorkspacePath(root, "workspace/b");
			assertThat(files.resolve("workspace/b", files.root())).isEqualTo(path);
			assertThat(files.display(path, cwd)).isEqualTo("/workspace/workspace/b");
			assertThat(files.resolve("/workspace/workspace/b", cwd)).isEqualTo(path);
		}

		@Test
		void namesWithOuterWhiteSpaceAreGuarded() {
			WorkspaceFiles files = open(PathPolicy.LOGICAL);
			for (String name : new String[] { " a", "a ", " ", "x/ b ", "\u2003c\u2003" }) {
				WorkspacePath path = new WorkspacePath(root, name);
				assertThat(files.resolve(files.display(path, files.root()), files.root())).isEqualTo(path);
				WorkspacePath cwd = files.resolve("elsewhere", files.root());
				assertThat(files.resolve(files.display(path, cwd), cwd)).isEqualTo(path);
			}
		}

		@Test
		void namesThatHaveNoSpellingAreCountedAndNotListed() throws IOException {
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
