package io.kairo.tools;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.kairo.tools.checkpoint.ChangesTool;
import io.kairo.tools.checkpoint.RewindTool;
import io.kairo.tools.checkpoint.TrialTool;
import io.kairo.tools.command.BashOptions;
import io.kairo.tools.command.BashOutputTool;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.edit.ApplyPatchTool;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.edit.MultiEditTool;
import io.kairo.tools.entry.DeleteTool;
import io.kairo.tools.entry.UndeleteTool;
import io.kairo.tools.file.InfoOptions;
import io.kairo.tools.file.InfoTool;
import io.kairo.tools.file.ListFilesTool;
import io.kairo.tools.file.ListOptions;
import io.kairo.tools.file.ListTool;
import io.kairo.tools.file.ReadFileTool;
import io.kairo.tools.file.ReadOptions;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WorkspaceInfoTool;
import io.kairo.tools.file.WriteFileTool;
import io.kairo.tools.file.WriteOptions;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.history.DiffTool;
import io.kairo.tools.search.GlobOptions;
import io.kairo.tools.search.GlobTool;
import io.kairo.tools.search.GrepOptions;
import io.kairo.tools.search.GrepTool;
import io.kairo.tools.trash.TrashOptions;
import io.kairo.tools.trash.TrashStore;
import io.kairo.workspace.search.SearchLimits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for the descriptions and schemas that models get.
 */
class ToolDescriptionTests {

	/** Optional parameters that have no default value in their schema. */
	private static final Map<String, String> WITHOUT_DEFAULT = Map.of("Bash timeout",
			"a command in the background has another one", "BashOutput timeout", "depends on wait_for", "Grep -A",
			"is that of -C", "Grep -B", "is that of -C", "read_file offset", "without a range, the data are the file",
			"read_file limit", "without a range, the data are the file", "Changes steps", "without it, all steps");

	private static final Pattern EXAMPLE = Pattern.compile("\nExample: (\\{.*})\\z");

	private static final TrashStore TRASH = new TrashStore(Path.of("trash"),
			new TrashOptions(70_001, 70_002, 703, Duration.ofHours(74)));

	@SuppressWarnings("unchecked")
	private static Map<String, Object> properties(Map<?, ?> schema) {
		return (Map<String, Object>) schema.get("properties");
	}

	@SuppressWarnings("unchecked")
	private static List<String> required(Map<?, ?> schema) {
		return (List<String>) Objects.requireNonNullElse(schema.get("required"), List.of());
	}

	/**
	 * Returns the optional switches and numbers of a schema that have no default value.
	 */
	private static List<String> withoutDefault(Map<?, ?> schema) {
		List<String> missing = new ArrayList<>();
		properties(schema).forEach((name, value) -> {
			Map<?, ?> property = (Map<?, ?>) value;
			Object type = property.get("type");
			Object standard = property.get("default");
			if (property.get("items") instanceof Map<?, ?> item && item.containsKey("properties")) {
				missing.addAll(withoutDefault(item));
			}
			else if (!required(schema).contains(name) && ("boolean".equals(type) && !(standard instanceof Boolean)
					|| "integer".equals(type) && !(standard instanceof Integer))) {
				missing.add(String.valueOf(name));
			}
		});
		return missing;
	}

	@ParameterizedTest
	@EnumSource(ToolNaming.class)
	void optionalSwitchesAndNumbersHaveDefaults(ToolNaming naming) {
		List<String> exceptions = WITHOUT_DEFAULT.keySet().stream().map((exception) -> {
			String[] names = exception.split(" ");
			return naming.tool(names[0]) + " " + naming.parameter(names[1]);
		}).toList();
		List<String> missing = AllTools.of(naming)
			.stream()
			.map(AgentTool::definition)
			.flatMap((tool) -> withoutDefault(tool.inputSchema()).stream().map((name) -> tool.name() + " " + name))
			.toList();
		assertThat(missing).isNotEmpty().isSubsetOf(exceptions);
	}

