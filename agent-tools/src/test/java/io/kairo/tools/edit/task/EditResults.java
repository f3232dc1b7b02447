package io.kairo.tools.edit.task;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.kairo.tools.edit.task.EditTask.Tree;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of all tasks with all implementations.
 *
 * @param implementations the implementations, Kairo first
 * @param results the results of each task, in the order of the implementations; null
 * where an implementation does not support the task
 */
record EditResults(List<EditImplementation> implementations, Map<EditTask, List<@Nullable Result>> results) {

	/**
	 * Runs all tasks.
	 * @param directory an empty directory
	 */
	static EditResults run(Path directory) throws Exception {
		List<EditImplementation> implementations = List.of(new KairoEdits(directory.resolve("trash")),
				new AgentUtilsEdits(), new JGitEdits(directory.resolve("git")), new DiffUtilsEdits(0),
				new DiffUtilsEdits(2));
		Map<EditTask, List<@Nullable Result>> results = new LinkedHashMap<>();
		for (EditTask task : EditTaskReader.read()) {
			List<@Nullable Result> row = new ArrayList<>();
			for (EditImplementation implementation : implementations) {
				row.add(implementation.supports(task) ? run(task, implementation, directory.resolve("work")) : null);
			}
			results.put(task, row);
		}
		return new EditResults(implementations, results);
	}

	private static Result run(EditTask task, EditImplementation implementation, Path directory) throws Exception {
		Files.createDirectory(directory);
		String refusal;
		write(task.read(), directory);
		EditImplementation.Attempt attempt = implementation.open(directory);
		if (task.isStale()) {
			task.read().files().keySet().forEach(attempt::read);
			write(task.before(), directory);
		}
		try {
			refusal = attempt.apply(task);
		}
		catch (Exception ex) {
			refusal = Objects.requireNonNullElse(ex.getMessage(), ex.getClass().getSimpleName());
		}
		Tree after = takeAway(directory);
		return new Result(EditOutcome.of(task, after, refusal), Objects.requireNonNullElse(refusal, ""), after);
	}

	private static void write(Tree tree, Path directory) throws IOException {
		for (Map.Entry<String, String> file : tree.files().entrySet()) {
			Path path = directory.resolve(file.getKey());
			Files.createDirectories(path.getParent());
			Files.write(path, file.getValue().getBytes(StandardCharsets.ISO_8859_1));
		}
	}

	private static Tree takeAway(Path directory) throws IOException {
		Map<String, String> files = new TreeMap<>();
		try (Stream<Path> entries = Files.walk(directory)) {
			for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
				if (Files.isRegularFile(entry)) {
					files.put(directory.relativize(entry).toString(),
							Files.readString(entry, StandardCharsets.ISO_8859_1));
				}
				Files.delete(entry);
			}
		}
		return new Tree(files);
	}

	/**
	 * The result of a task.
	 *
	 * @param outcome its outcome
	 * @param text the text of the refusal, empty without one
	 * @param after the files afterwards
	 */
	record Result(EditOutcome outcome, String text, Tree after) {
	}

}
