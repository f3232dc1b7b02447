package io.kairo.benchmarks;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.AgentTool;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolDefinition.Answer;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.checkpoint.ChangesTool;
import io.kairo.tools.checkpoint.CheckpointTool;
import io.kairo.tools.checkpoint.RewindTool;
import io.kairo.tools.checkpoint.TrialTool;
import io.kairo.tools.command.BashInputTool;
import io.kairo.tools.command.BashListTool;
import io.kairo.tools.command.BashOptions;
import io.kairo.tools.command.BashOutputTool;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.command.KillBashTool;
import io.kairo.tools.edit.ApplyPatchTool;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.edit.MultiEditTool;
import io.kairo.tools.entry.CopyTool;
import io.kairo.tools.entry.DeleteTool;
import io.kairo.tools.entry.MoveTool;
import io.kairo.tools.entry.UndeleteTool;
import io.kairo.tools.file.InfoTool;
import io.kairo.tools.file.ListFilesTool;
import io.kairo.tools.file.ListTool;
import io.kairo.tools.file.ReadFileTool;
import io.kairo.tools.file.ReadOptions;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WorkspaceInfoTool;
import io.kairo.tools.file.WriteFileTool;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.history.CommitTool;
import io.kairo.tools.history.DiffTool;
import io.kairo.tools.history.PushTool;
import io.kairo.tools.history.WriteBackTool;
import io.kairo.tools.search.GlobOptions;
import io.kairo.tools.search.GlobTool;
import io.kairo.tools.search.GrepOptions;
import io.kairo.tools.search.GrepTool;
import io.kairo.tools.trash.TrashStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

/**
 * Measures the tokens that the tools take in each request to a model, and those of
 * answers, and tests that {@code docs/tools.md} states them.
 */
class ToolTokensTests {

	private static final String WRITE = "kairo.docs.write";

	private static final String HEAD = """
			| tools | characters | tokens | `snake_case` characters | tokens |
			|---|---|---|---|---|
			""";

	private static final String ANSWERS = """
			| answer | characters | tokens | with the data, characters | tokens |
			|---|---|---|---|---|
			""";

	private static final Pattern NUMBER = Pattern.compile("\\d[\\d,]*");

	private static final int TOLERANCE = 10;

	private static final List<String> SUBSETS = List.of("Read, List, Info, Glob, Grep", "Read, Edit, Glob, Grep, Bash");

