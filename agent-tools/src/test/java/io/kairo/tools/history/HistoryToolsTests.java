package io.kairo.tools.history;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceHistory;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DiffTool}, {@link CommitTool} and {@link PushTool}.
 */
class HistoryToolsTests {

	private static final String DIFF = """
			diff --git a/src/A.java b/src/A.java
			+in A
			diff --git a/src2/B.java b/src2/B.java
			+in B
			""";

	@TempDir
	Path root;

	private final ToolCatalog catalog = ToolCatalog.of(List.of(new DiffTool(1000), new CommitTool(), new PushTool()),
			List.of());

	private ToolResult call(WorkspaceHistory history, String name, Map<String, Object> arguments) {
		return call(history, name, arguments, PathPolicy.ROOTS);
	}

	private ToolResult call(WorkspaceHistory history, String name, Map<String, Object> arguments, PathPolicy policy) {
		Workspace workspace = new Versioned(this.root.toAbsolutePath(), history);
		WorkspaceFiles files = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withPathPolicy(policy))
			.open(workspace);
		return this.catalog.call(new ToolCall("1", name, arguments),
				ToolContext.builder(workspace).files(files).build());
	}

	@Test
	void diffShowsChanges() {
		ToolResult result = call(new Recorded(DIFF), "Diff", Map.of());
		assertThat(result.text()).isEqualTo(DIFF);
		assertThat(result.data()).containsEntry("changed", true);
		assertThat(call(new Recorded(""), "Diff", Map.of()).text()).isEqualTo("Nothing has changed.");
	}

	@Test
	void diffShowsChangesBelowPath() {
		assertThat(call(new Recorded(DIFF), "Diff", Map.of("path", "src")).text()).contains("in A")
			.doesNotContain("in B");
		assertThat(call(new Recorded(DIFF), "Diff", Map.of("path", "src2/B.java")).text()).contains("in B")
			.doesNotContain("in A");
		assertThat(call(new Recorded(DIFF), "Diff", Map.of("path", ".")).text()).isEqualTo(DIFF);
	}

	@Test
	void diffShowsChangesBelowPathInAnotherSpelling() {
		assertThat(call(new Recorded(DIFF), "Diff", Map.of("path", "SRC"), PathPolicy.LOGICAL).text()).contains("in A")
			.doesNotContain("in B");
		assertThat(call(new Recorded(DIFF), "Diff", Map.of("path", "SRC"), PathPolicy.ROOTS).text())
			.isEqualTo("Nothing has changed.");
	}

	@Test
	void diffShowsChangesOfFileWithQuotedName() {
		String diff = """
				diff --git "a/src/gr\\303\\274n \\"x\\".md" "b/src/gr\\303\\274n \\"x\\".md"
				--- "a/src/gr\\303\\274n \\"x\\".md"
				+++ "b/src/gr\\303\\274n \\"x\\".md"
				@@ -1 +1 @@
				+in it
				""";
		assertThat(call(new Recorded(diff), "Diff", Map.of("path", "src/grün \"x\".md")).text()).contains("in it");
		assertThat(call(new Recorded(diff), "Diff", Map.of("path", "src")).text()).contains("in it");
		assertThat(call(new Recorded(diff), "Diff", Map.of("path", "src/gr")).text()).isEqualTo("Nothing has changed.");
	}

	@Test
	void diffShowsRenamedFileUnderBothNames() {
		String diff = """
				diff --git a/old/long-name.txt b/new/n.txt
				similarity index 90%
				rename from old/long-name.txt
				rename to new/n.txt
				""";
		for (String path : List.of("old", "new", "old/long-name.txt", "new/n.txt")) {
			assertThat(call(new Recorded(diff), "Diff", Map.of("path", path)).text()).as(path).isEqualTo(diff);
		}
		assertThat(call(new Recorded(diff), "Diff", Map.of("path", "ne")).text()).isEqualTo("Nothing has changed.");
	}

	@Test
	void diffShowsModeChangeWithoutHunks() {
		String diff = "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n";
		assertThat(call(new Recorded(diff), "Diff", Map.of("path", "run.sh")).text()).isEqualTo(diff);
	}

	@Test
	void diffKeepsTruncationNote() {
		assertThat(call(new Recorded(DIFF + "(cut here)\n"), "Diff", Map.of("path", "other")).text())
			.isEqualTo("(cut here)\n");
	}

	@Test
	void diffStopsComparingAtTheDeadline() {
		WorkspaceHistory history = new Recorded(DIFF) {

			@Override
			public WorkspaceResult<String> diff(BooleanSupplier over) {
				while (!over.getAsBoolean()) {
					Thread.onSpinWait();
				}
				return diff();
			}

		};
		ToolContext context = ToolContext.builder(new Versioned(this.root.toAbsolutePath(), history)).build();
		DiffTool tool = new DiffTool(1000, ToolNaming.CLAUDE, Duration.ofMillis(1));
		assertThat(tool.call(Map.of(), context).text()).isEqualTo(DIFF);
		context.cancellation().cancel();
		assertThat(tool.call(Map.of(), context).error()).isNotNull().extracting(ToolError::code).isEqualTo("cancelled");
	}

	@Test
	void longDiffIsCut() {
		ToolResult result = call(new Recorded("diff\n" + "+a line\n".repeat(500)), "Diff", Map.of());
		assertThat(result.text()).hasSizeLessThan(1200).contains("cut after 997 of 4,005 characters");
		assertThat(result.complete().complete()).isFalse();
	}

	@Test
	void commitAndPushReturnTheirOutcome() {
		Recorded history = new Recorded(DIFF);
		assertThat(call(history, "Commit", Map.of("message", "Why")).data()).containsEntry("commit", "commit of Why");
		assertThat(call(history, "Push", Map.of("branch", "fix")).text())
			.isEqualTo("Pushed pushed to the new branch fix.");
	}

	@Test
	void refusedPushReturnsErrorCode() {
		ToolResult result = call(new Recorded(DIFF), "Push", Map.of("branch", "main"));
		assertThat(result.error()).isNotNull().extracting(ToolError::code).isEqualTo("conflict");
	}

	@Test
	void toolsReturnErrorWithoutVersionControl() {
		for (Map.Entry<String, Map<String, Object>> call : Map
			.<String, Map<String, Object>>of("Diff", Map.of(), "Commit", Map.of("message", "x"), "Push",
					Map.of("branch", "x"))
			.entrySet()) {
			ToolResult result = call(null, call.getKey(), call.getValue());
			assertThat(result.error()).isNotNull().extracting(ToolError::code).isEqualTo("unsupported_file_type");
		}
	}

	private static class Recorded implements WorkspaceHistory {

		private final String changes;

		Recorded(String changes) {
			this.changes = changes;
		}

		@Override
		public WorkspaceResult<String> diff() {
			return WorkspaceResult.ok(this.changes);
		}

		@Override
		public WorkspaceResult<String> commit(String message) {
			return WorkspaceResult.ok("commit of " + message);
		}

		@Override
		public WorkspaceResult<String> push(String branch) {
			return branch.equals("main")
					? WorkspaceResult.failure(WorkspaceErrorCode.CONFLICT, "there is one: take another")
					: WorkspaceResult.ok("pushed");
		}

	}

	private record Versioned(Path root, WorkspaceHistory history) implements Workspace {

		@Override
		public String id() {
			return "versioned";
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.REMOTE_GIT;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

	}

}
