package io.kairo.workspace.search;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for ignore files of all kinds, and for the directories in which they are looked
 * for.
 */
class IgnoreFileKindTests {

	@TempDir
	Path directory;

	@Test
	void ignoreFilesApplyInNestedAndHiddenDirectories() {
		Trees tree = new Trees(this.directory).file("a/b/c/.gitignore", "1.txt")
			.file("a/b/c/1.txt", "")
			.file("a/b/c/d/1.txt", "")
			.file("a/b/c/d/2.txt", "")
			.file("a/.h/.ignore", "3.txt")
			.file("a/.h/3.txt", "")
			.file("a/.h/4.txt", "")
			.file("a/1.txt", "");
		assertThat(tree.glob("**/*.txt")).containsExactly("a/1.txt", "a/b/c/d/2.txt");
		assertThat(tree.glob("a/**/.h/*.txt")).containsExactly("a/.h/4.txt");
	}

	@Test
	void ignoreFileBehindLinkAppliesInsideTheWorkspaceOnly(@TempDir Path outside) throws IOException {
		Trees tree = new Trees(this.directory).file("rules", "1.txt")
			.file("in/1.txt", "")
			.file("out/1.txt", "")
			.file("nowhere/1.txt", "");
		Files.createSymbolicLink(this.directory.resolve("in/.gitignore"), Path.of("../rules"));
		Files.createSymbolicLink(this.directory.resolve("out/.gitignore"),
				Files.writeString(outside.resolve("rules"), "1.txt"));
		Files.createSymbolicLink(this.directory.resolve("nowhere/.ignore"), Path.of("missing"));
		assertThat(tree.glob("**/*.txt")).containsExactly("nowhere/1.txt", "out/1.txt");
	}

	@Test
	@Timeout(20)
	void directoryAndFifoAreNoIgnoreFiles() throws Exception {
		Trees tree = new Trees(this.directory).file("a/.gitignore/b.txt", "").file("a/1.txt", "").file("b/2.txt", "");
		Process process = new ProcessBuilder("mkfifo", this.directory.resolve("b/.ignore").toString()).start();
		assumeTrue(process.waitFor() == 0, "a FIFO cannot be created");
		assertThat(tree.glob("**/*.txt")).containsExactly("a/1.txt", "b/2.txt");
	}

	@Test
	void ignoreFileAmongManyNamesApplies() {
		Trees tree = new Trees(this.directory);
		for (int i = 0; i < 1500; i++) {
			tree.file("many/" + i + ".txt", "");
		}
		tree.file("many/.gitignore", "1*.txt");
		assertThat(tree.glob("**/*.txt")).hasSize(889).noneMatch((name) -> name.startsWith("many/1"));
	}

	@Test
	void ignoreFileThatAppearsAppliesToTheNextSearch() {
		Trees tree = new Trees(this.directory).file("a/1.txt", "");
		assertThat(tree.glob("**/*.txt")).containsExactly("a/1.txt");
		assertThat(tree.file("a/.ignore", "*").glob("**/*.txt")).isEmpty();
	}

	@Test
	void storeThatDoesNotReportNamesIsSearchedInTheSameWay() {
		Trees tree = new Trees(this.directory).file("a/.gitignore", "1.txt").file("a/1.txt", "").file("a/b/2.txt", "");
		WorkspaceFiles silent = new SilentFiles(tree.files);
		GlobReport report = new WorkspaceSearch(silent, SearchLimits.DEFAULTS)
			.glob(new GlobQuery(silent.root(), "**/*.txt", new SearchSlice(0, 10)), Trees.NEVER)
			.value();
		assertThat(report.files()).extracting((file) -> file.path().relative()).containsExactly("a/b/2.txt");
		assertThat(report.skipped()).isEqualTo(tree.globReport("**/*.txt").skipped());
	}

	/**
	 * Files whose walk calls only the methods that every store calls.
	 */
	private static final class SilentFiles extends ForwardingWorkspaceFiles {

		SilentFiles(WorkspaceFiles delegate) {
			super(delegate);
		}

		@Override
		public WorkspaceResult<WalkReport> walk(WorkspacePath directory, WorkspaceVisitor visitor) {
			return super.walk(directory, new WorkspaceVisitor() {

				@Override
				public Next directory(WorkspacePath directory) {
					return visitor.directory(directory);
				}

				@Override
				public Next file(Entry file) throws IOException {
					return visitor.file(file);
				}

			});
		}

	}

}
