package demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A call that the scripted model makes, and the parts that its answer must have.
 *
 * @param tool the tool
 * @param arguments the arguments; {@code {id}} stands for the id of the command in the
 * background
 * @param expected the parts that a model must see
 */
record Step(String tool, Map<String, Object> arguments, List<String> expected) {

	/** A PNG image of one pixel. */
	static final String IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

	static final List<Step> SCRIPT = List.of(
			new Step("Read", Map.of("file_path", "notes.txt"), List.of("1\tfirst line", "2\tsecond line")),
			new Step("Bash", Map.of("command", "echo out; echo problem >&2; exit 3"),
					List.of("out", "problem", "exit code 3")),
			new Step("Grep", Map.of("pattern", "second", "output_mode", "content"),
					List.of("notes.txt:2:second line")),
			new Step("Edit", Map.of("file_path", "notes.txt", "old_string", "second", "new_string", "2nd"),
					List.of("2\t2nd line")),
			new Step("Bash", Map.of("command", "rm notes.txt"), List.of("(no output)")),
			new Step("Rewind", Map.of("steps", 1), List.of("notes.txt")),
			new Step("Bash", Map.of("command", "rm notes.txt; echo tried > tried.txt; ls", "trial", true),
					List.of("tried.txt")),
			new Step("Trial", Map.of("action", "changes"), List.of("Would be committed: ", "notes.txt", "+tried")),
			new Step("Trial", Map.of("action", "discard"), List.of("Discarded")),
			new Step("Trial", Map.of("action", "begin"), List.of("The trial has begun")),
			new Step("Write", Map.of("file_path", "kept.txt", "content", "kept"), List.of("kept.txt")),
			new Step("Trial", Map.of("action", "commit"), List.of("Committed: ", "kept.txt")),
			new Step("Read", Map.of("file_path", "absent.txt"), List.of("file_not_found", "Check the path.")),
			new Step("Bash", Map.of("command", "echo started; sleep 60", "run_in_background", true),
					List.of("Started in the background as bash_")),
			new Step("BashOutput", Map.of("bash_id", "{id}", "wait_for", "started"), List.of("started", "running")),
			new Step("KillBash", Map.of("bash_id", "{id}"), List.of("ended")),
			new Step("Read", Map.of("file_path", "image.png"), List.of(IMAGE)));

	Map<String, Object> arguments(UnaryOperator<String> values) {
		Map<String, Object> arguments = new LinkedHashMap<>(this.arguments);
		arguments.replaceAll((name, value) -> (value instanceof String text) ? values.apply(text) : value);
		return arguments;
	}

}
