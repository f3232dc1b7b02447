package io.kairo.workspace.memory;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.api.workspace.tck.WorkspaceFilesContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link InMemoryWorkspaceFiles}.
 */
class InMemoryWorkspaceFilesTests extends WorkspaceFilesContract {

	private final InMemoryWorkspaceFiles files = new InMemoryWorkspaceFiles();

	@Override
	protected WorkspaceFiles createFiles(WritePolicy policy, Map<String, String> content) {
		InMemoryWorkspaceFiles files = new InMemoryWorkspaceFiles(policy);
		content.forEach(files::seed);
		return files;
	}

	@Override
	protected boolean caseSensitive() {
		return false;
	}

	private WorkspacePath path(String path) {
		return this.files.resolve(path, this.files.root());
	}

	@Nested
	class LogicalGate {

		@ParameterizedTest
		@CsvSource({ "/kb/foo.md, kb/foo.md", "kb\\foo.md, kb/foo.md", "'  kb/foo.md ', kb/foo.md", "/, ''",
				"/workspace, ''", "/workspace/kb, kb", "\\workspace\\kb, kb", "/workspacekb, workspacekb",
				"workspace, workspace", "/workspace/workspace, workspace" })
		void absolutePathsStartAtTheRoot(String argument, String expected) {
			assertThat(path(argument).relative()).isEqualTo(expected);
			WorkspacePath cwd = path("some/dir");
			boolean absolute = argument.startsWith("/") || argument.startsWith("\\");
			assertThat(files.resolve(argument, cwd).relative()).isEqualTo(absolute ? expected : "some/dir/" + expected);
		}

		@ParameterizedTest
		@ValueSource(strings = { "..", "a/..", "a/../b", "/..", "a\\..\\b", "/workspace/.." })
		void parentSegmentsAreRefusedEvenInside(String argument) {
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> path(argument))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED));
		}

		@Test
		void displayedPathsDoNotContainTheHost() {
			assertThat(files.display(path("a/b"))).isEqualTo("/a/b");
			assertThat(files.display(path("a/b"), path("c"))).isEqualTo("/a/b");
			assertThat(files.display(path("a/b"), path("a"))).isEqualTo("b");
			assertThat(files.display(path("workspace/a"), path("c"))).isEqualTo("/workspace/workspace/a");
			assertThat(files.display(files.root())).isEqualTo("/");
		}

	}

	@Nested
	class Spelling {

		@Test
		void spellingIsThatOfTheFirstWrite() {
			files.seed("Docs/ReadMe.md", "one").seed("docs/README.MD", "two").seed("DOCS/other.md", "x");
			assertThat(files.snapshot()).containsOnly(Map.entry("Docs/other.md", "x"),
					Map.entry("Docs/ReadMe.md", "two"));
			assertThat(files.snapshot()).containsKey("docs/readme.MD");
		}

		@Test
		void changesIgnoreCase() {
			files.seed("Docs/a.md", "a");
			WorkspaceChange move = new WorkspaceChange.Move(path("DOCS"), path("new/Docs"));
			assertThat(files.apply(move).value().applied()).isTrue();
			assertThat(files.snapshot()).containsOnlyKeys("new/Docs/a.md");
			assertThat(files.apply(new WorkspaceChange.CreateDirectory(path("NEW/docs"))).value().applied()).isFalse();
			assertThat(files.list(path("NEW"), 2).value().entries()).extracting(FileInfo::path)
				.containsExactly(path("new/Docs"), path("new/Docs/a.md"));
		}

		@Test
		void moveOfDirectoryMayChangeItsCase() {
			files.seed("docs/sub/a.md", "a").seed("docs2/b", "b");
			files.apply(new WorkspaceChange.Move(path("docs"), path("Docs"))).value();
			assertThat(files.snapshot().keySet()).containsExactly("Docs/sub/a.md", "docs2/b");
		}

		@Test
		void copyToItselfInAnotherCaseIsRefused() {
			files.seed("a", "a");
			assertThat(files.apply(new WorkspaceChange.Copy(path("a"), path("A"))).isOk()).isFalse();
		}

	}

	@Nested
	class Tests {

		@Test
		void seedIgnoresTheWritePolicy() {
			InMemoryWorkspaceFiles readOnly = new InMemoryWorkspaceFiles(WritePolicy.READ_ONLY).seed("./a//b", "x");
			assertThat(readOnly.snapshot()).containsExactly(Map.entry("a/b", "x"));
			assertThat(readOnly.tryWriteFile("a/b", "y").isOk()).isFalse();
		}

		@Test
		void seedRefusesImpossiblePaths() {
			files.seed("a/b", "x");
			assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> files.seed("a", "x"));
			assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> files.seed("a/b/c", "x"));
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> files.seed("../c", "x"));
			assertThat(files.snapshot()).containsOnlyKeys("a/b");
		}

		@Test
		void snapshotIsConsistent() {
			Map<String, String> snapshot = files.seed("b", "1").seed("A", "2").snapshot();
			files.tryWriteFile("c", "3");
			assertThat(snapshot.keySet()).containsExactly("A", "b");
		}

		@Test
		void rootHasTheConfiguredName() {
			Path root = new InMemoryWorkspaceFiles(Path.of("some/name"), WritePolicy.ALLOW_ALL).root().root();
			assertThat(root).isEqualTo(Path.of("some/name").toAbsolutePath());
		}

	}

	@Nested
	class Visits {

		@Test
		void walkVisitsFilesAsAtItsStartDuringChanges() {
			files.seed("a", "1").seed("b", "2");
			files.walk(files.root(), (file) -> {
				files.apply(new WorkspaceChange.Delete(file.path())).value();
				files.tryWriteFile("new-" + file.path().name(), "x");
				return WorkspaceVisitor.Next.CONTINUE;
			}).value();
			assertThat(files.snapshot()).containsOnlyKeys("new-a", "new-b");
		}

		@Test
		void entriesAreValidOnlyDuringTheCallback() {
			files.seed("a", "1");
			WorkspaceVisitor.Entry[] kept = new WorkspaceVisitor.Entry[1];
			files.walk(files.root(), (file) -> {
				kept[0] = file;
				return WorkspaceVisitor.Next.CONTINUE;
			}).value();
			assertThatIllegalStateException().isThrownBy(() -> kept[0].read(new byte[1], 0));
		}

	}

	@Test
	void messagesDoNotContainHostPaths() {
		this.files.seed("dir/a", "x");
		List.of(this.files.tryReadFile("missing"), this.files.tryWriteFile("dir", "x"),
				this.files.tryWriteFile("dir/a/b", "x"), this.files.listDirectory("dir/a"))
			.forEach((result) -> assertThat(result.toString()).contains("code=").doesNotContain("/memory"));
	}

}
