package io.kairo.api.workspace.tck;

import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Copy;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceChange.Overwrite;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Moves and copies of files and directories.
 */
abstract class RelocatingContract extends ContractPart {

	RelocatingContract(WorkspaceFilesContract suite) {
		super(suite);
	}

	@Test
	void moveAndCopyRefuseResultsBeyondMaximumDepth() {
		apply(Changes.write(path("low/" + "a/".repeat(9) + "file"), "x"));
		apply(new WorkspaceChange.CreateDirectory(path("h/".repeat(250))));
		WorkspacePath parent = path("h/".repeat(250));
		WorkspacePath place = parent.child("place");
		List<WorkspacePath> before = entries(path("low"), parent);
		assertFailed(this.files.apply(new WorkspaceChange.Move(path("low"), place)), WorkspaceErrorCode.INVALID_PATH);
		assertThat(entries(path("low"), parent)).isEqualTo(before);
		assertFailed(this.files.apply(new WorkspaceChange.Copy(path("low"), place)), WorkspaceErrorCode.INVALID_PATH);
		assertThat(entries(path("low"), parent)).isEqualTo(before);
		apply(new WorkspaceChange.Move(path("low/" + "a/".repeat(4) + "a"), place));
		assertThat(this.files.getFilePaths().value()).contains("h/".repeat(250) + "place/" + "a/".repeat(4) + "file");
		apply(Changes.recursive(path("h")));
		assertThat(state()).doesNotContainKey("h");
	}

	/**
	 * Lists the directories of a change only, since the levels above a deep one take
	 * long.
	 */
	private List<WorkspacePath> entries(WorkspacePath... directories) {
		return Stream.of(directories)
			.flatMap((directory) -> this.files.list(directory, 20).value().entries().stream())
			.map(FileInfo::path)
			.toList();
	}

	@Test
	void moveOfFileCreatesParentsOfTarget() {
		String version = version("a.txt");
		ChangeReport.Line line = apply(new Move(path("a.txt"), path("new/dir/b.txt")));
		assertThat(line).isEqualTo(new ChangeReport.Line(path("new/dir/b.txt"), true, version));
		assertThat(text("new/dir/b.txt")).isEqualTo("alpha");
		assertThat(state()).doesNotContainKey("a.txt").hasSize(8);
	}

	@Test
	void moveOfDirectoryIncludesContent() {
		ChangeReport.Line line = apply(new Move(path("kb"), path("new/kb")));
		assertThat(line).isEqualTo(new ChangeReport.Line(path("new/kb"), true, null));
		assertThat(state()).containsOnlyKeys("a.txt", "new", "new/kb", "new/kb/deep", "new/kb/deep/bar.md",
				"new/kb/foo.md", "zoo.txt");
		assertThat(text("new/kb/deep/bar.md")).isEqualTo("bar");
	}

	@Test
	void moveChangesCaseOfName() {
		apply(new Move(path("a.txt"), path("A.TXT")));
		assertThat(state()).containsKey("A.TXT").doesNotContainKey("a.txt").hasSize(6);
		assertThat(text("A.TXT")).isEqualTo("alpha");
	}

	@Test
	void copyOfFileKeepsSource() {
		ChangeReport.Line line = apply(new Copy(path("a.txt"), path("new/b.txt")));
		assertThat(line).isEqualTo(new ChangeReport.Line(path("new/b.txt"), true, version("a.txt")));
		this.files.tryWriteFile("new/b.txt", "changed");
		assertThat(text("a.txt")).isEqualTo("alpha");
		assertThat(state()).hasSize(8);
	}

	@Test
	void copyOfDirectoryIncludesContent() {
		apply(new WorkspaceChange.CreateDirectory(path("kb/empty")));
		assertThat(apply(new Copy(path("kb"), path("twin"))).applied()).isTrue();
		assertThat(state()).containsKeys("kb/foo.md", "twin/deep/bar.md", "twin/empty", "twin/foo.md").hasSize(12);
		this.files.tryWriteFile("twin/foo.md", "changed");
		assertThat(text("kb/foo.md")).isEqualTo("foo");
	}