	@Test
	void defaultsOfASchemaAreThoseOfTheTool() {
		assertThat(properties(new GrepTool().definition().inputSchema())).hasEntrySatisfying("-n",
				(numbers) -> assertThat(numbers).isEqualTo(
						Map.of("type", "boolean", "description", "Show line numbers, for content", "default", true)));
		ToolDefinition read = new ReadTool(new ReadOptions(71, 72, 73)).definition();
		assertThat(read.inputSchema().toString()).contains("default=71");
		assertThat(new ListTool(new ListOptions(7, 8, 9)).definition().inputSchema().toString()).contains("default=7",
				"default=8");
	}

	@ParameterizedTest
	@EnumSource(ToolNaming.class)
	@SuppressWarnings("unchecked")
	void exampleMatchesSchema(ToolNaming naming) {
		for (AgentTool tool : AllTools.of(naming)) {
			ToolDefinition definition = tool.definition();
			Matcher example = EXAMPLE.matcher(definition.description());
			if (tool instanceof ApplyPatchTool) {
				assertThat(definition.description()).contains("\n*** Begin Patch\n", "\n*** End Patch\n");
				continue;
			}
			assertThat(example.find()).as(definition.description()).isTrue();
			assertMatches(definition.inputSchema(), JsonMapper.shared().readValue(example.group(1), Map.class));
		}
	}

	@SuppressWarnings("unchecked")
	private static void assertMatches(Map<?, ?> schema, Map<String, Object> arguments) {
		assertThat(arguments.keySet()).isSubsetOf(properties(schema).keySet()).containsAll(required(schema));
		arguments.forEach((name, value) -> {
			Map<?, ?> property = (Map<?, ?>) properties(schema).get(name);
			assertThat(value).isInstanceOf(switch (String.valueOf(property.get("type"))) {
				case "boolean" -> Boolean.class;
				case "integer" -> Integer.class;
				case "array" -> List.class;
				default -> String.class;
			});
			if (value instanceof List<?> list && property.get("items") instanceof Map<?, ?> item
					&& item.containsKey("properties")) {
				list.forEach((each) -> assertMatches(item, (Map<String, Object>) each));
			}
		});
	}

	static Stream<Map.Entry<AgentTool, List<String>>> unusualTools() {
		ReadOptions read = new ReadOptions(71, 72, 73_000);
		ListOptions list = new ListOptions(7, 78, 7_900);
		InfoOptions info = new InfoOptions(Duration.ofMillis(7_123));
		EditOptions edit = new EditOptions(70_123, 7, 7);
		BashOptions bash = new BashOptions(Duration.ofMillis(7_456), Duration.ofMillis(70_456), 1, 1);
		return Stream.of(entry(new ReadTool(read), List.of("71 lines", "over 72 characters", "73,000 characters")),
				entry(new ReadFileTool(read), List.of("71 lines", "over 72 characters", "73,000 characters")),
				entry(new WriteTool(new WriteOptions(7_100, 7)), List.of("7,100 bytes")),
				entry(new WriteFileTool(new WriteOptions(7_100, 7)), List.of("7,100 bytes")),
				entry(new EditTool(edit), List.of("70,123 bytes")),
				entry(new MultiEditTool(edit, ToolNaming.CLAUDE), List.of("70,123 bytes", "1,000 edits")),
				entry(new ApplyPatchTool(edit, TRASH, ToolNaming.CLAUDE), List.of("70,123 bytes")),
				entry(new ListTool(list), List.of("78 entries", "7,900 at most")),
				entry(new ListFilesTool(list), List.of("78 entries", "7,900 at most")),
				entry(new InfoTool(info), List.of("7,123 ms")), entry(new WorkspaceInfoTool(info), List.of("7,123 ms")),
				entry(new GlobTool(new GlobOptions(77, 7_700, SearchLimits.DEFAULTS)),
						List.of("77 files", "7,700 at most")),
				entry(new GrepTool(new GrepOptions(76, 7_600, 76_000, SearchLimits.DEFAULTS)),
						List.of("76 lines or files", "7,600 at most", "76,000 characters")),
				entry(new DeleteTool(TRASH, Duration.ofSeconds(1), ToolNaming.CLAUDE),
						List.of("74 hours", "70,001 bytes", "703 files")),
				entry(new UndeleteTool(TRASH, ToolNaming.CLAUDE), List.of("74 hours")),
				entry(new BashTool(bash), List.of("7,456 ms", "70,456 ms at most")),
				entry(new BashOutputTool(bash.timeout(), bash.maxTimeout(), ToolNaming.CLAUDE),
						List.of("7,456 ms by default", "70,456 ms at most")),
				entry(new ChangesTool(75_000, ToolNaming.CLAUDE), List.of("75,000 characters")),
				entry(new RewindTool(75_000, ToolNaming.CLAUDE), List.of("75,000 characters")),
				entry(new TrialTool(75_000, ToolNaming.CLAUDE), List.of("75,000 characters")),
				entry(new DiffTool(74_000), List.of("74,000 characters")));
	}

