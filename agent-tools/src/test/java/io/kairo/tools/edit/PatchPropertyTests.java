package io.kairo.tools.edit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.FastTempDir;
import io.kairo.tools.file.FileToolsFixture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that any sequence of patches and edits over random files in several charsets is
 * applied exactly, or changes nothing.
 */
@Timeout(120)
class PatchPropertyTests {

	private static final ToolCatalog CATALOG = ToolCatalog.of(List.of(new ApplyPatchTool(), new MultiEditTool()),
			List.of());

	private static final int CALLS = 40;

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void callAppliesExactlyOrChangesNothing(long seed, @TempDir(factory = FastTempDir.class) Path directory)
			throws Exception {
		Random random = new Random(seed);
		ToolContext context = ToolContext.builder(FileToolsFixture.workspace(directory)).build();
		Map<String, RandomText> files = new TreeMap<>();
		for (int i = 0; i < 6; i++) {
			files.put("d" + i % 3 + "/f" + i, RandomText.create(random, i));
		}
		int applied = 0;
		for (int i = 0; i < CALLS; i++) {
			for (Map.Entry<String, RandomText> file : files.entrySet()) {
				Path path = directory.resolve(file.getKey());
				Files.createDirectories(path.getParent());
				Files.write(path, file.getValue().bytes());
			}
			Map<String, RandomText> expected = new TreeMap<>(files);
			boolean broken = random.nextInt(4) == 0;
			ToolCall call = random.nextBoolean() ? patch(expected, random, broken) : edits(expected, random, broken);
			ToolResult result = CATALOG.call(call, context);
			String as = "seed %d, call %d: %s -> %s".formatted(seed, i, call.arguments(), result.text());
			assertThat(result.error() != null).as(as).isEqualTo(broken);
			if (broken) {
				assertThat(state(directory)).as(as).isEqualTo(latin(files));
			}
			else {
				assertThat(state(directory)).as(as).isEqualTo(latin(expected));
				files = expected;
				applied++;
			}
		}
		assertThat(applied).isGreaterThan(CALLS / 2);
	}

	/**
	 * Makes a patch that changes several files, and the files that it should make.
	 */
	static ToolCall patch(Map<String, RandomText> files, Random random, boolean broken) {
		boolean unified = random.nextBoolean();
		StringBuilder patch = new StringBuilder(unified ? "" : "*** Begin Patch\n");
		List<String> names = new ArrayList<>(files.keySet());
		for (int i = 0; i < names.size(); i += 1 + random.nextInt(3)) {
			String name = names.get(i);
			RandomText text = files.get(name);
			String target = (!unified && random.nextInt(4) == 0) ? "moved/" + random.nextInt(1 << 30) : name;
			patch.append(unified ? "--- a/" + name + "\n+++ b/" + name + "\n" : "*** Update File: " + name + "\n");
			patch.append(target.equals(name) ? "" : "*** Move to: " + target + "\n");
			List<String> lines = text.lines();
			List<String> ends = new ArrayList<>(text.ends());
			List<String> changed = new ArrayList<>();
			List<String> changedEnds = new ArrayList<>();
			int next = 0;
			while (next < lines.size()) {
				int from = next + random.nextInt(Math.min(4, lines.size() - next));
				int to = Math.min(lines.size(), from + 1 + random.nextInt(5));
				if (next > 0 && random.nextInt(3) == 0) {
					break;
				}
				for (; next < from; next++) {
					changed.add(lines.get(next));
					changedEnds.add(ends.get(next));
				}
				patch.append(unified ? "@@ -%d,9 +7 @@\n".formatted(random.nextInt(99)) : "@@\n");
				int change = from + random.nextInt(to - from);
				for (; next < to; next++) {
					if (next != change) {
						changed.add(lines.get(next));
						changedEnds.add(ends.get(next));
						patch.append(' ').append(lines.get(next)).append('\n');
						continue;
					}
					String line = "new " + text.letter() + " " + random.nextInt(1 << 30);
					changed.add(line);
					changedEnds.add(ends.get(next));
					patch.append('-').append(lines.get(next)).append("\n+").append(line).append('\n');
				}
			}
			for (; next < lines.size(); next++) {
				changed.add(lines.get(next));
				changedEnds.add(ends.get(next));
			}
			files.remove(name);
			files.put(target, new RandomText(text.charset(), text.mark(), text.letter(), changed, changedEnds));
		}
		patch.append(broken ? (unified ? "--- a/d/x\n+++ b/d/x\n@@ -1 +1 @@\n-missing\n+x\n"
				: "*** Update File: missing\n@@\n-missing\n+x\n") : "");
		return new ToolCall("", "ApplyPatch",
				Map.of("patch", patch.append(unified ? "" : "*** End Patch\n").toString()));
	}

	/**
	 * Makes edits of several files, and the files that they should make.
	 */
	static ToolCall edits(Map<String, RandomText> files, Random random, boolean broken) {
		List<Map<String, Object>> edits = new ArrayList<>();
		for (String name : new ArrayList<>(files.keySet())) {
			RandomText text = files.get(name);
			List<String> lines = new ArrayList<>(text.lines());
			int at = random.nextInt(lines.size());
			String line = "edited " + text.letter() + " " + random.nextInt(1 << 30);
			Map<String, Object> edit = new HashMap<>();
			edit.put("file_path", name);
			edit.put("old_string", (at + 1 < lines.size()) ? lines.get(at) + "\n" + lines.get(at + 1) : lines.get(at));
			edit.put("new_string", (at + 1 < lines.size()) ? line + "\n" + lines.get(at + 1) : line);
			edits.add(edit);
			lines.set(at, line);
			files.put(name, new RandomText(text.charset(), text.mark(), text.letter(), lines, text.ends()));
		}
		if (broken) {
			edits.add(random.nextInt(edits.size()),
					Map.of("file_path", edits.get(0).get("file_path"), "old_string", "missing", "new_string", "x"));
		}
		return new ToolCall("", "MultiEdit", Map.of("edits", edits));
	}

	private static Map<String, String> latin(Map<String, RandomText> files) {
		Map<String, String> all = new TreeMap<>();
		files.forEach((name, text) -> all.put(name, new String(text.bytes(), StandardCharsets.ISO_8859_1)));
		return all;
	}

	private static Map<String, String> state(Path directory) throws IOException {
		Map<String, String> all = new TreeMap<>();
		try (Stream<Path> files = Files.walk(directory)) {
			for (Path file : files.filter(Files::isRegularFile).toList()) {
				all.put(directory.relativize(file).toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
			}
		}
		return all;
	}

}
