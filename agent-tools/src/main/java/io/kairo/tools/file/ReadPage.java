package io.kairo.tools.file;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.kairo.tools.Completeness;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Gutter;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.TextEncoding;

/**
 * What a range of lines looks like.
 *
 * @param path the file, as it is spelled in results
 * @param firstLine the first line, from 1
 * @param maxLines how many lines were asked for at most
 * @param options how much of a line is shown
 * @param file where the lines are from
 * @param range the lines
 */
record ReadPage(String path, long firstLine, int maxLines, ReadOptions options, TextFile file, TextFile.Range range) {

	/**
	 * Returns the lines with their numbers as text, and as data nothing but the content.
	 * @param whole whether that is all of the file, with its own line ends, however much
	 * of it the text shows; else it is the lines, each with a line feed
	 */
	ToolResult contentResult(boolean whole) {
		ToolResult result = result("\n(version " + this.file.version() + ")");
		byte[] bytes = whole ? this.file.wholeContent() : null;
		String content = (bytes != null) ? decoded(bytes)
				: this.range.window().lines().stream().map((line) -> line + "\n").collect(Collectors.joining());
		Map<String, Object> next = result.complete().next();
		Completeness complete = (bytes != null) ? Completeness.COMPLETE : (next == null) ? result.complete()
				: Completeness.partial(String.valueOf(result.complete().reason()), renamed(next));
		return new ToolResult(result.text(), Map.of("content", content), null, complete);
	}

	private String decoded(byte[] bytes) {
		TextEncoding encoding = this.file.encoding();
		return encoding.charset().equals(StandardCharsets.UTF_8) ? new String(bytes, StandardCharsets.UTF_8)
				: new EditableText(bytes, encoding).text();
	}

	private static Map<String, Object> renamed(Map<String, Object> arguments) {
		Map<String, Object> renamed = new LinkedHashMap<>();
		arguments.forEach((name, value) -> renamed.put(ToolNaming.SNAKE_CASE.parameter(name), value));
		return renamed;
	}

	/**
	 * Returns the lines with their numbers as text, and what there is to know about them
	 * as data.
	 * @param lastLine ends the text, with a line feed before it; empty for nothing more
	 */
	ToolResult result(String lastLine) {
		LineWindow window = this.range.window();
		StringBuilder text = new StringBuilder();
		long number = this.firstLine;
		for (String line : window.lines()) {
			text.append(Gutter.number(number++, line)).append('\n');
		}
		long next = nextLine();
		text.append(footer(next)).append(lastLine);
		Completeness complete = (next < 0 && window.cutLines() == 0) ? Completeness.COMPLETE
				: Completeness.partial(footer(next),
						(next < 0) ? null : Map.of("file_path", this.path, "offset", next, "limit", this.maxLines));
		return new ToolResult(text.toString(), data(), null, complete);
	}

	private Map<String, Object> data() {
		LineWindow window = this.range.window();
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("path", this.path);
		data.put("version", this.file.version());
		data.put("size", this.file.size());
		data.put("firstLine", this.firstLine);
		data.put("lines", window.lines().size());
		data.put("totalLines", this.range.countedToEnd() ? window.countedLines() : -1L);
		data.put("charset", this.file.encoding().charset().name());
		data.put("lineEnds", window.windowsLineEnds() ? "CRLF" : "LF");
		return data;
	}

	private String footer(long next) {
		LineWindow window = this.range.window();
		List<String> notes = new ArrayList<>();
		long last = this.firstLine + window.lines().size() - 1;
		String total = (this.range.countedToEnd() ? "" : "more than ") + Phrase.of("%,d", window.countedLines());
		if (this.file.size() == 0) {
			notes.add("the file is empty");
		}
		else if (window.lines().isEmpty()) {
			notes.add(Phrase.of("no line %,d: the file has %s lines", this.firstLine, total));
		}
		else {
			notes.add(Phrase.of("lines %,d-%,d of %s", this.firstLine, last, total));
		}
		if (next >= 0) {
			notes.add(Phrase.of("stopped at %s, continue with offset=%d", window.limit(), next));
		}
		else if (!window.lines().isEmpty()) {
			notes.add("end of file");
		}
		if (window.cutLines() > 0) {
			notes
				.add(Phrase.of("%,d lines cut at %,d characters", window.cutLines(), this.options.maxLineCharacters()));
		}
		if (window.replacedBytes()) {
			notes.add("some bytes are no " + this.file.encoding().charset().name() + " and are shown as \uFFFD");
		}
		if (this.file.changed()) {
			notes.add("the file changed while it was read");
		}
		return "(" + String.join("; ", notes) + ")";
	}

	/**
	 * Returns the line to continue with, -1 if there is none.
	 */
	private long nextLine() {
		LineWindow window = this.range.window();
		long next = this.firstLine + window.lines().size();
		return (window.full() && (!this.range.countedToEnd() || next <= window.countedLines())) ? next : -1;
	}

}
