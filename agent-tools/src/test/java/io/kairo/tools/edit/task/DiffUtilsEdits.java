package io.kairo.tools.edit.task;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.Patch;

/**
 * The patches of java-diff-utils. It patches lists of lines: files are decoded with their
 * charset, and encoded with the line ends and the byte order mark that they had.
 */
final class DiffUtilsEdits implements EditImplementation {

	private final int fuzz;

	/**
	 * Creates the implementation.
	 * @param fuzz the number of lines of context that may differ, 0 for none
	 */
	DiffUtilsEdits(int fuzz) {
		this.fuzz = fuzz;
	}

	@Override
	public String name() {
		return (this.fuzz == 0) ? "java-diff-utils" : "java-diff-utils, fuzzy";
	}

	@Override
	public boolean supports(EditTask task) {
		return task.dialect() == EditTask.Dialect.DIFF && !task.kind().equals("add, move, delete")
				&& !task.patch().contains("\n\\ No newline") && !task.name().contains("final line end");
	}

	@Override
	public Attempt open(Path directory) {
		return (task) -> {
			Map<Path, byte[]> results = new LinkedHashMap<>();
			List<String> lines = task.patch().lines().toList();
			List<Integer> starts = new ArrayList<>();
			for (int i = 0; i + 1 < lines.size(); i++) {
				if (lines.get(i).startsWith("--- ") && lines.get(i + 1).startsWith("+++ ")) {
					starts.add(i);
				}
			}
			for (int i = 0; i < starts.size(); i++) {
				int end = (i + 1 < starts.size()) ? starts.get(i + 1) : lines.size();
				String name = lines.get(starts.get(i)).substring(4).split("\t")[0];
				Path file = directory.resolve(name.startsWith("a/") ? name.substring(2) : name);
				results.put(file, patched(file, task.charset(), lines.subList(starts.get(i), end)));
			}
			for (Map.Entry<Path, byte[]> result : results.entrySet()) {
				Files.write(result.getKey(), result.getValue());
			}
			return results.isEmpty() ? "no files" : null;
		};
	}

	private byte[] patched(Path file, Charset charset, List<String> diff) throws Exception {
		String text = Files.readString(file, charset);
		String mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
		boolean windows = !text.replace("\r\n", "").contains("\n");
		String end = windows ? "\r\n" : "\n";
		Patch<String> patch = UnifiedDiffUtils.parseUnifiedDiff(diff);
		if (patch.getDeltas().isEmpty()) {
			throw new IllegalArgumentException("no changes");
		}
		List<String> before = new ArrayList<>(List.of(text.substring(mark.length()).split(end)));
		List<String> after = (this.fuzz == 0) ? patch.applyTo(before) : patch.applyFuzzy(before, this.fuzz);
		ByteBuffer bytes = charset.newEncoder()
			.encode(CharBuffer.wrap(mark + String.join(end, after) + (text.endsWith("\n") ? end : "")));
		return Arrays.copyOf(bytes.array(), bytes.limit());
	}

}
