package io.kairo.tools.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.edit.EditTool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@link WriteTool} and {@link EditTool} do not overwrite concurrent changes.
 */
@Timeout(120)
class StaleChangeTests {

	private FileToolsFixture tools;

	@BeforeEach
	void openWorkspace(@TempDir Path directory) {
		this.tools = new FileToolsFixture(directory);
	}

	@Nested
	class Writes {

		@Test
		void writeRejectsUnreadFile() throws Exception {
			StaleChangeTests.this.tools.put("a.txt", "old\n");
			ToolResult result = StaleChangeTests.this.tools.write("a.txt", "new\n");
			assertThat(result.error().code()).isEqualTo("stale_read");
			assertThat(result.text()).contains("has not read it").contains("Read it first");
			assertThat(StaleChangeTests.this.tools.get("a.txt")).isEqualTo("old\n");
		}

		@Test
		void writeReplacesReadFileRepeatedly() throws Exception {
			StaleChangeTests.this.tools.put("a.txt", "old\n");
			StaleChangeTests.this.tools.read("a.txt");
			assertThat(StaleChangeTests.this.tools.write("a.txt", "new\n").data()).containsEntry("outcome", "replaced");
			assertThat(StaleChangeTests.this.tools.write("a.txt", "newer\n").error()).isNull();
			assertThat(StaleChangeTests.this.tools.get("a.txt")).isEqualTo("newer\n");
		}

		@Test
		void writeReplacesFileReadInPart() throws Exception {
			StaleChangeTests.this.tools.put("a.txt", "1\n2\n3\n");
			StaleChangeTests.this.tools.call("Read", Map.of("file_path", "a.txt", "offset", 2, "limit", 1));
			assertThat(StaleChangeTests.this.tools.write("a.txt", "new\n").error()).isNull();
		}

		@Test
		void writeRejectsFileChangedSinceReadAndShowsDiff() throws Exception {
			StaleChangeTests.this.tools.put("a.txt", "one\ntwo\nthree\n");
			StaleChangeTests.this.tools.read("a.txt");
			StaleChangeTests.this.tools.put("a.txt", "one\n2\nthree\n");
			ToolResult result = StaleChangeTests.this.tools.write("a.txt", "mine\n");
			assertThat(result.error().code()).isEqualTo("stale_read");
			assertThat(result.text()).contains("-two\n+2\n").contains("expected_version=");
			assertThat(StaleChangeTests.this.tools.get("a.txt")).isEqualTo("one\n2\nthree\n");
			assertThat(StaleChangeTests.this.tools.write("a.txt", "mine\n").error()).as("still not read").isNotNull();
			Object version = result.data().get("currentVersion");
			assertThat(StaleChangeTests.this.tools
				.call("Write", Map.of("file_path", "a.txt", "content", "mine\n", "expected_version", version))
				.error()).isNull();
		}

		@Test
		void diffOfRejectedWriteIsCapped() throws Exception {
			StaleChangeTests.this.tools.put("a.txt", "a\n".repeat(5000));
			StaleChangeTests.this.tools.read("a.txt");
			StaleChangeTests.this.tools.put("a.txt", "b\n".repeat(5000));
			ToolResult result = StaleChangeTests.this.tools.write("a.txt", "mine\n");
			assertThat(result.text().lines()).hasSizeLessThan(70);
			assertThat(result.text()).contains("lines of the diff left out");
		}

		@Test
		void writeAcceptsExpectedVersionInsteadOfRead() throws Exception {
			StaleChangeTests.this.tools.put("a.txt", "old\n");
			Object version = StaleChangeTests.this.tools.otherSession().read("a.txt").data().get("version");
			Map<String, Object> call = Map.of("file_path", "a.txt", "content", "new\n", "expected_version", version);
			assertThat(StaleChangeTests.this.tools.call("Write", call).error()).isNull();
			assertThat(StaleChangeTests.this.tools
				.call("Write", Map.of("file_path", "a.txt", "content", "newer\n", "expected_version", version))
				.error()
				.code()).isEqualTo("stale_read");
		}

