package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.kairo.api.workspace.WorkspaceChange.Batch;
import io.kairo.api.workspace.WorkspaceChange.CreateDirectory;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Depth;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceChange.Overwrite;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.quota.QuotaWorkspaceFiles;
import io.kairo.workspace.quota.WorkspaceQuota;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for changes and write policies by {@link NameMatching#CASE_INSENSITIVE}.
 */
class CaseInsensitiveWritingTests extends CaseInsensitiveFixture {

	@Nested
	class Writing {

		@Test
		void writeReplacesExistingFileInAnotherCase() throws IOException {
			write("SRC/MAIN.JAVA", "new");
			assertThat(root.resolve("Src/Main.java")).hasContent("new");
			assertThat(names("")).containsExactly("Src");
			assertThat(names("Src")).containsExactly("Main.java");
		}

		@Test
		void writeCreatesFileInExistingDirectoriesInAnotherCase() throws IOException {
			write("src/New/File", "new");
			assertThat(root.resolve("Src/New/File")).hasContent("new");
			files.apply(new CreateDirectory(path("SRC/NEW/Dir"))).value();
			assertThat(root.resolve("Src/New/Dir")).isDirectory();
			assertThat(files.apply(new CreateDirectory(path("SRC/NEW/DIR"))).value().lines())
				.allSatisfy((line) -> assertThat(line.applied()).isFalse());
			assertThat(names("")).containsExactly("Src");
		}

		@Test
		void deleteRemovesExistingEntryInAnotherCase() throws IOException {
			files.apply(new Delete(path("SRC/MAIN.JAVA"))).value();
			files.apply(new Delete(path("SRC"), Depth.RECURSIVE, null)).value();
			assertThat(names("")).isEmpty();
		}

		@Test
		void ambiguousChangesAreRefused() throws IOException {
			TestWorkspaces.file(root.resolve("SRC/x"), "other");
			refused(WorkspaceErrorCode.AMBIGUOUS_PATH, new Write(path("src"), bytes("x")),
					new Write(path("src/new"), bytes("x")), new Delete(path("src"), Depth.RECURSIVE, null),
					new CreateDirectory(path("src")), new Move(path("src"), path("y")),
					new Move(path("SRC/x"), path("src/y")));
			assertThat(names("")).containsExactly("SRC", "Src");
		}

		@Test
		void batchFindsEntriesThatItCreated() throws IOException {
			files.apply(new Batch(List.of(new Write(path("New/A"), bytes("1")), new Write(path("NEW/b"), bytes("2")),
					new Write(path("new/a"), bytes("3")))))
				.value();
			assertThat(names("")).containsExactly("New", "Src");
			assertThat(names("New")).containsExactly("A", "b");
			assertThat(root.resolve("New/A")).hasContent("3");
		}

		@Test
		void concurrentWritesInSeveralSpellingsCreateOneFile() throws Exception {
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
		void moveCanChangeOnlyTheCase() throws IOException {
			files.apply(new Move(path("Src/Main.java"), path("src/MAIN.java"))).value();
			assertThat(names("Src")).containsExactly("MAIN.java");
			files.apply(new Move(path("SRC"), path("src"), Overwrite.REPLACE, null)).value();
			assertThat(names("")).containsExactly("src");
			assertThat(root.resolve("src/MAIN.java")).hasContent("main");
		}

		@Test
		void moveCanChangeOnlyTheCaseOfALink() throws IOException {
			TestWorkspaces.link(root.resolve("link"), "Src/Main.java");
			files.apply(new Move(path("link"), path("LINK"))).value();
			assertThat(names("")).containsExactly("LINK", "Src");
			assertThat(Files.isSymbolicLink(root.resolve("LINK"))).isTrue();
			assertThat(root.resolve("Src/Main.java")).hasContent("main");
		}

		@Test
		void changeOfCaseIsRolledBackWithItsBatch() throws IOException {
			refused(WorkspaceErrorCode.FILE_NOT_FOUND,
					new Batch(List.of(new Move(path("Src"), path("SRC")), new Delete(path("missing")))));
			assertThat(names("")).containsExactly("Src");
			files.apply(new Batch(List.of(new Move(path("Src"), path("SRC")), new Write(path("src/x"), bytes("x")))))
				.value();
			assertThat(names("SRC")).containsExactly("Main.java", "x");
		}

		@Test
		void moveOntoAnotherFileNeedsOverwrite() throws IOException {
			TestWorkspaces.file(root.resolve("Other"), "other");
			refused(WorkspaceErrorCode.FILE_EXISTS, new Move(path("src/main.java"), path("OTHER")));
			files.apply(new Move(path("src/main.java"), path("OTHER"), Overwrite.REPLACE, null)).value();
			assertThat(names("")).containsExactly("Other", "Src");
			assertThat(root.resolve("Other")).hasContent("main");
		}

		@Test
		void moveOntoAnExactNameIsNotAChangeOfCase() throws IOException {
			TestWorkspaces.file(root.resolve("src/x"), "other");
			refused(WorkspaceErrorCode.IS_A_DIRECTORY, new Move(path("Src"), path("src"), Overwrite.REPLACE, null));
			assertThat(names("")).containsExactly("Src", "src");
		}

	}

	@Nested
	class Policies {

		@Test
		void protectedPathsApplyInAnyCaseBeforeAndAfterCreation() throws IOException {
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
		void targetsOfLinksInAnotherCaseAreProtected() throws IOException {
			TestWorkspaces.directory(root.resolve("elsewhere/hooks"));
			TestWorkspaces.link(root.resolve(".GIT"), "elsewhere");
			files = open(new WritePolicy(false, List.of(".git/hooks"), List.of()));
			refused(WorkspaceErrorCode.PROTECTED_PATH, new Write(path(".git/hooks/x"), bytes("x")),
					new Write(path("ELSEWHERE/hooks/x"), bytes("x")), new Move(path("elsewhere"), path("moved")));
		}

		@Test
		void allowedPrefixKeepsItsSpelling() throws IOException {
			files = open(new WritePolicy(false, List.of(), List.of("Src")));
			refused(WorkspaceErrorCode.PROTECTED_PATH, new Move(path("Src"), path("SRC")));
			files.apply(new Move(path("src/main.java"), path("src/MAIN.java"))).value();
			assertThat(names("")).containsExactly("Src");
			assertThat(names("Src")).containsExactly("MAIN.java");
		}

		@Test
		void allowedPrefixAppliesToTheEntryThatItDenotes() throws IOException {
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

	@Nested
	class Quotas {

		private static final String NFC = "Caf\u00e9";

		private static final String NFD = "Cafe\u0301";

		/** Refuses more than 20 bytes, of which 14 are in use. */
		private WorkspaceFiles full() throws IOException {
			file(NFC + "/x", "1234567890");
			return new QuotaWorkspaceFiles(files, new WorkspaceQuota(20, 100));
		}

		@Test
		void batchCannotHideGrowthBehindAnotherComposition() throws IOException {
			WorkspaceFiles full = full();
			for (String other : List.of(NFD, NFC.toUpperCase(Locale.ROOT), NFD.toUpperCase(Locale.ROOT))) {
				Batch batch = new Batch(List.of(new Delete(path(NFC + "/x")),
						new Write(path(other + "/X"), new byte[10]), new Write(path("new"), new byte[7])));
				TestWorkspaces.failure(full.apply(batch), WorkspaceErrorCode.QUOTA_EXCEEDED);
			}
			assertThat(names("")).containsExactly(NFC, "Src");
		}

		@Test
		void directoryIsRelocatedByAnotherComposition() throws IOException {
			WorkspaceFiles full = full();
			Batch batch = new Batch(List.of(new Move(path(NFD), path("m")), new Write(path("m/x"), new byte[16])));
			assertThat(full.apply(batch).value().lines()).hasSize(2);
			TestWorkspaces.failure(full.apply(new Write(path("new"), new byte[1])), WorkspaceErrorCode.QUOTA_EXCEEDED);
			assertThat(names("m")).containsExactly("x");
		}

	}

}
