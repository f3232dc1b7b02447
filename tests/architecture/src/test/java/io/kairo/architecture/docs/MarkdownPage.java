package io.kairo.architecture.docs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.kairo.architecture.Repository;

/**
 * A Markdown page: its samples, the anchors of its headings, its links and its inline
 * code. Fences are three backticks at the beginning of a line, the only form that the
 * pages use.
 */
final class MarkdownPage {

	private static final String FENCE = "```";

	private static final Pattern DIRECTIVE = Pattern.compile("<!-- sample: (.*) -->");

	private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)|(?:src|srcset|href)=\"([^\"]+)\"");

	private static final Pattern INLINE_CODE = Pattern.compile("`([^`]+)`");

	private final String path;

	private final List<Sample> samples = new ArrayList<>();

	private final StringBuilder prose = new StringBuilder();

	MarkdownPage(String path, String text) {
		this.path = path;
		List<String> lines = text.lines().toList();
		for (int i = 0; i < lines.size(); i++) {
			if (lines.get(i).strip().startsWith(FENCE) || lines.get(i).strip().startsWith("~~~")) {
				i = readSample(lines, i);
			}
			else {
				this.prose.append(lines.get(i)).append('\n');
			}
		}
	}

	/**
	 * Reads all pages of the repository.
	 */
	static List<MarkdownPage> all(Repository repository) {
		return repository.files((path) -> path.toString().endsWith(".md"))
			.stream()
			.map((path) -> path.toString().replace('\\', '/'))
			.map((path) -> new MarkdownPage(path, repository.read(path)))
			.toList();
	}

	private int readSample(List<String> lines, int start) {
		String opening = lines.get(start);
		if (!opening.startsWith(FENCE) || opening.startsWith(FENCE + "`")) {
			throw new IllegalArgumentException(this.path + ":" + (start + 1)
					+ " has a fence that is not three backticks at the beginning of the line: " + opening);
		}
		int end = start + 1;
		while (end < lines.size() && !lines.get(end).equals(FENCE)) {
			end++;
		}
		if (end == lines.size()) {
			throw new IllegalArgumentException(this.path + ":" + (start + 1) + " has a fence that is not closed");
		}
		String before = (start > 0) ? lines.get(start - 1) : "";
		String directive = DIRECTIVE.matcher(before).results().map((match) -> match.group(1)).findFirst().orElse("");
		this.samples.add(new Sample(this.path, start + 1, opening.substring(FENCE.length()).strip(), directive,
				String.join("\n", lines.subList(start + 1, end)) + "\n"));
		return end;
	}

	String path() {
		return this.path;
	}

	List<Sample> samples() {
		return List.copyOf(this.samples);
	}

	/**
	 * Returns the anchors of the headings, as GitHub creates them.
	 */
	List<String> anchors() {
		Map<String, Integer> seen = new HashMap<>();
		return this.prose.toString().lines().filter((line) -> line.matches("#{1,6} .+")).map((heading) -> {
			String anchor = heading.replaceFirst("#+ ", "")
				.replaceAll("]\\([^)]*\\)", "")
				.toLowerCase(Locale.ROOT)
				.replaceAll("[^\\p{L}\\p{N} _-]", "")
				.replace(' ', '-');
			int count = seen.merge(anchor, 1, Integer::sum) - 1;
			return (count > 0) ? anchor + "-" + count : anchor;
		}).toList();
	}

	/**
	 * Returns the targets of links and images.
	 */
	List<String> links() {
		String text = INLINE_CODE.matcher(this.prose).replaceAll("code");
		return LINK.matcher(text)
			.results()
			.map((match) -> (match.group(1) != null) ? match.group(1) : match.group(2))
			.toList();
	}

	/**
	 * Returns the pieces of inline code, with line breaks as spaces.
	 */
	Stream<String> inlineCode() {
		return INLINE_CODE.matcher(this.prose).results().map((match) -> match.group(1).replaceAll("\\s+", " "));
	}

}
