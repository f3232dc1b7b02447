package io.kairo.tools.edit.task;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.kairo.tools.edit.task.EditResults.Result;
import io.kairo.tools.edit.task.EditTask.Dialect;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests that the tools perform every edit task as a careful engineer wants it, and that
 * {@code docs/generated/edit-tasks.md} has the results.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class EditTaskTests {

	private static final String WRITE = "kairo.docs.write";

	private final Path page = Path.of("..", "docs", "generated", "edit-tasks.md");

	private EditResults results;

	@BeforeAll
	void runTasks(@TempDir Path directory) throws Exception {
		this.results = EditResults.run(directory);
	}

	@Test
	void everyTaskIsAppliedRightOrRefusedWithHint() {
		List<String> problems = new ArrayList<>();
		this.results.results().forEach((task, row) -> {
			Result result = Objects.requireNonNull(row.get(0));
			EditOutcome wanted = (task.refusal() != null) ? EditOutcome.HINT : EditOutcome.RIGHT;
			if (result.outcome() != wanted || (task.refusal() != null && !result.text().contains(task.refusal()))) {
				problems.add("%s: %s instead of %s '%s': %s%n%s".formatted(task, result.outcome(), wanted,
						task.refusal(), result.text(), result.after()));
			}
		});
		assertThat(problems).isEmpty();
	}

	@Test
	void tasksCoverDialectsLanguagesAndCharsets() {
		assertThat(this.results.results()).hasSizeGreaterThanOrEqualTo(120);
		assertThat(Dialect.values()).allSatisfy(
				(dialect) -> assertThat(this.results.results().keySet()).filteredOn((task) -> task.dialect() == dialect)
					.hasSizeGreaterThanOrEqualTo(40));
		assertThat(this.results.results().keySet()).extracting((task) -> task.charset().name())
			.contains("UTF-8", "UTF-16LE", "windows-1252", "GBK", "Shift_JIS");
		assertThat(this.results.results().keySet()).extracting(EditTask::language)
			.contains("Java", "Python", "TypeScript", "Go", "YAML", "Markdown", "Makefile", "HTML", "SQL");
	}

	@Test
	void pageMatchesResults() throws Exception {
		assumeTrue(Charset.defaultCharset().equals(StandardCharsets.UTF_8),
				"other implementations write with the default charset, which is " + Charset.defaultCharset());
		String expected = new EditTaskPage(this.results).render();
		if (Boolean.getBoolean(WRITE)) {
			Files.writeString(this.page, expected);
		}
		assertThat(this.page).as("stale, run the test with -D" + WRITE + "=true").hasContent(expected);
	}

}
