package io.kairo.api.workspace;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for the default methods of {@link WorkspaceFiles}.
 */
class WorkspaceFilesTests {

	private final MapWorkspaceFiles files = new MapWorkspaceFiles();

	private static void assertFailed(WorkspaceResult<?> result, WorkspaceErrorCode code) {
		assertThat(result).isInstanceOfSatisfying(WorkspaceResult.Failure.class,
				(failure) -> assertThat(failure.code()).isEqualTo(code));
	}

	static Stream<BiConsumer<WorkspaceFiles, String>> fileOperations() {
		return Stream.of(WorkspaceFiles::tryReadFile, WorkspaceFiles::tryReadBytes, WorkspaceFiles::fileExists,
				(files, path) -> files.tryWriteFile(path, "text"),
				(files, path) -> files.tryCompareExchange(path, "old", "new"));
	}

	@Nested
	class BadPaths {

		@ParameterizedTest
		@MethodSource("io.kairo.api.workspace.WorkspaceFilesTests#fileOperations")
		void badPathsThrowInEveryFileOperation(BiConsumer<WorkspaceFiles, String> operation) {
			WorkspaceFiles files = WorkspaceFilesTests.this.files;
			assertThatNullPointerException().isThrownBy(() -> operation.accept(files, null));
			for (String bad : List.of("", " ", "/", "//", ".", "./", "/./", "kb/../foo.md", "a\0b")) {
				assertThatExceptionOfType(WorkspacePathException.class).as(bad)
					.isThrownBy(() -> operation.accept(files, bad));
			}
			assertThat(WorkspaceFilesTests.this.files.changes()).isEmpty();
		}

