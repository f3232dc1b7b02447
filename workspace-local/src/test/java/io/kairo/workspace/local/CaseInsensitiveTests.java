package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Batch;
import io.kairo.api.workspace.WorkspaceChange.CreateDirectory;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Depth;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceChange.Overwrite;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WritePolicy;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NameMatching#CASE_INSENSITIVE} on a file system that knows case.
 */
class CaseInsensitiveTests {

	private static final String NFC = "Caf\u00e9";

	private static final String NFD = Normalizer.normalize(NFC, Normalizer.Form.NFD);

	@TempDir
	Path temp;

	Path root;

	WorkspaceFiles files;

	@BeforeEach
	void openFiles() throws IOException {
		this.temp = this.temp.toRealPath();
		this.root = TestWorkspaces.directory(this.temp.resolve("root"));
		TestWorkspaces.file(this.root.resolve("Src/Main.java"), "main");
		Assumptions.assumeFalse(Files.exists(this.root.resolve("src")), "the file system ignores case");
		this.files = open(WritePolicy.ALLOW_ALL);
	}

	private WorkspaceFiles open(WritePolicy policy) {
		return open(policy, DirectoryOpener.platform());
	}

	private WorkspaceFiles open(WritePolicy policy, DirectoryOpener opener) {
		return new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withWritePolicy(policy).withNameMatching(NameMatching.CASE_INSENSITIVE),
				opener)
			.open(TestWorkspaces.of(this.root));
	}

	private WorkspacePath path(String relative) {
		return new WorkspacePath(this.root, relative);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private String read(String path) {
		return TestWorkspaces.read(this.files, path);
	}

	private void write(String path, String text) {
		this.files.apply(new Write(path(path), bytes(text))).value();
	}

	private void refused(WorkspaceErrorCode code, WorkspaceChange... changes) {
		for (WorkspaceChange change : changes) {
			TestWorkspaces.failure(this.files.apply(change), code);
		}
	}

	private List<String> names(String directory) throws IOException {
		try (Stream<Path> entries = Files.list(this.root.resolve(directory))) {
			return entries.map((entry) -> entry.getFileName().toString()).sorted().toList();
		}
	}

	@Nested
	class Reading {

		@ParameterizedTest
		@ValueSource(strings = { "Src/Main.java", "src/main.java", "SRC/MAIN.JAVA", "sRC/mAIN.jAVA" })
		void findsTheOnlyEntryInEveryCase(String spelling) {
			assertThat(read(spelling)).isEqualTo("main");
			assertThat(files.info(path(spelling)).isOk()).isTrue();
			assertThat(files.fileExists(spelling)).isTrue();
		}

		@Test
		void prefersTheExactName() throws IOException {
			TestWorkspaces.file(root.resolve("SRC/Main.java"), "other");
			TestWorkspaces.file(root.resolve("Src/main.java"), "lower");
			assertThat(read("SRC/Main.java")).isEqualTo("other");
			assertThat(read("Src/main.java")).isEqualTo("lower");
			assertThat(read("Src/Main.java")).isEqualTo("main");
		}

		@Test
		void refusesWhatCouldBeSeveral() throws IOException {
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
		void namesOnlyAFewOfManyCandidates() throws IOException {
			for (String name : List.of("abc", "Abc", "aBc", "abC", "ABc")) {
				TestWorkspaces.file(root.resolve(name), name);
			}
			assertThat(
					TestWorkspaces.failure(files.read(path("ABC"), 0, 1), WorkspaceErrorCode.AMBIGUOUS_PATH).message())
				.contains("'ABc', 'Abc', 'aBc' and others")
				.doesNotContain("'abc'");
		}

		@Test
		void doesNotFindWhatIsNotThere() {
			for (String path : List.of("srcs", "sr", "Src/Main.jav", "src/none")) {
				TestWorkspaces.failure(files.read(path(path), 0, 1), WorkspaceErrorCode.FILE_NOT_FOUND);
			}
			TestWorkspaces.failure(files.read(path("src/main.java/x"), 0, 1), WorkspaceErrorCode.NOT_A_DIRECTORY);
		}

		@Test
		void foldsLettersOfEveryScriptOneByOne() throws IOException {
			TestWorkspaces.file(root.resolve("\u00c4\u0394\u0416"), "letters");
			TestWorkspaces.file(root.resolve("stra\u00dfe"), "sharp");
			assertThat(read("\u00e4\u03b4\u0436")).isEqualTo("letters");
			assertThat(read("STRA\u1e9eE")).isEqualTo("sharp");
			TestWorkspaces.failure(files.read(path("STRASSE"), 0, 1), WorkspaceErrorCode.FILE_NOT_FOUND);
		}

		@Test
		void takesComposedAndDecomposedLettersForTheSame() throws IOException {
			TestWorkspaces.file(root.resolve(NFD), "decomposed");
			assertThat(read(NFC)).isEqualTo("decomposed");
			assertThat(read("CAF\u00c9")).isEqualTo("decomposed");
			TestWorkspaces.file(root.resolve(NFC), "composed");
			assertThat(read(NFC)).isEqualTo("composed");
			assertThat(read(NFD)).isEqualTo("decomposed");
			TestWorkspaces.failure(files.read(path("CAF\u00c9"), 0, 1), WorkspaceErrorCode.AMBIGUOUS_PATH);
		}

		@Test
		void followsLinksByAnotherSpellingAndStaysInside() throws IOException {
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
		void worksWhereThePlatformHasNoHandles() {
			files = open(WritePolicy.ALLOW_ALL,
					(directory) -> new CheckedDirectory(directory, directory, Files.newDirectoryStream(directory)));
			assertThat(read("SRC/MAIN.JAVA")).isEqualTo("main");
			write("SRC/MAIN.JAVA", "new");
			assertThat(root.resolve("Src/Main.java")).hasContent("new");
		}

		@Test
		void doesNotSeeTheStateDirectoryInAnyCase() throws IOException {
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
		void showsTheNamesOfTheDisk() throws IOException {
			TestWorkspaces.file(root.resolve("Src/Sub/File"), "x");
			assertThat(files.list(path("sRC"), 2).value().entries()).extracting(FileInfo::path)
				.containsExactly(path("Src/Main.java"), path("Src/Sub"), path("Src/Sub/File"));
		}

		@Test
		void ofALinkKeepsItsName() throws IOException {
			TestWorkspaces.link(root.resolve("link"), "Src");
			assertThat(files.list(path("LINK"), 1).value().entries()).extracting(FileInfo::path)
				.containsExactly(path("LINK/Main.java"));
		}

		@Test
		void visitsTheNamesOfTheDiskAndEachLeadsBack() {
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

	@Nested
	class Writing {

		@Test
		void replacesTheFileThatIsThere() throws IOException {
			write("SRC/MAIN.JAVA", "new");
			assertThat(root.resolve("Src/Main.java")).hasContent("new");
			assertThat(names("")).containsExactly("Src");
			assertThat(names("Src")).containsExactly("Main.java");
		}

		@Test
		void createsInTheDirectoriesThatAreThere() throws IOException {
			write("src/New/File", "new");
			assertThat(root.resolve("Src/New/File")).hasContent("new");
			files.apply(new CreateDirectory(path("SRC/NEW/Dir"))).value();
			assertThat(root.resolve("Src/New/Dir")).isDirectory();
			assertThat(files.apply(new CreateDirectory(path("SRC/NEW/DIR"))).value().lines())
				.allSatisfy((line) -> assertThat(line.applied()).isFalse());
			assertThat(names("")).containsExactly("Src");
		}

		@Test
		void deletesTheEntryThatIsThere() throws IOException {
			files.apply(new Delete(path("SRC/MAIN.JAVA"))).value();
			files.apply(new Delete(path("SRC"), Depth.RECURSIVE, null)).value();
			assertThat(names("")).isEmpty();
		}

		@Test
		void changesNothingThatCouldBeSeveral() throws IOException {
			TestWorkspaces.file(root.resolve("SRC/x"), "other");
			refused(WorkspaceErrorCode.AMBIGUOUS_PATH, new Write(path("src"), bytes("x")),
					new Write(path("src/new"), bytes("x")), new Delete(path("src"), Depth.RECURSIVE, null),
					new CreateDirectory(path("src")), new Move(path("src"), path("y")),
					new Move(path("SRC/x"), path("src/y")));
			assertThat(names("")).containsExactly("SRC", "Src");
		}

		@Test
		void ofABatchFindsWhatThatBatchMade() throws IOException {
			files.apply(new Batch(List.of(new Write(path("New/A"), bytes("1")), new Write(path("NEW/b"), bytes("2")),
					new Write(path("new/a"), bytes("3")))))
				.value();
			assertThat(names("")).containsExactly("New", "Src");
			assertThat(names("New")).containsExactly("A", "b");
			assertThat(root.resolve("New/A")).hasContent("3");
		}

		@Test
		void atTheSameTimeInSeveralSpellingsMakesOneFile() throws Exception {
			List<String> spellings = List.of("Counter", "COUNTER", "counter", "cOUNTER");
			ExecutorService executor = Executors.newFixedThreadPool(spellings.size());
			try {
				for (int round = 0; round < 10; round++) {
					String directory = "round" + round + "/";
					List<Future<?>> writes = new ArrayList<>();
					for (String spelling : spellings) {
						writes.add(executor.submit(() -> write(directory + spelling, spelling)));
					}
					for (Future<?> write : writes) {
						write.get();
					}
					assertThat(names(directory)).as(directory).hasSize(1);
				}
			}
			finally {
				executor.shutdownNow();
			}
		}

	}

	@Nested
	class Renaming {

		@Test
		void changesOnlyTheCase() throws IOException {
			files.apply(new Move(path("Src/Main.java"), path("src/MAIN.java"))).value();
			assertThat(names("Src")).containsExactly("MAIN.java");
			files.apply(new Move(path("SRC"), path("src"), Overwrite.REPLACE, null)).value();
			assertThat(names("")).containsExactly("src");
			assertThat(root.resolve("src/MAIN.java")).hasContent("main");
		}

		@Test
		void changesOnlyTheCaseOfALink() throws IOException {
			TestWorkspaces.link(root.resolve("link"), "Src/Main.java");
			files.apply(new Move(path("link"), path("LINK"))).value();
			assertThat(names("")).containsExactly("LINK", "Src");
			assertThat(Files.isSymbolicLink(root.resolve("LINK"))).isTrue();
			assertThat(root.resolve("Src/Main.java")).hasContent("main");
		}

		@Test
		void changesOnlyTheCaseInABatchThatIsTakenBack() throws IOException {
			refused(WorkspaceErrorCode.FILE_NOT_FOUND,
					new Batch(List.of(new Move(path("Src"), path("SRC")), new Delete(path("missing")))));
			assertThat(names("")).containsExactly("Src");
			files.apply(new Batch(List.of(new Move(path("Src"), path("SRC")), new Write(path("src/x"), bytes("x")))))
				.value();
			assertThat(names("SRC")).containsExactly("Main.java", "x");
		}

		@Test
		void ontoAnotherFileNeedsOverwriting() throws IOException {
			TestWorkspaces.file(root.resolve("Other"), "other");
			refused(WorkspaceErrorCode.FILE_EXISTS, new Move(path("src/main.java"), path("OTHER")));
			files.apply(new Move(path("src/main.java"), path("OTHER"), Overwrite.REPLACE, null)).value();
			assertThat(names("")).containsExactly("Other", "Src");
			assertThat(root.resolve("Other")).hasContent("main");
		}

		@Test
		void ontoTheExactNameBesideIsNoChangeOfCase() throws IOException {
			TestWorkspaces.file(root.resolve("src/x"), "other");
			refused(WorkspaceErrorCode.IS_A_DIRECTORY, new Move(path("Src"), path("src"), Overwrite.REPLACE, null));
			assertThat(names("")).containsExactly("Src", "src");
		}

	}

	@Nested
	class Policies {

		@Test
		void protectInEveryCaseBeforeAndAfterThePathExists() throws IOException {
			files = open(new WritePolicy(false, List.of(".git/hooks"), List.of()));
			for (int round = 0; round < 2; round++) {
				refused(WorkspaceErrorCode.PROTECTED_PATH, new Write(path(".GIT/hooks/x"), bytes("x")),
						new Write(path(".git/HOOKS/x"), bytes("x")), new CreateDirectory(path(".Git/Hooks/new")),
						new Move(path("Src"), path(".GIT")));
				TestWorkspaces.directory(root.resolve(".Git/HOOKS"));
			}
			refused(WorkspaceErrorCode.PROTECTED_PATH, new Delete(path(".git"), Depth.RECURSIVE, null),
					new Move(path(".git"), path(".GIT")), new Move(path(".git"), path("moved")),
					new Move(path(".git/hooks"), path(".git/hooks2")));
			assertThat(names(".Git/HOOKS")).isEmpty();
			write(".git/HEAD", "x");
			assertThat(root.resolve(".Git/HEAD")).hasContent("x");
		}

		@Test
		void protectWhereALinkOfAnotherCaseLeads() throws IOException {
			TestWorkspaces.directory(root.resolve("elsewhere/hooks"));
			TestWorkspaces.link(root.resolve(".GIT"), "elsewhere");
			files = open(new WritePolicy(false, List.of(".git/hooks"), List.of()));
			refused(WorkspaceErrorCode.PROTECTED_PATH, new Write(path(".git/hooks/x"), bytes("x")),
					new Write(path("ELSEWHERE/hooks/x"), bytes("x")), new Move(path("elsewhere"), path("moved")));
		}

		@Test
		void allowWhatTheirPrefixMeans() throws IOException {
			files = open(new WritePolicy(false, List.of(), List.of("src")));
			write("SRC/x", "x");
			write("Src/y", "y");
			refused(WorkspaceErrorCode.PROTECTED_PATH, new Write(path("SRC2/x"), bytes("x")));
			TestWorkspaces.directory(root.resolve("src"));
			write("src/x", "x");
			refused(WorkspaceErrorCode.PROTECTED_PATH, new Write(path("Src/x"), bytes("z")));
			assertThat(root.resolve("Src/x")).hasContent("x");
		}

	}

}