	@ParameterizedTest
	@MethodSource("unusualTools")
	void descriptionStatesBoundsOfTheTool(Map.Entry<AgentTool, List<String>> tool) {
		assertThat(tool.getKey().definition().description()).contains(tool.getValue());
	}

	@ParameterizedTest
	@EnumSource(ToolNaming.class)
	void descriptionIsShort(ToolNaming naming) {
		for (AgentTool tool : AllTools.of(naming)) {
			assertThat(tool.definition().description()).as(tool.definition().name()).hasSizeBetween(100, 1300);
		}
	}

	@Test
	void descriptionNamesOnlyToolsOfTheCatalog() {
		List<AgentTool> tools = AllTools.of(ToolNaming.SNAKE_CASE);
		String others = tools.stream()
			.map((tool) -> tool.definition().name())
			.filter((name) -> name.contains("_"))
			.collect(Collectors.joining("|", "\\b(", ")\\b"));
		for (AgentTool tool : tools) {
			String alone = ToolCatalog.of(List.of(tool), List.of()).definitions().get(0).description();
			assertThat(alone).doesNotContainPattern(others).doesNotContainPattern("\\{[A-Z-]|\\[ |[.:,]  ");
		}
	}

	@ParameterizedTest
	@EnumSource(ToolNaming.class)
	void descriptionInCatalogOfAllToolsIsWhole(ToolNaming naming) {
		List<AgentTool> tools = AllTools.of(naming);
		assertThat(ToolCatalog.of(tools, List.of()).definitions())
			.isEqualTo(tools.stream().map(AgentTool::definition).toList());
	}

	@Test
	void partAboutAnotherToolIsLeftOutWithoutIt() {
		NotingTool tool = new NotingTool();
		AgentTool search = new GrepTool(GrepOptions.defaults(), ToolNaming.SNAKE_CASE);
		assertThat(tool.definition().description())
			.isEqualTo("Notes [a] {Unknown} path. See read_file. See search_files.");
		assertThat(ToolCatalog.of(List.of(tool, search), List.of()).definitions().get(0).description())
			.isEqualTo("Notes [a] {Unknown} path. See search_files.");
		assertThat(tool.definition("kairo_", Set.of("kairo_read_file")).description())
			.isEqualTo("Notes [a] {Unknown} path. See kairo_read_file.");
		assertThat(tool.definition().inputSchema().toString()).contains("default=3");
	}

	/**
	 * A tool of an application whose description names others.
	 */
	private static final class NotingTool extends RecordTool<NotingTool.Input> {

		NotingTool() {
			super("Note", "Notes [a] {Unknown} {file_path}.[ See {Read}.][ See {Grep}.]", Input.class, Map.of(),
					ToolNaming.SNAKE_CASE, Map.of(), ToolAnnotations.READ_ONLY);
		}

		@Override
		protected ToolResult call(Input input, ToolContext context) {
			return ToolResult.ok("", Map.of());
		}

		record Input(@JsonProperty(value = "times",
				defaultValue = "3") @JsonPropertyDescription("The number") @Nullable Long times) {

		}

	}

}
