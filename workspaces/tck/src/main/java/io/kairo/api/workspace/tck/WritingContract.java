package io.kairo.api.workspace.tck;

import java.util.Map;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writes of files, and creation and deletion of files and directories.
 */
abstract class WritingContract extends ContractPart {

	WritingContract(WorkspaceFilesContract suite) {
		super(suite);
	}

	@Test
	void writeCreatesFileAndParents() {
		ChangeReport.Line line = apply(Changes.write(path("new/dir/file.txt"), "text"));
		assertThat(line.applied()).isTrue();
		assertThat(line.path()).isEqualTo(path("new/dir/file.txt"));
		assertThat(line.version()).isEqualTo(version("new/dir/file.txt"));
		assertThat(text("new/dir/file.txt")).isEqualTo("text");
		assertThat(this.files.info(path("new/dir")).value().type()).isEqualTo(FileType.DIRECTORY);
		assertThat(state()).hasSize(9);
	}

	@Test
	void writeReplacesWholeFile() {
		assertThat(apply(Changes.write(path("a.txt"), "b")).version()).isEqualTo(version("a.txt"));
		assertThat(text("a.txt")).isEqualTo("b");
		assertThat(apply(Changes.write(path("a.txt"), "")).applied()).isTrue();
		assertThat(this.files.info(path("a.txt")).value().size()).isZero();
		assertThat(state()).hasSize(6);
	}

	@Test
	void laterChangesOfArraysDoNotAffectFiles() {
		byte[] content = bytes("text");
		String version = apply(new WorkspaceChange.Write(path("a.txt"), content)).version();
		content[0] = 'n';
		assertThat(text("a.txt")).isEqualTo("text");
		byte[] exchanged = bytes("next");
		apply(new WorkspaceChange.CompareExchange(path("zoo.txt"), bytes("zoo"), exchanged));
		exchanged[0] = 't';
		assertThat(text("zoo.txt")).isEqualTo("next");
		this.files.read(path("a.txt"), 0, 4).value().bytes()[0] = 'n';
		assertThat(text("a.txt")).isEqualTo("text");
		assertThat(version("a.txt")).isEqualTo(version);
	}

	@Test
	void writeToDirectoryIsRefused() {
		assertRefused(Changes.write(path("kb"), "x"), WorkspaceErrorCode.IS_A_DIRECTORY);
		assertRefused(Changes.write(root(), "x"), WorkspaceErrorCode.IS_A_DIRECTORY);
	}

	@Test
	void creationBelowFileIsRefused() {
		assertRefused(Changes.write(path("a.txt/below"), "x"), WorkspaceErrorCode.NOT_A_DIRECTORY);
		assertRefused(Changes.write(path("a.txt/far/below"), "x"), WorkspaceErrorCode.NOT_A_DIRECTORY);
		assertRefused(new WorkspaceChange.CreateDirectory(path("a.txt/below")), WorkspaceErrorCode.NOT_A_DIRECTORY);
	}

	@Test
	void writeRequiresExpectedVersion() {
		String version = version("a.txt");
		assertThat(apply(Changes.write(path("a.txt"), "two", version)).applied()).isTrue();
		assertRefused(Changes.write(path("a.txt"), "three", version), WorkspaceErrorCode.STALE_READ);
		assertRefused(Changes.write(path("a.txt"), "three", WorkspaceChange.ABSENT), WorkspaceErrorCode.STALE_READ);
		assertRefused(Changes.write(path("new"), "x", version), WorkspaceErrorCode.STALE_READ);
		assertThat(apply(Changes.write(path("new/x"), "x", WorkspaceChange.ABSENT)).applied()).isTrue();
		assertThat(text("new/x")).isEqualTo("x");
	}

	@Test
	void createDirectoryCreatesParents() {
		ChangeReport.Line line = apply(new WorkspaceChange.CreateDirectory(path("new/dir")));
		assertThat(line.applied()).isTrue();
		assertThat(line.version()).isNull();
		assertThat(state()).containsKeys("new", "new/dir").hasSize(8);
	}

	@Test
	void createDirectoryIsNotAppliedIfDirectoryExists() {
		Map<String, String> before = state();
		assertThat(apply(new WorkspaceChange.CreateDirectory(path("kb"))).applied()).isFalse();
		assertThat(state()).isEqualTo(before);
	}

	@Test
	void createDirectoryOverFileIsRefused() {
		assertRefused(new WorkspaceChange.CreateDirectory(path("a.txt")), WorkspaceErrorCode.FILE_EXISTS,
				WorkspaceErrorCode.NOT_A_DIRECTORY);
	}

	@Test
	void deleteRemovesFileAndKeepsParent() {
		ChangeReport.Line line = apply(new WorkspaceChange.Delete(path("kb/deep/bar.md")));
		assertThat(line.applied()).isTrue();
		assertThat(line.version()).isNull();
		assertThat(this.files.fileExists("kb/deep/bar.md")).isFalse();
		assertThat(state()).as("its directory stays").containsKey("kb/deep").hasSize(5);
	}

	@Test
	void deleteRemovesEmptyDirectory() {
		apply(new WorkspaceChange.CreateDirectory(path("empty")));
		assertThat(apply(new WorkspaceChange.Delete(path("empty"))).applied()).isTrue();
		assertThat(state()).doesNotContainKey("empty");
	}

	@Test
	void deleteOfNonEmptyDirectoryRequiresRecursion() {
		assertRefused(new WorkspaceChange.Delete(path("kb")), WorkspaceErrorCode.DIRECTORY_NOT_EMPTY);
		assertThat(apply(Changes.recursive(path("kb"))).applied()).isTrue();
		assertThat(state()).containsOnlyKeys("a.txt", "zoo.txt");
	}

	@Test
	void recursiveDeleteKeepsSiblingsWithSamePrefix() {
		this.files.tryWriteFile("kb2/x", "x");
		this.files.tryWriteFile("kb.md", "x");
		apply(Changes.recursive(path("kb")));
		assertThat(state()).containsOnlyKeys("a.txt", "kb2", "kb2/x", "kb.md", "zoo.txt");
	}

	@Test
	void deleteReportsMissingFile() {
		assertRefused(new WorkspaceChange.Delete(path("missing")), WorkspaceErrorCode.FILE_NOT_FOUND);
		assertRefused(Changes.recursive(path("missing/x")), WorkspaceErrorCode.FILE_NOT_FOUND);
	}

	@Test
	void rootIsNeverDeleted() {
		assertRefused(new WorkspaceChange.Delete(root()), WorkspaceErrorCode.IS_A_DIRECTORY);
		assertRefused(Changes.recursive(root()), WorkspaceErrorCode.IS_A_DIRECTORY);
	}

	@Test
	void deleteRequiresExpectedVersion() {
		String version = version("a.txt");
		this.files.tryWriteFile("a.txt", "two");
		assertRefused(new WorkspaceChange.Delete(path("a.txt"), WorkspaceChange.Depth.SINGLE, version),
				WorkspaceErrorCode.STALE_READ);
		apply(new WorkspaceChange.Delete(path("a.txt"), WorkspaceChange.Depth.SINGLE, version("a.txt")));
		assertThat(this.files.fileExists("a.txt")).isFalse();
	}

}
