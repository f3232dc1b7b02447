package io.kairo.api.workspace.tck;

import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Batch;
import io.kairo.api.workspace.WorkspaceChange.CreateDirectory;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceErrorCode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Batches are applied atomically.
 */
abstract class BatchContract extends ContractPart {

	BatchContract(WorkspaceFilesContract suite) {
		super(suite);
	}

	/**
	 * Applies a batch with many changes before the given one. The batch is refused.
	 */
	private void assertChangesNothing(WorkspaceChange refused, WorkspaceErrorCode... codes) {
		Map<String, String> before = state();
		Batch batch = Changes.batch(Changes.write(path("new/dir/x"), "x"), Changes.write(path("a.txt"), "b"),
				Changes.exchange(path("zoo.txt"), "zoo", "zebra"), new CreateDirectory(path("empty")),
				new Move(path("kb"), path("moved")), new Delete(path("moved/foo.md")),
				Changes.copyOver(path("a.txt"), path("zoo.txt")), Changes.recursive(path("moved")), refused,
				Changes.write(path("after"), "x"));
		assertFailed(this.files.apply(batch), codes);
		assertThat(state()).isEqualTo(before);
		CONTENT.forEach((path, text) -> assertThat(text(path)).isEqualTo(text));
	}

	@Test
	void batchIsAppliedInOrderWithLineForEachChange() {
		ChangeReport report = this.files
			.apply(Changes.batch(Changes.write(path("new/x"), "one"), Changes.exchange(path("new/x"), "one", "two"),
					new WorkspaceChange.Copy(path("new/x"), path("copy")), new Move(path("new/x"), path("moved")),
					new Delete(path("a.txt")), new CreateDirectory(path("kb")), Changes.write(path("copy"), "three")))
			.value();
		assertThat(report.lines()).extracting(ChangeReport.Line::path)
			.containsExactly(path("new/x"), path("new/x"), path("copy"), path("moved"), path("a.txt"), path("kb"),
					path("copy"));
		assertThat(report.lines()).extracting(ChangeReport.Line::applied)
			.containsExactly(true, true, true, true, true, false, true);
		assertThat(report.lines().get(6).version()).isEqualTo(version("copy"));
		assertThat(text("moved")).isEqualTo("two");
		assertThat(text("copy")).isEqualTo("three");
		assertThat(state()).containsOnlyKeys("copy", "kb", "kb/deep", "kb/deep/bar.md", "kb/foo.md", "moved", "new",
				"zoo.txt");
	}

	@Test
	void emptyBatchChangesNothing() {
		Map<String, String> before = state();
		assertThat(this.files.apply(new Batch(List.of())).value().lines()).isEmpty();
		assertThat(state()).isEqualTo(before);
	}

	@Test
	void batchChangesNothingIfFileIsMissing() {
		assertChangesNothing(new Delete(path("missing")), WorkspaceErrorCode.FILE_NOT_FOUND);
	}

	@Test
	void batchChangesNothingIfTargetConflicts() {
		assertChangesNothing(Changes.write(path("empty"), "x"), WorkspaceErrorCode.IS_A_DIRECTORY);
		assertChangesNothing(new Move(path("a.txt"), path("zoo.txt")), WorkspaceErrorCode.FILE_EXISTS);
		assertChangesNothing(Changes.write(path("a.txt/below"), "x"), WorkspaceErrorCode.NOT_A_DIRECTORY);
		assertChangesNothing(new Delete(path("new")), WorkspaceErrorCode.DIRECTORY_NOT_EMPTY);
		assertChangesNothing(Changes.recursive(root()), WorkspaceErrorCode.IS_A_DIRECTORY);
	}

	@Test
	void batchChangesNothingIfVersionIsStale() {
		assertChangesNothing(Changes.write(path("a.txt"), "c", version("a.txt")), WorkspaceErrorCode.STALE_READ);
		assertChangesNothing(Changes.write(path("new/dir/x"), "c", WorkspaceChange.ABSENT),
				WorkspaceErrorCode.STALE_READ);
	}

	@Test
	void batchChangesNothingIfContentDiffers() {
		assertChangesNothing(Changes.exchange(path("a.txt"), "alpha", "c"), WorkspaceErrorCode.STALE_READ,
				WorkspaceErrorCode.WRITE_FAILED);
	}

	@Test
	void batchChangesNothingIfFirstChangeIsRefused() {
		Map<String, String> before = state();
		assertFailed(this.files.apply(Changes.batch(new Delete(path("missing")), Changes.write(path("x"), "x"))),
				WorkspaceErrorCode.FILE_NOT_FOUND);
		assertThat(state()).isEqualTo(before);
	}

	@Test
	void batchSeesVersionsOfItsOwnChanges() {
		String version = version("a.txt");
		this.files.apply(Changes.batch(new Move(path("a.txt"), path("b")), Changes.write(path("b"), "two", version),
				Changes.write(path("a.txt"), "again", WorkspaceChange.ABSENT)))
			.value();
		assertThat(text("a.txt")).isEqualTo("again");
		assertThat(text("b")).isEqualTo("two");
	}

	@Test
	void nestedBatchIsRefused() {
		Batch inner = Changes.batch(Changes.write(path("x"), "x"));
		assertThatIllegalArgumentException().isThrownBy(() -> this.files.apply(Changes.batch(inner)));
		assertThat(this.files.fileExists("x")).isFalse();
	}

}