		@Test
		void largeFileReadInPartIsReplacedOnlyInThatVersion() throws Exception {
			String large = "some line\n".repeat(150_000);
			StaleChangeTests.this.tools.put("a.txt", large);
			StaleChangeTests.this.tools.read("a.txt");
			assertThat(StaleChangeTests.this.tools.edit("a.txt", "some line\n".repeat(3), "x").error().code())
				.isEqualTo("several_matches");
			StaleChangeTests.this.tools.put("a.txt", large + "more\n");
			assertThat(StaleChangeTests.this.tools.edit("a.txt", "more\n", "less\n").error().code())
				.isEqualTo("stale_read");
			assertThat(StaleChangeTests.this.tools.write("a.txt", "new\n").error().code()).isEqualTo("stale_read");
			StaleChangeTests.this.tools.read("a.txt");
			assertThat(StaleChangeTests.this.tools.edit("a.txt", "more\n", "less\n").error()).isNull();
			assertThat(StaleChangeTests.this.tools.edit("a.txt", "less\n", "").error()).isNull();
			assertThat(StaleChangeTests.this.tools.get("a.txt")).isEqualTo(large);
		}

		@Test
		void writeWithExpectedVersionRejectsMissingFile() {
			ToolResult result = StaleChangeTests.this.tools.call("Write",
					Map.of("file_path", "a.txt", "content", "x", "expected_version", "sha256:00"));
			assertThat(result.error().code()).isEqualTo("stale_read");
			assertThat(StaleChangeTests.this.tools.directory().resolve("a.txt")).doesNotExist();
		}

	}

	@Nested
	class Edits {

		@Test
		void editRejectsFileChangedByAnotherSession() throws Exception {
			StaleChangeTests.this.tools.put("a.txt", "one\ntwo\n");
			FileToolsFixture other = StaleChangeTests.this.tools.otherSession();
			StaleChangeTests.this.tools.read("a.txt");
			other.read("a.txt");
			assertThat(other.edit("a.txt", "one", "1").error()).isNull();
			ToolResult result = StaleChangeTests.this.tools.edit("a.txt", "two", "2");
			assertThat(result.error().code()).isEqualTo("stale_read");
			assertThat(result.text()).contains("-one\n+1\n");
			StaleChangeTests.this.tools.read("a.txt");
			assertThat(StaleChangeTests.this.tools.edit("a.txt", "two", "2").error()).isNull();
			assertThat(StaleChangeTests.this.tools.get("a.txt")).isEqualTo("1\n2\n");
		}

		@Test
		void concurrentReadDoesNotLetEditOfOlderVersionSucceed() throws Exception {
			StaleChangeTests.this.tools.put("a.txt", "one\ntwo\n");
			StaleChangeTests.this.tools.read("a.txt");
			WorkspaceFiles files = new ForwardingWorkspaceFiles(StaleChangeTests.this.tools.context().files()) {

				@Override
				public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
					try {
						StaleChangeTests.this.tools.put("a.txt", "1\ntwo\n");
					}
					catch (IOException ex) {
						throw new UncheckedIOException(ex);
					}
					StaleChangeTests.this.tools.read("a.txt");
					return super.apply(change);
				}

			};
			ToolContext context = ToolContext.builder(StaleChangeTests.this.tools.context().currentWorkspace())
				.files(files)
				.session(StaleChangeTests.this.tools.context().session())
				.build();
			ToolResult result = new FileToolsFixture(StaleChangeTests.this.tools.directory(), context).edit("a.txt",
					"two", "2");
			assertThat(result.error().code()).isEqualTo("stale_read");
			assertThat(StaleChangeTests.this.tools.get("a.txt")).isEqualTo("1\ntwo\n");
		}

		@Test
		void diffIgnoresByteOrderMark() throws Exception {
			StaleChangeTests.this.tools.put("a.txt", "\uFEFFone\ntwo\n");
			StaleChangeTests.this.tools.read("a.txt");
			StaleChangeTests.this.tools.put("a.txt", "\uFEFFone\n2\n");
			assertThat(StaleChangeTests.this.tools.edit("a.txt", "two", "zwei").text()).contains(" one\n-two\n+2")
				.doesNotContain("-\uFEFF");
		}

