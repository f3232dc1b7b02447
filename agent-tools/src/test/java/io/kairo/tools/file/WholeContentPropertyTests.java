package io.kairo.tools.file;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the answers of {@link ReadTool}, read on as they say, are the whole content
 * of a file. The system property {@code kairo.stress=long} increases the number of files.
 */
class WholeContentPropertyTests {

	private static final int ROUNDS = "long".equals(System.getProperty("kairo.stress")) ? 100 : 30;

	private static final List<String> PARTS = List.of("a", "é", "漢字", "😀", "e\u0301", "\n", "\r\n", "\r", "\f",
			"\u2028", "\t", "{\"k\":[1,2]},");

	private static final Pattern LINES = Pattern.compile("continue with offset=(\\d+)(?:, column=(\\d+))?");

	private static final Pattern CUT = Pattern.compile("… \\[cut: .*; offset=(\\d+), column=(\\d+) reads on]");

	private final ReadTool tool = new ReadTool(new ReadOptions(7, 20, 400));

	@TempDir
	Path directory;

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5 })
	void answersAreTheWholeContent(long seed) throws Exception {
		ToolContext context = ToolContext.builder(FileToolsFixture.workspace(this.directory)).build();
		SplittableRandom random = new SplittableRandom(seed);
		for (int round = 0; round < ROUNDS; round++) {
			Charset charset = List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)
				.get(random.nextInt(3));
			String text = text(random);
			Files.write(this.directory.resolve("a.txt"), ("\uFEFF" + text).getBytes(charset));
			assertThat(read(context)).as("seed %d round %d", seed, round).isEqualTo(shown(text));
		}
	}

	/**
	 * Returns a text with lines of very different lengths, and a few NUL characters.
	 */
	private static String text(SplittableRandom random) {
		StringBuilder text = new StringBuilder();
		for (int lines = random.nextInt(25); lines > 0; lines--) {
			int rare = random.nextInt(2, 60);
			for (int length = random.nextInt(1, 80); length > 0; length--) {
				text.append(PARTS.get((random.nextInt(rare) == 0) ? random.nextInt(PARTS.size()) : random.nextInt(5)));
			}
			text.append((random.nextInt(9) == 0) ? "0123456789".repeat(4) + "\u0000" : "").append('\n');
		}
		return text + "x".repeat(random.nextInt(30));
	}

	/**
	 * Returns the lines of a text as they are shown, by their number.
	 */
	private static Map<Long, String> shown(String text) {
		Map<Long, String> lines = new TreeMap<>();
		String[] all = text.isEmpty() ? new String[0]
				: (text.endsWith("\n") ? text.substring(0, text.length() - 1) : text).split("\n", -1);
		for (int i = 0; i < all.length; i++) {
			boolean ended = i < all.length - 1 || text.endsWith("\n");
			String line = (ended && all[i].endsWith("\r")) ? all[i].substring(0, all[i].length() - 1) : all[i];
			lines.put(i + 1L, Phrase.visible(line));
		}
		return lines;
	}

	/**
	 * Reads a file from its beginning, and follows all that the answers say.
	 */
	private Map<Long, String> read(ToolContext context) {
		Map<Long, TreeMap<Long, String>> lines = new TreeMap<>();
		Deque<Map<String, Object>> calls = new ArrayDeque<>(List.of(Map.of("file_path", "a.txt")));
		Set<Map<String, Object>> seen = new HashSet<>(calls);
		while (!calls.isEmpty()) {
			Map<String, Object> call = calls.remove();
			ToolResult result = this.tool.call(call, context);
			assertThat(result.error()).as(result.text()).isNull();
			long column = (long) call.getOrDefault("column", 1L);
			for (String line : result.text().split("\n")) {
				Matcher advice = line.startsWith("(") ? LINES.matcher(line) : CUT.matcher(line);
				boolean more = advice.find();
				if (more) {
					Map<String, Object> next = (advice.group(2) != null)
							? Map.of("file_path", "a.txt", "offset", Long.parseLong(advice.group(1)), "column",
									Long.parseLong(advice.group(2)))
							: Map.of("file_path", "a.txt", "offset", Long.parseLong(advice.group(1)));
					if (seen.add(next)) {
						calls.add(next);
					}
				}
				if (!line.startsWith("(")) {
					int tab = line.indexOf('\t');
					String part = line.substring(tab + 1, more ? advice.start() : line.length());
					assertThat(part).doesNotMatch("^\\p{Cs}.*|.*\\p{Cs}$").doesNotContain("\uFFFD");
					lines.computeIfAbsent(Long.parseLong(line.substring(0, tab).strip()), (number) -> new TreeMap<>())
						.put(column, part);
				}
			}
		}
		Map<Long, String> whole = new TreeMap<>();
		lines.forEach((number, parts) -> whole.put(number, String.join("", parts.values())));
		return whole;
	}

}
