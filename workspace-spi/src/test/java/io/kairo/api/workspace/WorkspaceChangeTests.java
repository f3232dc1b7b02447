package io.kairo.api.workspace;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.workspace.WorkspaceChange.Batch;
import io.kairo.api.workspace.WorkspaceChange.CompareExchange;
import io.kairo.api.workspace.WorkspaceChange.Copy;
import io.kairo.api.workspace.WorkspaceChange.CreateDirectory;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Depth;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceChange.Overwrite;
import io.kairo.api.workspace.WorkspaceChange.Write;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link WorkspaceChange} and {@link ChangeReport}.
 */
class WorkspaceChangeTests {

	private static final WorkspacePath FILE = new WorkspacePath(Path.of("/project"), "a");

	private static final WorkspacePath TARGET = new WorkspacePath(Path.of("/project"), "b");

	private static final byte[] BYTES = { 1, 2, 3 };

	static List<WorkspaceChange> singleChanges() {
		return List.of(new Write(FILE, BYTES), new CompareExchange(FILE, BYTES, BYTES), new CreateDirectory(FILE),
				new Delete(FILE), new Move(FILE, TARGET), new Copy(FILE, TARGET));
	}

	@Nested
	class Single {

		@ParameterizedTest
		@MethodSource("io.kairo.api.workspace.WorkspaceChangeTests#singleChanges")
		void singleChangeIsItsOwnLeafAndExpectsNoVersion(WorkspaceChange change) {
			assertThat(change.leaves()).containsExactly(change);
			assertThat(change.expectedVersion()).isNull();
		}

		@Test
		void changeHasTheExpectedVersion() {
			assertThat(new Write(FILE, BYTES, WorkspaceChange.ABSENT).expectedVersion()).isEqualTo("absent");
			assertThat(new Delete(FILE, Depth.SINGLE, "v1").expectedVersion()).isEqualTo("v1");
			assertThat(new Move(FILE, TARGET, Overwrite.REPLACE, "v1").expectedVersion()).isEqualTo("v1");
		}

		@Test
		void defaultsAreNotDestructive() {
			assertThat(new Delete(FILE).depth()).isEqualTo(Depth.SINGLE);
			assertThat(new Move(FILE, TARGET).overwrite()).isEqualTo(Overwrite.REFUSE);
			assertThat(new Copy(FILE, TARGET).overwrite()).isEqualTo(Overwrite.REFUSE);
		}

	}

	@Nested
	class Batches {

		@Test
		void pathsOfBatchIncludeTargets() {
			assertThat(new Batch(singleChanges()).paths()).hasSize(8)
				.containsExactlyElementsOf(
						singleChanges().stream().flatMap((change) -> change.paths().stream()).toList());
		}

		@Test
		void leavesOfBatchAreItsChangesInOrder() {
			assertThat(new Batch(singleChanges()).leaves()).hasSize(6)
				.extracting(Object::getClass)
				.containsExactly((Class[]) singleChanges().stream().map(Object::getClass).toArray(Class[]::new));
		}

		@Test
		void batchMayBeEmpty() {
			assertThat(new Batch(List.of()).leaves()).isEmpty();
		}

		@Test
		void batchRefusesANestedBatch() {
			Batch inner = new Batch(List.of(new Delete(FILE)));
			assertThatIllegalArgumentException().isThrownBy(() -> new Batch(List.of(new Delete(TARGET), inner)));
		}

		@Test
		void batchCopiesItsChanges() {
			List<WorkspaceChange> changes = new ArrayList<>(List.of(new Delete(FILE)));
			Batch batch = new Batch(changes);
			changes.add(new Delete(TARGET));
			assertThat(batch.changes()).containsExactly(new Delete(FILE));
			assertThatThrownBy(() -> batch.leaves().clear()).isInstanceOf(UnsupportedOperationException.class);
		}

	}

	@Nested
	class Reports {

		@Test
		void reportIsAppliedIfEveryLineIs() {
			ChangeReport.Line applied = new ChangeReport.Line(FILE, true, "v1");
			ChangeReport.Line skipped = new ChangeReport.Line(TARGET, false, null);
			assertThat(new ChangeReport(List.of(applied, applied)).applied()).isTrue();
			assertThat(new ChangeReport(List.of(applied, skipped)).applied()).isFalse();
		}

		@Test
		void reportCopiesItsLines() {
			List<ChangeReport.Line> lines = new ArrayList<>();
			ChangeReport report = new ChangeReport(lines);
			lines.add(new ChangeReport.Line(FILE, true, "v1"));
			assertThat(report.lines()).isEmpty();
		}

	}

}