		@Test
		void editOfTextRemovedSinceReadIsStale() throws Exception {
			StaleChangeTests.this.tools.put("a.txt", "one\ntwo\n");
			StaleChangeTests.this.tools.read("a.txt");
			StaleChangeTests.this.tools.put("a.txt", "one\n2\n");
			ToolResult result = StaleChangeTests.this.tools.edit("a.txt", "two", "zwei");
			assertThat(result.error().code()).isEqualTo("stale_read");
			assertThat(result.text()).contains("-two\n+2\n");
		}

		@Test
		void editOfUnreadFileSucceedsWhenTextMatches() throws Exception {
			StaleChangeTests.this.tools.put("a.txt", "one\ntwo\n");
			assertThat(StaleChangeTests.this.tools.edit("a.txt", "one", "1").error()).isNull();
			assertThat(StaleChangeTests.this.tools.edit("a.txt", "two", "2").error()).isNull();
			assertThat(StaleChangeTests.this.tools.write("a.txt", "all").error().code()).isEqualTo("stale_read");
		}

		@Test
		void concurrentEditsOfOneSessionAllSucceed() throws Exception {
			int count = 40;
			StaleChangeTests.this.tools.put("a.txt", lines(count, "old"));
			StaleChangeTests.this.tools.read("a.txt");
			List<ToolResult> results = atOnce(IntStream.range(0, count)
				.mapToObj((i) -> (Callable<ToolResult>) () -> StaleChangeTests.this.tools.edit("a.txt",
						"<" + i + " old>", "<" + i + " new>"))
				.toList());
			assertThat(results).allSatisfy((result) -> assertThat(result.error()).isNull());
			assertThat(StaleChangeTests.this.tools.get("a.txt")).isEqualTo(lines(count, "new"));
		}

		@Test
		void concurrentEditsOfSeveralSessionsLoseNoChange() throws Exception {
			int count = 30;
			StaleChangeTests.this.tools.put("a.txt", lines(count, "old"));
			List<FileToolsFixture> sessions = IntStream.range(0, 3)
				.mapToObj((i) -> StaleChangeTests.this.tools.otherSession())
				.toList();
			List<Callable<Integer>> work = new ArrayList<>();
			for (int s = 0; s < 3; s++) {
				FileToolsFixture session = sessions.get(s);
				int first = s;
				work.add(() -> {
					int refused = 0;
					for (int i = first; i < count; i += 3) {
						String wanted = "<" + i + " old>";
						String replacement = "<" + i + " new>";
						session.read("a.txt");
						while (session.edit("a.txt", wanted, replacement).error() != null) {
							refused++;
							session.read("a.txt");
						}
					}
					return refused;
				});
			}
			atOnce(work);
			assertThat(StaleChangeTests.this.tools.get("a.txt")).isEqualTo(lines(count, "new"));
		}

		@Test
		void onlySingleConcurrentWriteCreatesFile() throws Exception {
			List<ToolResult> results = atOnce(IntStream.range(0, 8).mapToObj((i) -> {
				FileToolsFixture session = StaleChangeTests.this.tools.otherSession();
				return (Callable<ToolResult>) () -> session.write("a.txt", "by " + i);
			}).toList());
			assertThat(results.stream().filter((result) -> result.error() == null)).hasSize(1);
			assertThat(results.stream().filter((result) -> result.error() != null))
				.allSatisfy((result) -> assertThat(result.error().code()).isEqualTo("stale_read"));
		}

		private static String lines(int count, String state) {
			return IntStream.range(0, count)
				.mapToObj((i) -> "<" + i + " " + state + ">\n")
				.collect(Collectors.joining());
		}

	}

	private static <T> List<T> atOnce(List<Callable<T>> work) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(work.size());
		try {
			List<T> results = new ArrayList<>();
			for (Future<T> future : threads.invokeAll(work)) {
				results.add(future.get());
			}
			return results;
		}
		finally {
			threads.shutdownNow();
		}
	}

}
