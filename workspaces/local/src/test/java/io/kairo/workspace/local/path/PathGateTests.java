package io.kairo.workspace.local.path;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.workspace.local.PathPolicy;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link PathGate}, through the store that has it.
 */
class PathGateTests extends GateFixture {

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
		void dotDenotesTheRoot(PathPolicy policy) {
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
		void malformedPathsAreInvalid(PathPolicy policy) {
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
		void nullThrowsNullPointerException(PathPolicy policy) {
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
		void displayKeepsNamesThatToolsReserve(PathPolicy policy) {
			WorkspaceFiles files = open(policy);
			WorkspacePath path = files.resolve("./@output/1", files.root());
			assertThat(files.display(path, files.root())).isEqualTo("@output/1");
			assertThat(files.resolve("@output/1", files.root())).isEqualTo(path);
			assertThat(files.display(path, path.parent())).isEqualTo("1");
		}

		@ParameterizedTest
		@EnumSource
		void parentsCannotLeaveTheRoot(PathPolicy policy) {
			WorkspaceFiles files = open(policy);
			for (String path : new String[] { "..", "../x", "a/../../x", "../../../../../../etc/passwd" }) {
				assertThat(assertRefused(files, path, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED).getMessage())
					.contains("'" + path + "'");
			}
		}

	}

}