	@Test
	void existingTargetIsReplacedOnlyWithOverwrite() {
		assertRefused(new Move(path("a.txt"), path("zoo.txt")), WorkspaceErrorCode.FILE_EXISTS);
		assertRefused(new Copy(path("a.txt"), path("zoo.txt")), WorkspaceErrorCode.FILE_EXISTS);
		assertRefused(new Copy(path("kb"), path("zoo.txt")), WorkspaceErrorCode.FILE_EXISTS);
		assertRefused(new Move(path("a.txt"), path("kb")), WorkspaceErrorCode.FILE_EXISTS,
				WorkspaceErrorCode.IS_A_DIRECTORY);
		apply(Changes.copyOver(path("a.txt"), path("zoo.txt")));
		assertThat(text("zoo.txt")).isEqualTo("alpha");
		apply(Changes.moveOver(path("kb/foo.md"), path("zoo.txt")));
		assertThat(text("zoo.txt")).isEqualTo("foo");
		assertThat(this.files.fileExists("kb/foo.md")).isFalse();
	}

	@Test
	void directoryIsNeverReplacedByFile() {
		assertRefused(Changes.moveOver(path("a.txt"), path("kb")), WorkspaceErrorCode.IS_A_DIRECTORY,
				WorkspaceErrorCode.FILE_EXISTS);
		assertRefused(Changes.copyOver(path("a.txt"), path("kb")), WorkspaceErrorCode.IS_A_DIRECTORY,
				WorkspaceErrorCode.FILE_EXISTS);
	}

	@Test
	void moveAndCopyReportMissingSource() {
		assertRefused(new Move(path("missing"), path("b")), WorkspaceErrorCode.FILE_NOT_FOUND);
		assertRefused(new Copy(path("missing"), path("b")), WorkspaceErrorCode.FILE_NOT_FOUND);
	}

	@Test
	void directoryIsNeverMovedOrCopiedIntoItself() {
		assertRefused(new Move(path("kb"), path("kb/deep/kb")), WorkspaceErrorCode.values());
		assertRefused(new Copy(path("kb"), path("kb/deep/kb")), WorkspaceErrorCode.values());
		assertRefused(Changes.moveOver(path("kb"), path("kb/foo.md/x")), WorkspaceErrorCode.values());
	}

	@Test
	void moveAndCopyBelowFileAreRefused() {
		assertRefused(new Move(path("kb/foo.md"), path("a.txt/x")), WorkspaceErrorCode.NOT_A_DIRECTORY);
		assertRefused(new Copy(path("kb/foo.md"), path("a.txt/x")), WorkspaceErrorCode.NOT_A_DIRECTORY);
	}

	@Test
	void rootIsNeitherMovedNorReplaced() {
		assertRefused(new Move(root(), path("new")), WorkspaceErrorCode.IS_A_DIRECTORY);
		assertRefused(new Move(path("a.txt"), root()), WorkspaceErrorCode.IS_A_DIRECTORY,
				WorkspaceErrorCode.FILE_EXISTS);
		assertRefused(Changes.moveOver(path("a.txt"), root()), WorkspaceErrorCode.IS_A_DIRECTORY,
				WorkspaceErrorCode.FILE_EXISTS);
		assertRefused(Changes.copyOver(path("kb"), root()), WorkspaceErrorCode.IS_A_DIRECTORY,
				WorkspaceErrorCode.FILE_EXISTS);
	}

	@Test
	void moveAndCopyRequireExpectedVersionOfSource() {
		String old = version("a.txt");
		this.files.tryWriteFile("a.txt", "two");
		assertRefused(new Move(path("a.txt"), path("b"), Overwrite.REFUSE, old), WorkspaceErrorCode.STALE_READ);
		assertRefused(new Copy(path("a.txt"), path("b"), Overwrite.REPLACE, old), WorkspaceErrorCode.STALE_READ);
		apply(new Copy(path("a.txt"), path("b"), Overwrite.REFUSE, version("a.txt")));
		apply(new Move(path("a.txt"), path("c"), Overwrite.REFUSE, version("a.txt")));
		assertThat(text("b")).isEqualTo("two");
		assertThat(text("c")).isEqualTo("two");
	}

}
