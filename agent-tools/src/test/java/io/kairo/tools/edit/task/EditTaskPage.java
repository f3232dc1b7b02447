package io.kairo.tools.edit.task;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.kairo.tools.edit.task.EditResults.Result;
import io.kairo.tools.edit.task.EditTask.Dialect;
import org.jspecify.annotations.Nullable;

/**
 * The page about the tasks.
 *
 * @param results the results
 */
record EditTaskPage(EditResults results) {

	private static final String HEAD = """
			# Edit tasks

			This page is made from the results of %d tasks, which change files in several languages and charsets. A test runs them in every build and
			fails when the page is stale; `mvn -pl agent-tools -am test -Dtest=EditTaskTests \
			-Dsurefire.failIfNoSpecifiedTests=false -Dkairo.docs.write=true`
			makes it anew. The tasks, with the outcome that a careful engineer wants, are in `agent-tools/src/test/resources/edit-tasks`.

			| outcome | |
			|---|---|
			| right | the files are as they must be, byte for byte |
			| hint | the call was refused, nothing has changed, and the text names a place (a line, a hunk, an edit) or the next step |
			| bare | the call was refused, and nothing has changed |
			| wrong | other bytes, part of the changes, or a success for a call that has no right outcome |

			The same tasks are given to implementations on Maven Central: the tool `Edit` of Spring AI Agent Utils, the patches of JGit, and those of
			java-diff-utils, exact and with a fuzz of two lines. JGit and java-diff-utils are made for patches that a program wrote; these are written as
			models write them. A dash stands for what an implementation does not have.

			- One rule reads the texts of all of them; a message with no more than the header of a hunk counts as a hint.
			- If a call may be refused or applied, and Kairo is expected to refuse, the table of tasks has "hint or right": a file that has changed since
			  it was read is an example, which the others do not notice.
			- java-diff-utils patches lists of lines: the test finds the files, decodes them with their charset and keeps their line ends. Tasks about
			  whole files and about the end of the last line are left out. JGit gets the patch in the charset of the file, except for UTF-16.
			- `Edit` of Spring AI Agent Utils creates no files; for an empty `old_string` and an existing file it does not return.
			""";

	String render() {
		StringBuilder page = new StringBuilder(HEAD.formatted(this.results.results().size()));
		page.append(
				"\n## By dialect\n\n| dialect | to apply | to refuse | implementation | right | hint | bare | wrong |\n"
						+ "|---|---|---|---|---|---|---|---|\n");
		for (Dialect dialect : Dialect.values()) {
			List<EditTask> tasks = tasks((task) -> task.dialect() == dialect);
			long refused = tasks.stream().filter((task) -> task.refusal() != null).count();
			String start = "%s | %d | %d".formatted(dialect.description(), tasks.size() - refused, refused);
			for (int i = 0; i < this.results.implementations().size(); i++) {
				List<Result> some = results(tasks, i);
				if (!some.isEmpty()) {
					page.append("| %s | %s | %s |\n".formatted((i == 0) ? start : "| |",
							this.results.implementations().get(i).name(), counts(some, " | ")));
				}
			}
		}
		page.append(
				"\n## By difficulty\n\nThe columns have the numbers of right, hint, bare and wrong.\n\n| difficulty | ")
			.append(names())
			.append(" |\n|---|")
			.append("---|".repeat(this.results.implementations().size()))
			.append('\n');
		for (String kind : this.results.results().keySet().stream().map(EditTask::kind).distinct().toList()) {
			page.append("| ").append(kind).append(" |");
			List<EditTask> tasks = tasks((task) -> task.kind().equals(kind));
			for (int i = 0; i < this.results.implementations().size(); i++) {
				List<Result> some = results(tasks, i);
				page.append(some.isEmpty() ? " - |" : " " + counts(some, " / ") + " |");
			}
			page.append('\n');
		}
		return page.append(list()).toString();
	}

	private String list() {
		StringBuilder list = new StringBuilder("\n## Tasks\n\n| change | language | charset | dialect | wanted | ")
			.append(names())
			.append(" |\n|---|---|---|---|---|")
			.append("---|".repeat(this.results.implementations().size()))
			.append('\n');
		this.results.results().forEach((task, row) -> {
			String wanted = (task.refusal() == null) ? "right" : (task.after() == null) ? "hint" : "hint or right";
			list.append("| %s | %s | %s | %s | %s |".formatted(task.name(), task.language(), task.charset().name(),
					task.dialect().title(), wanted));
			row.forEach((result) -> list.append(' ')
				.append((result == null) ? "-"
						: (result.outcome() == EditOutcome.WRONG) ? "**wrong**" : result.outcome().title())
				.append(" |"));
			list.append('\n');
		});
		return list.toString();
	}

	private String names() {
		return this.results.implementations().stream().map(EditImplementation::name).collect(Collectors.joining(" | "));
	}

	private List<EditTask> tasks(Function<EditTask, Boolean> filter) {
		return this.results.results().keySet().stream().filter(filter::apply).toList();
	}

	private List<Result> results(List<EditTask> tasks, int implementation) {
		List<Result> some = new ArrayList<>();
		for (EditTask task : tasks) {
			@Nullable Result result = this.results.results().get(task).get(implementation);
			if (result != null) {
				some.add(result);
			}
		}
		return some;
	}

	private static String counts(List<Result> results, String separator) {
		Map<EditOutcome, Integer> counts = new LinkedHashMap<>();
		for (EditOutcome outcome : EditOutcome.values()) {
			counts.put(outcome, 0);
		}
		results.forEach((result) -> counts.merge(result.outcome(), 1, Integer::sum));
		return counts.values().stream().map(String::valueOf).collect(Collectors.joining(separator));
	}

}
