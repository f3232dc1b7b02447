package io.kairo.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.tools.edit.EditTool;
import io.kairo.tools.file.FileToolsFixture;
import io.kairo.tools.search.GlobOptions;
import io.kairo.tools.search.GlobTool;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls tools in a JVM with a small heap, for {@link SmallHeapTests}.
 */
final class SmallHeapProgram {

	private static final ToolCatalog CATALOG = ToolCatalog
		.of(List.of(new EditTool(), new GlobTool(GlobOptions.defaults())), List.of());

	private SmallHeapProgram() {
	}

	public static void main(String[] arguments) throws Exception {
		Path directory = Path.of(arguments[0]).toRealPath();
		ToolContext context = ToolContext.builder(FileToolsFixture.workspace(directory)).build();
		switch (arguments[1]) {
			case "edit" -> edit(context);
			case "grow" -> grow(context, directory.resolve("a.txt"));
			default -> glob(context);
		}
	}

	private static void edit(ToolContext context) {
		Map<String, Object> first = Map.of("file_path", "a.txt", "old_string", "a\n\n", "new_string", "a\n");
		assertThat(timed("several", context, Map.of("file_path", "a.txt", "old_string", "\n\n", "new_string", "x"))
			.error()).isNotNull().extracting(ToolError::code).isEqualTo("several_matches");
		assertThat(timed("all", context,
				Map.of("file_path", "a.txt", "old_string", "\n", "new_string", "x", "replace_all", true))
			.error()).isNotNull().extracting(ToolError::code).isEqualTo("too_large");
		ToolResult shown = timed("dry run", context,
				Map.of("file_path", "a.txt", "old_string", "a\n\n", "new_string", "x\n", "dry_run", true));
		assertThat(shown.text()).contains("-a\n", "+x\n");
		ToolResult written = timed("first", context, first);
		assertThat(written.text()).startsWith("Edited 'a.txt': 1 replacement");
	}

	private static void grow(ToolContext context, Path file) throws Exception {
		ToolResult result = timed("grow", context, Map.of("file_path", "a.txt", "old_string", "a", "new_string",
				"0123456789".repeat(5_000), "replace_all", true));
		assertThat(result.error()).isNotNull().extracting(ToolError::code).isEqualTo("too_large");
		assertThat(result.text()).contains("200,000 bytes", "67,108,864", "100,000 places", "Nothing was written");
		assertThat(Files.size(file)).isEqualTo(200_000);
	}

	private static void glob(ToolContext context) {
		String directory = "d/".repeat(30) + ".";
		ToolResult result = CATALOG.call("Glob", Map.of("pattern", "*.txt", "path", directory), context);
		assertThat(result.text()).contains("a.txt", "30 ignore files applied in part: too long, or too many rules");
	}

	private static ToolResult timed(String name, ToolContext context, Map<String, Object> arguments) {
		long start = System.nanoTime();
		ToolResult result = CATALOG.call("Edit", arguments, context);
		System.out.println(name + ": " + (System.nanoTime() - start) / 1_000_000 + " ms: "
				+ result.text().substring(0, Math.min(result.text().length(), 300)));
		return result;
	}

}