	private static final Encoding ENCODING = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.O200K_BASE);

	private final Path page = Path.of("..", "..", "docs", "tools.md");

	private static List<AgentTool> tools(ToolNaming naming) {
		TrashStore trash = TrashStore.ofUser();
		BashOptions bash = BashOptions.defaults();
		Duration deadline = CallDeadline.DEFAULT_TIMEOUT;
		boolean claude = naming == ToolNaming.CLAUDE;
		return List.of(claude ? new ReadTool() : new ReadFileTool(), claude ? new WriteTool() : new WriteFileTool(),
				new EditTool(EditOptions.defaults(), naming), new MultiEditTool(EditOptions.defaults(), naming),
				new ApplyPatchTool(EditOptions.defaults(), trash, naming),
				claude ? new ListTool() : new ListFilesTool(), claude ? new InfoTool() : new WorkspaceInfoTool(),
				new GlobTool(GlobOptions.defaults(), naming), new GrepTool(GrepOptions.defaults(), naming),
				new MoveTool(deadline, naming), new CopyTool(deadline, naming), new DeleteTool(trash, deadline, naming),
				new UndeleteTool(trash, naming), new CheckpointTool(naming),
				new ChangesTool(ReadOptions.defaults().maxCharacters(), naming),
				new RewindTool(ReadOptions.defaults().maxCharacters(), naming),
				new TrialTool(ReadOptions.defaults().maxCharacters(), naming), new BashTool(bash, naming),
				new BashOutputTool(bash.timeout(), bash.maxTimeout(), naming), new BashInputTool(naming),
				new KillBashTool(naming), new BashListTool(naming),
				new DiffTool(ReadOptions.defaults().maxCharacters(), naming), new CommitTool(naming),
				new PushTool(naming), new WriteBackTool(naming));
	}

	/**
	 * Returns the tool as requests contain it.
	 */
	private static String json(ToolDefinition tool) {
		StringWriter text = new StringWriter();
		try (JsonGenerator json = JsonMapper.shared().createGenerator(text)) {
			json.writeStartObject()
				.writeStringProperty("name", tool.name())
				.writeStringProperty("description", tool.description())
				.writePOJOProperty("input_schema", tool.inputSchema())
				.writeEndObject();
		}
		return text.toString();
	}

	/**
	 * Returns the row of some tools.
	 * @param names their names
	 * @param catalog the names of those in the catalog, on which descriptions depend
	 */
	private static String row(String title, List<String> names, List<String> catalog) {
		StringBuilder row = new StringBuilder("| " + title + " |");
		for (ToolNaming naming : ToolNaming.values()) {
			List<AgentTool> tools = tools(naming).stream()
				.filter((tool) -> catalog.stream().map(naming::tool).anyMatch(tool.definition().name()::equals))
				.toList();
			List<String> texts = ToolCatalog.of(tools, List.of())
				.definitions()
				.stream()
				.filter((tool) -> names.stream().map(naming::tool).anyMatch(tool.name()::equals))
				.map(ToolTokensTests::json)
				.toList();
			assertThat(texts).as(title).hasSameSizeAs(names);
			row.append(String.format(Locale.ROOT, " %,d | %,d |", texts.stream().mapToInt(String::length).sum(),
					texts.stream().mapToInt(ENCODING::countTokensOrdinary).sum()));
		}
		return row.append('\n').toString();
	}

	private static String table() {
		List<String> all = tools(ToolNaming.CLAUDE).stream().map((tool) -> tool.definition().name()).toList();
		StringBuilder table = new StringBuilder(HEAD);
		all.forEach((name) -> table.append(row("`" + name + "`", List.of(name), all)));
		table.append(row("all", all, all));
		List<String> usual = all.subList(0, all.size() - 3);
		table.append(row("all but `Diff`, `Commit`, `Push`", usual, usual));
		for (String subset : SUBSETS) {
			List<String> names = List.of(subset.split(", "));
			table.append(row("`" + String.join("`, `", names) + "`", names, names));
		}
		return table.toString();
	}

	/**
	 * Returns the table of answers: the form that is sent by default, and the structured
	 * content of all tools, which has the text and the data.
	 */
	private static String answers(Scratch scratch) throws Exception {
		Path directory = scratch.directoryOfCommands();
		Files.writeString(directory.resolve("numbers.txt"), "a line with a number\n".repeat(100));
		Map<String, Map<String, Object>> calls = new LinkedHashMap<>();
		calls.put("Read", Map.of("file_path", "numbers.txt"));
		calls.put("Grep", Map.of("pattern", "number", "output_mode", "content", "head_limit", 20));
		calls.put("Glob", Map.of("pattern", "*"));
		calls.put("List", Map.of());
		calls.put("Bash", Map.of("command", "cat numbers.txt; exit 3"));
		StringBuilder table = new StringBuilder(ANSWERS);
		AgentSessions sessions = scratch.closing(new AgentSessions(LeaseBenchmarks.router(directory),
				Costs.factory(scratch), scratch.closing(new LocalProcessSandbox())));
		sessions.runInSession(TenantContext.SINGLE, "s", (context) -> {
			calls.forEach((name, arguments) -> table.append(answer(ToolNaming.CLAUDE, name, arguments, context)));
			table.append(answer(ToolNaming.SNAKE_CASE, "read_file", Map.of("path", "numbers.txt"), context));
		});
		return table.toString();
	}

	private static String answer(ToolNaming naming, String name, Map<String, Object> arguments, ToolContext context) {
		ToolCatalog catalog = ToolCatalog.of(tools(naming), List.of());
		ToolResult result = catalog.call(name, arguments, context);
		Map<String, Object> all = result.structured(naming);
		String text = result.text();
		if (catalog.definitions()
			.stream()
			.anyMatch((tool) -> tool.name().equals(name) && tool.answer() == Answer.DATA)) {
			text = JsonMapper.shared().writeValueAsString(all);
		}
		else {
			all.put("text", text);
		}
		String content = JsonMapper.shared().writeValueAsString(all);
		return String.format(Locale.ROOT, "| `%s` | %,d | %,d | %,d | %,d |\n", name, text.length(),
				ENCODING.countTokensOrdinary(text), content.length(), ENCODING.countTokensOrdinary(content));
	}

	@Test
	void pageStatesTokensOfEachTool() throws IOException {
		assertStated(HEAD, table());
	}

	@Test
	void pageStatesTokensOfAnswers(@TempDir Path directory) throws Exception {
		try (Scratch scratch = new Scratch(directory)) {
			assertStated(ANSWERS, answers(scratch));
		}
	}

	private void assertStated(String head, String expected) throws IOException {
		String text = Files.readString(this.page);
		Matcher stated = Pattern.compile(Pattern.quote(head) + "(\\|.*\n)*").matcher(text);
		assertThat(stated.find()).as("table in %s", this.page).isTrue();
		if (Boolean.getBoolean(WRITE)) {
			Files.writeString(this.page, stated.replaceFirst(Matcher.quoteReplacement(expected)));
			return;
		}
		assertThat(NUMBER.matcher(stated.group()).replaceAll("n")).as("stale, run the test with -D" + WRITE + "=true")
			.isEqualTo(NUMBER.matcher(expected).replaceAll("n"));
		List<Integer> measured = numbers(expected).toList();
		List<Integer> numbers = numbers(stated.group()).toList();
		for (int i = 0; i < measured.size(); i++) {
			assertThat(numbers.get(i)).as("stale, run the test with -D" + WRITE + "=true")
				.isCloseTo(measured.get(i), withinPercentage(TOLERANCE));
		}
	}

	private static Stream<Integer> numbers(String table) {
		return NUMBER.matcher(table).results().map(MatchResult::group).map((n) -> Integer.valueOf(n.replace(",", "")));
	}

}