		@Test
		void badPathsThrowWhenListing() {
			WorkspaceFiles files = WorkspaceFilesTests.this.files;
			assertThatNullPointerException().isThrownBy(() -> files.listDirectory(null));
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> files.listDirectory("kb/.."));
		}

	}

	@Nested
	class Reading {

		@ParameterizedTest
		@ValueSource(strings = { "kb/foo.md", "./kb/foo.md", "/kb//foo.md/", "kb\\foo.md", " kb/foo.md " })
		void readFindsTheFileUnderEverySpelling(String spelling) {
			WorkspaceFiles files = WorkspaceFilesTests.this.files.with("kb/foo.md", "text");
			assertThat(files.tryReadFile(spelling).value()).isEqualTo(new ReadFileResult("text", "kb/foo.md"));
			assertThat(files.fileExists(spelling)).isTrue();
		}

		@Test
		void actualPathIsValidAsTheNextArgument() {
			WorkspaceFiles files = WorkspaceFilesTests.this.files.with("kb/foo.md", "text");
			String actualPath = files.tryReadFile("/kb/./foo.md").value().actualPath();
			assertThat(files.tryReadFile(actualPath).value().actualPath()).isEqualTo(actualPath);
		}

		@Test
		void readKeepsEveryCharacter() {
			String text = "\uFEFFa\r\n\0ünï 日本 \uD83D\uDE00\n";
			WorkspaceFiles files = WorkspaceFilesTests.this.files.with("a", text);
			assertThat(files.tryReadFile("a").value().content()).isEqualTo(text);
		}

		@Test
		void readOfMissingFileIsAFailure() {
			assertFailed(WorkspaceFilesTests.this.files.tryReadFile("a"), WorkspaceErrorCode.FILE_NOT_FOUND);
			assertFailed(WorkspaceFilesTests.this.files.tryReadBytes("a"), WorkspaceErrorCode.FILE_NOT_FOUND);
		}

		@Test
		void readRefusesBytesThatAreNotUtf8() {
			byte[] latin1 = "grün".getBytes(StandardCharsets.ISO_8859_1);
			WorkspaceFiles files = WorkspaceFilesTests.this.files.with("a", latin1);
			assertFailed(files.tryReadFile("a"), WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
			assertThat(files.tryReadBytes("a").value()).isEqualTo(latin1);
		}

		@Test
		void readRefusesFileAboveTheMaximumSize() {
			WorkspaceFiles files = WorkspaceFilesTests.this.files.with("a", "text")
				.claiming(WorkspaceFiles.MAX_TEXT_SIZE + 1L);
			assertFailed(files.tryReadFile("a"), WorkspaceErrorCode.TOO_LARGE);
			assertFailed(files.tryReadBytes("a"), WorkspaceErrorCode.TOO_LARGE);
		}

		@Test
		void readReportsFileThatGrewMeanwhile() {
			WorkspaceFiles files = WorkspaceFilesTests.this.files.with("a", "text").claiming(100);
			assertFailed(files.tryReadFile("a"), WorkspaceErrorCode.TOO_LARGE);
		}

	}

	@Nested
	class Existence {

		@Test
		void fileExistsOnlyForRegularFile() {
			WorkspaceFiles files = WorkspaceFilesTests.this.files.with("kb/foo.md", "text");
			assertThat(files.fileExists("KB/FOO.MD")).isTrue();
			assertThat(files.fileExists("kb")).isFalse();
			assertThat(files.fileExists("kb/bar.md")).isFalse();
		}

	}

	@Nested
	class Writing {

		@Test
		void writeAppliesOneChangeWithUtf8() {
			MapWorkspaceFiles files = WorkspaceFilesTests.this.files;
			assertThat(files.tryWriteFile("/kb//foo.md", "grün").value()).isEqualTo(new WriteFileResult("kb/foo.md"));
			assertThat(files.changes()).singleElement().isInstanceOfSatisfying(WorkspaceChange.Write.class, (write) -> {
				assertThat(write.path().relative()).isEqualTo("kb/foo.md");
				assertThat(write.content()).isEqualTo("grün".getBytes(StandardCharsets.UTF_8));
				assertThat(write.expectedVersion()).isNull();
			});
		}

		@Test
		void writtenTextIsRead() {
			MapWorkspaceFiles files = WorkspaceFilesTests.this.files;
			files.tryWriteFile("kb/foo.md", "one");
			files.tryWriteFile(".\\KB\\Foo.md", "two");
			assertThat(files.tryReadFile("kb/foo.md").value().content()).isEqualTo("two");
			assertThat(files.getFilePaths().value()).containsExactly("kb/foo.md");
		}

		@Test
		void stringMethodsCannotBypassADecoratorThatOverridesOnlyApply() {
			WorkspaceFiles files = new ReadOnlyFiles();
			assertFailed(files.tryWriteFile("a", "text"), WorkspaceErrorCode.READ_ONLY);
			assertFailed(files.tryCompareExchange("a", "old", "new"), WorkspaceErrorCode.READ_ONLY);
		}

	}

	@Nested
	class CompareExchange {

		@Test
		void compareExchangeReplacesTheExpectedText() {
			MapWorkspaceFiles files = WorkspaceFilesTests.this.files.with("a", "old");
			assertThat(files.tryCompareExchange("./a", "old", "new").value())
				.isEqualTo(new CompareExchangeResult(true, "a", null));
			assertThat(files.tryReadFile("a").value().content()).isEqualTo("new");
		}

		@Test
		void compareExchangeOfAnotherTextSucceedsWithAReason() {
			MapWorkspaceFiles files = WorkspaceFilesTests.this.files.with("a", "other");
			CompareExchangeResult result = files.tryCompareExchange("a", "old", "new").value();
			assertThat(result.exchanged()).isFalse();
			assertThat(result.actualPath()).isEqualTo("a");
			assertThat(result.reason()).contains("'a'");
			assertThat(files.tryReadFile("a").value().content()).isEqualTo("other");
		}

		@Test
		void compareExchangeFailsForMissingFile() {
			assertFailed(WorkspaceFilesTests.this.files.tryCompareExchange("a", "old", "new"),
					WorkspaceErrorCode.FILE_NOT_FOUND);
		}

	}

	@Nested
	class Listing {

		private final MapWorkspaceFiles files = new MapWorkspaceFiles().with("a", "")
			.with("kb/b", "")
			.with("kb/x/c", "")
			.with("kb/x/y/d", "");

		@ParameterizedTest
		@ValueSource(strings = { "", " ", ".", "/", "./", "//", "/./" })
		void rootEquivalentsDenoteTheRoot(String root) {
			FileListing listing = this.files.listDirectory(root).value();
			assertThat(listing.directory()).isEqualTo(this.files.root());
			assertThat(listing.entries()).extracting((entry) -> entry.path().relative()).containsExactly("a", "kb/b");
		}

		@Test
		void listDirectoryHasADefaultDepthOfTwo() {
			assertThat(this.files.listDirectory("kb").value().entries()).extracting((entry) -> entry.path().relative())
				.containsExactly("kb/b", "kb/x/c");
			assertThat(this.files.listDirectory("kb", 3).value().entries()).hasSize(3);
		}

	}

	@Nested
	class Paths {

		@Test
		void filePathsAreInTheOrderOfTheComparator() {
			WorkspaceFiles files = WorkspaceFilesTests.this.files.with("b", "").with("A", "").with("c/d", "");
			assertThat(files.getFilePaths().value()).containsExactly("A", "b", "c/d");
		}

		@Test
		void filePathsOfAnEmptyWorkspaceAreEmpty() {
			assertThat(WorkspaceFilesTests.this.files.getFilePaths().value()).isEmpty();
		}

	}

	@Nested
	class Display {

		private final WorkspaceFiles files = WorkspaceFilesTests.this.files;

		private WorkspacePath path(String relative) {
			return new WorkspacePath(this.files.root().root(), relative);
		}

		@Test
		void displayIsRelativeBelowTheCurrentDirectory() {
			assertThat(this.files.display(path("kb/foo.md"), path(""))).isEqualTo("kb/foo.md");
			assertThat(this.files.display(path("kb/foo.md"), path("kb"))).isEqualTo("foo.md");
		}

		@Test
		void displayOfTheCurrentDirectoryIsADot() {
			assertThat(this.files.display(path("kb"), path("kb"))).isEqualTo(".");
			assertThat(this.files.display(path(""), path(""))).isEqualTo(".");
		}

		@Test
		void displayIsAbsoluteOutsideTheCurrentDirectory() {
			assertThat(this.files.display(path("kb/foo.md"), path("src"))).isEqualTo("/project/kb/foo.md");
			assertThat(this.files.display(path("kbx"), path("kb"))).isEqualTo("/project/kbx");
			assertThat(this.files.display(path("kb/foo.md"))).isEqualTo("/project/kb/foo.md");
		}

	}

	@Nested
	class Locating {

		private final WorkspaceFiles files = WorkspaceFilesTests.this.files;

		@ParameterizedTest
		@CsvSource({ "/project, ''", "/project/kb, kb", "/project/kb/../src/x, src/x", "/other/../project/kb, kb" })
		void locateFindsPathsBelowTheRoot(Path hostPath, String relative) {
			assertThat(this.files.locate(hostPath)).isEqualTo(new WorkspacePath(Path.of("/project"), relative));
		}

		@ParameterizedTest
		@ValueSource(strings = { "/", "/other", "/projects", "/project/..", "/project/../other", "kb" })
		void locateReturnsNullOutside(Path hostPath) {
			assertThat(this.files.locate(hostPath)).isNull();
		}

		@Test
		void locateReturnsNullForNameThatCannotBeInAPath() {
			assertThat(this.files.locate(Path.of("/project/a\nb"))).isNull();
		}

	}

	private static final class ReadOnlyFiles extends MapWorkspaceFiles {

		@Override
		public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
			return WorkspaceResult.failure(WorkspaceErrorCode.READ_ONLY, "This workspace is read-only");
		}

	}

}
