package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for finding, reading and listing by {@link NameMatching#CASE_INSENSITIVE}.
 */
class CaseInsensitiveReadingTests extends CaseInsensitiveFixture {

	private static final String NFC = "Caf\u00e9";

	private static final String NFD = Normalizer.normalize(NFC, Normalizer.Form.NFD);

	@Nested
	class Reading {

		@ParameterizedTest
		@ValueSource(strings = { "Src/Main.java", "src/main.java", "SRC/MAIN.JAVA", "sRC/mAIN.jAVA" })
		void readFindsTheOnlyMatchingEntryInAnyCase(String spelling) {
			assertThat(read(spelling)).isEqualTo("main");
			assertThat(files.info(path(spelling)).isOk()).isTrue();
			assertThat(files.fileExists(spelling)).isTrue();
		}

		@Test
		void readPrefersTheExactName() throws IOException {
			TestWorkspaces.file(root.resolve("SRC/Main.java"), "other");
			TestWorkspaces.file(root.resolve("Src/main.java"), "lower");
			assertThat(read("SRC/Main.java")).isEqualTo("other");
			assertThat(read("Src/main.java")).isEqualTo("lower");
			assertThat(read("Src/Main.java")).isEqualTo("main");
		}

		@Test
		void readRefusesAmbiguousName() throws IOException {
			TestWorkspaces.file(root.resolve("SRC/Main.java"), "other");
			TestWorkspaces.file(root.resolve("Src/MAIN.java"), "third");
			for (String path : List.of("src", "src/Main.java", "Src/main.java", "src/missing")) {
				TestWorkspaces.failure(files.read(path(path), 0, 1), WorkspaceErrorCode.AMBIGUOUS_PATH);
			}
			assertThat(TestWorkspaces.failure(files.list(path("src"), 1), WorkspaceErrorCode.AMBIGUOUS_PATH).message())
				.contains("'SRC', 'Src'")
				.doesNotContain("Main");
		}

		@Test
		void messageNamesOnlyAFewCandidates() throws IOException {
			for (String name : List.of("abc", "Abc", "aBc", "abC", "ABc")) {
				TestWorkspaces.file(root.resolve(name), name);
			}
			assertThat(
					TestWorkspaces.failure(files.read(path("ABC"), 0, 1), WorkspaceErrorCode.AMBIGUOUS_PATH).message())
				.contains("'ABc', 'Abc', 'aBc' and others")
				.doesNotContain("'abc'");
		}

		@Test
		void readDoesNotFindMissingEntry() {
			for (String path : List.of("srcs", "sr", "Src/Main.jav", "src/none")) {
				TestWorkspaces.failure(files.read(path(path), 0, 1), WorkspaceErrorCode.FILE_NOT_FOUND);
			}
			TestWorkspaces.failure(files.read(path("src/main.java/x"), 0, 1), WorkspaceErrorCode.NOT_A_DIRECTORY);
		}

		@Test
		void namesAreFoldedCharacterByCharacterInEveryScript() throws IOException {
			TestWorkspaces.file(root.resolve("\u00c4\u0394\u0416"), "letters");
			TestWorkspaces.file(root.resolve("stra\u00dfe"), "sharp");
			assertThat(read("\u00e4\u03b4\u0436")).isEqualTo("letters");
			assertThat(read("STRA\u1e9eE")).isEqualTo("sharp");
			TestWorkspaces.failure(files.read(path("STRASSE"), 0, 1), WorkspaceErrorCode.FILE_NOT_FOUND);
		}

		@Test
		void composedAndDecomposedNamesMatch() throws IOException {
			TestWorkspaces.file(root.resolve(NFD), "decomposed");
			assertThat(read(NFC)).isEqualTo("decomposed");
			assertThat(read("CAF\u00c9")).isEqualTo("decomposed");
			TestWorkspaces.file(root.resolve(NFC), "composed");
			assertThat(read(NFC)).isEqualTo("composed");
			assertThat(read(NFD)).isEqualTo("decomposed");
			TestWorkspaces.failure(files.read(path("CAF\u00c9"), 0, 1), WorkspaceErrorCode.AMBIGUOUS_PATH);
		}

		@Test
		void linksInAnotherSpellingAreFollowedInsideTheRoots() throws IOException {
			TestWorkspaces.file(temp.resolve("outside/secret"), "outside");
			TestWorkspaces.link(root.resolve("Link"), "SRC/main.JAVA");
			TestWorkspaces.link(root.resolve("Out"), temp.resolve("outside"));
			TestWorkspaces.link(root.resolve("Loop"), "LOOP");
			assertThat(read("LINK")).isEqualTo("main");
			for (String path : List.of("OUT/secret", "out/SECRET", "out")) {
				TestWorkspaces.failure(files.read(path(path), 0, 1), WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			}
			TestWorkspaces.failure(files.read(path("loop"), 0, 1), WorkspaceErrorCode.READ_FAILED);
		}

		@Test
		void readAndWriteWorkWithoutDirectoryHandles() {
			files = open(WritePolicy.ALLOW_ALL, DirectoryOpener.checked());
			assertThat(read("SRC/MAIN.JAVA")).isEqualTo("main");
			write("SRC/MAIN.JAVA", "new");
			assertThat(root.resolve("Src/Main.java")).hasContent("new");
		}

		@Test
		void stateDirectoryIsHiddenInAnyCase() throws IOException {
			Path state = TestWorkspaces.file(root.resolve("State/own"), "kept").getParent();
			files = new LocalWorkspaceFilesFactory(
					LocalFilesOptions.DEFAULTS.withNameMatching(NameMatching.CASE_INSENSITIVE)
						.withStateDirectory(state))
				.open(TestWorkspaces.of(root));
			for (String path : List.of("State/own", "state/own", "STATE/OWN")) {
				TestWorkspaces.failure(files.read(path(path), 0, 1), WorkspaceErrorCode.FILE_NOT_FOUND);
			}
			assertThat(files.apply(new Write(path("State/own"), bytes("x"))).isOk()).isFalse();
			assertThat(files.apply(new Write(path("STATE/own"), bytes("x"))).isOk()).isTrue();
			assertThat(root.resolve("State/own")).hasContent("kept");
		}

	}

	@Nested
	class Listing {

		@Test
		void listingShowsNamesAsOnDisk() throws IOException {
			TestWorkspaces.file(root.resolve("Src/Sub/File"), "x");
			assertThat(files.list(path("sRC"), 2).value().entries()).extracting(FileInfo::path)
				.containsExactly(path("Src/Main.java"), path("Src/Sub"), path("Src/Sub/File"));
		}

		@Test
		void listingThroughLinkKeepsTheNameOfTheLink() throws IOException {
			TestWorkspaces.link(root.resolve("link"), "Src");
			assertThat(files.list(path("LINK"), 1).value().entries()).extracting(FileInfo::path)
				.containsExactly(path("LINK/Main.java"));
		}

		@Test
		void walkVisitsNamesAsOnDiskThatResolveAgain() {
			List<WorkspacePath> visited = new ArrayList<>();
			files.walk(path("SRC"), new WorkspaceVisitor() {

				@Override
				public Next directory(WorkspacePath directory) {
					visited.add(directory);
					return Next.CONTINUE;
				}

				@Override
				public Next file(Entry entry) {
					visited.add(entry.path());
					return Next.CONTINUE;
				}

			}).value();
			assertThat(visited).containsExactly(path("Src"), path("Src/Main.java"));
			assertThat(read(files.display(visited.get(1), files.root()))).isEqualTo("main");
		}

	}

}
