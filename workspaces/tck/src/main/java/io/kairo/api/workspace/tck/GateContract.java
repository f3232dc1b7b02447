package io.kairo.api.workspace.tck;

import java.util.List;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceVisitor;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * The accepted paths and the spelling of paths in results.
 */
abstract class GateContract extends ContractPart {

	private static final List<String> PATHS = List.of("", "a", "a.txt", "kb", "kb/foo.md", "kb/deep/bar.md",
			"kb/new/er", "version..draft.md", "..hidden", "...", "a b/c d", " ", "kb/ outer ", " kb /x", "grün/日本",
			"\uD83D\uDE00", "@output/x", "kb/@output/x", "workspace", "workspace/x", "kb/workspace/x", "~", "-rf",
			"%2e%2e", "$HOME", "a:b", "'\"");

	GateContract(WorkspaceFilesContract suite) {
		super(suite);
	}

	private void assertRefused(String argument, WorkspaceErrorCode code) {
		for (WorkspacePath cwd : List.of(root(), path("kb/deep"))) {
			assertThatExceptionOfType(WorkspacePathException.class).as(WorkspacePath.quote(argument))
				.isThrownBy(() -> this.files.resolve(argument, cwd))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(code))
				.withMessageNotContaining("\0");
		}
	}

	@Test
	void dotDenotesRoot() {
		assertThat(root().isRoot()).isTrue();
		assertThat(path(".")).isEqualTo(root());
		assertThat(path("./")).isEqualTo(root());
	}

	@Test
	void relativePathsAreResolvedAgainstWorkingDirectory() {
		WorkspacePath kb = path("kb");
		assertThat(kb.relative()).isEqualTo("kb");
		assertThat(this.files.resolve("deep/bar.md", kb)).isEqualTo(path("kb/deep/bar.md"));
		assertThat(this.files.resolve(".", kb)).isEqualTo(kb);
		assertThat(this.files.resolve("./deep/.//bar.md/", kb)).isEqualTo(path("kb/deep/bar.md"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "version..draft.md", "..hidden", "...", "a..", "kb/..x/y" })
	void namesContainingTwoDotsAreAccepted(String path) {
		assertThat(path(path).relative()).isEqualTo(path);
	}

	@ParameterizedTest
	@ValueSource(strings = { "../x", "kb/../../x", "../../../../x", "kb/../../kb", "./../x" })
	void parentSegmentsBeyondRootAreRefused(String path) {
		assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> path(path))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "\t ", "a\0b", "\0", "kb/a\nb", "a\u007Fb", "a\u0085b", "kb/\u001B[31m", "\u00A0",
			"\u200B", "\uFEFF", " \u200B\uFEFF" })
	void blankPathsAndControlCharactersAreRefused(String path) {
		assertRefused(path, WorkspaceErrorCode.INVALID_PATH);
	}

	@Test
	void tooLongPathIsRefused() {
		assertRefused("n".repeat(300), WorkspaceErrorCode.INVALID_PATH);
		assertRefused("kb/" + "ü".repeat(200), WorkspaceErrorCode.INVALID_PATH);
		assertRefused("d/".repeat(2_100) + "x", WorkspaceErrorCode.INVALID_PATH);
	}

	@Test
	void tooLongPathIsRefusedAfterResolution() {
		WorkspacePath deep = path("d/".repeat(200) + "d");
		assertInvalid(() -> this.files.resolve("e/".repeat(100) + "x", deep));
		WorkspacePath length = path("n".repeat(250) + ("/" + "n".repeat(250)).repeat(13));
		assertInvalid(() -> this.files.resolve("m".repeat(250) + ("/" + "m".repeat(250)).repeat(13), length));
		assertThat(this.files.resolve("x", deep)).isEqualTo(deep.child("x"));
	}

	@Test
	void everyOperationRefusesTooLongOrTooDeepPath() {
		WorkspacePath deep = new WorkspacePath(root().root(), "d/".repeat(256) + "x");
		WorkspacePath length = new WorkspacePath(root().root(), ("n".repeat(250) + "/").repeat(17) + "x");
		for (WorkspacePath path : List.of(deep, length)) {
			assertInvalid(() -> this.files.read(path, 0, 1));
			assertInvalid(() -> this.files.info(path));
			assertInvalid(() -> this.files.list(path, 1));
			assertInvalid(() -> this.files.walk(path, (file) -> WorkspaceVisitor.Next.CONTINUE));
			Changes.ofEveryKind(path, path("b.txt")).forEach((change) -> assertInvalid(() -> this.files.apply(change)));
			Changes.ofEveryKind(path("a.txt"), path)
				.filter((change) -> change.paths().contains(path))
				.forEach((change) -> assertInvalid(() -> this.files.apply(change)));
		}
	}

	private static void assertInvalid(ThrowingCallable call) {
		assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.INVALID_PATH));
	}

	@Test
	@SuppressWarnings("NullAway") // null is tested here
	void resolveRefusesNull() {
		assertThatNullPointerException().isThrownBy(() -> this.files.resolve(null, root()));
		assertThatNullPointerException().isThrownBy(() -> this.files.resolve("a", null));
	}

	@Test
	void displayedPathResolvesToSamePath() {
		for (String relative : PATHS) {
			WorkspacePath path = new WorkspacePath(root().root(), relative);
			for (String from : PATHS) {
				WorkspacePath cwd = new WorkspacePath(root().root(), from);
				assertThat(this.files.resolve(this.files.display(path, cwd), cwd)).as("from '%s'", from)
					.isEqualTo(path);
				assertThat(this.files.resolve(this.files.display(path), cwd)).as("from '%s'", from).isEqualTo(path);
			}
		}
	}

	@Test
	void displayedPathIsRelativeBelowWorkingDirectory() {
		WorkspacePath foo = path("kb/foo.md");
		assertThat(this.files.display(foo, root())).isEqualTo("kb/foo.md");
		assertThat(this.files.display(foo, path("kb"))).isEqualTo("foo.md");
		assertThat(this.files.display(foo, foo)).isEqualTo(".");
		assertThat(this.files.display(foo, path("kb/deep"))).startsWith("/").endsWith("/kb/foo.md");
	}

	@Test
	void displayedPathOfListedEntryIsAcceptedAsArgument() {
		WorkspacePath kb = path("kb");
		List<FileInfo> entries = this.files.list(kb, 9).value().entries();
		assertThat(entries).isNotEmpty().allSatisfy((entry) -> {
			WorkspacePath next = this.files.resolve(this.files.display(entry.path(), kb), kb);
			assertThat(this.files.info(next).value().type()).isEqualTo(entry.type());
		});
	}

	@Test
	void locateReturnsPathsBelowRootOnly() {
		assertThat(this.files.locate(path("kb/foo.md").toPath())).isEqualTo(path("kb/foo.md"));
		assertThat(this.files.locate(root().toPath())).isEqualTo(root());
		assertThat(this.files.locate(foreign("x").toPath())).isNull();
	}

	@Test
	void pathsOfOtherStoresAreRefused() {
		WorkspacePath foreign = foreign("a.txt");
		WorkspaceVisitor visitor = (file) -> WorkspaceVisitor.Next.CONTINUE;
		assertThatIllegalArgumentException().isThrownBy(() -> this.files.resolve("x", foreign));
		assertThatIllegalArgumentException().isThrownBy(() -> this.files.read(foreign, 0, 1));
		assertThatIllegalArgumentException().isThrownBy(() -> this.files.info(foreign));
		assertThatIllegalArgumentException().isThrownBy(() -> this.files.list(foreign, 1));
		assertThatIllegalArgumentException().isThrownBy(() -> this.files.walk(foreign, visitor));
		Changes.ofEveryKind(foreign, foreign("b.txt")).forEach(this::assertForeign);
		Changes.ofEveryKind(path("a.txt"), foreign("b.txt"))
			.filter((change) -> change.paths().contains(foreign("b.txt")))
			.forEach(this::assertForeign);
	}

	private void assertForeign(WorkspaceChange change) {
		assertThatIllegalArgumentException().as(change.toString()).isThrownBy(() -> this.files.apply(change));
	}

}
