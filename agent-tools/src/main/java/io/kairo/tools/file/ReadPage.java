package io.kairo.tools.file;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.kairo.tools.Completeness;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Gutter;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.TextEncoding;

/**
 * A page of a file, as results show it.
 *
 * @param path the file, as spelled in results
 * @param firstLine the first line, from 1
 * @param maxLines the maximum number of lines
 * @param options the bounds of the tool
 * @param file the file
 * @param range the lines
 */
record ReadPage(String path, long firstLine, int maxLines, ReadOptions options, TextFile file, TextFile.Range range) {

	/**
	 * Returns the lines with their numbers as text, and the content alone as data.
	 * @param parameter the name of the parameter that takes the path
	 * @param whole whether the content is the whole file with its own line ends,
	 * regardless of how much the text shows; otherwise it is the lines, each with a line
	 * feed
	 */
	ToolResult contentResult(String parameter, boolean whole) {
		ToolResult result = result(parameter, "\n(version " + this.file.version() + ")");
		byte[] bytes = whole ? this.file.wholeContent() : null;
		String content = (bytes != null) ? decoded(bytes)
				: this.range.window().lines().stream().map((line) -> line + "\n").collect(Collectors.joining());
		return new ToolResult(result.text(), Map.of("content", content), null,
				(bytes != null) ? Completeness.COMPLETE : result.complete());
	}

	private String decoded(byte[] bytes) {
		TextEncoding encoding = this.file.encoding();
		return encoding.charset().equals(StandardCharsets.UTF_8) ? new String(bytes, StandardCharsets.UTF_8)
				: new EditableText(bytes, encoding).text();
	}

	/**
	 * Returns the lines with their numbers as text, and facts about them as data.
	 * @param parameter the name of the parameter that takes the path
	 * @param lastLine the end of the text, with a line feed before it; may be empty
	 */
	ToolResult result(String parameter, String lastLine) {
		LineWindow window = this.range.window();
		StringBuilder text = new StringBuilder();
		long number = this.firstLine;
		for (String line : window.lines()) {
			text.append(Gutter.number(number++, line)).append('\n');
		}
		long next = nextLine();
		text.append(footer(next)).append(lastLine);
		Completeness complete = (next < 0 && window.cutLines() == 0) ? Completeness.COMPLETE : Completeness.partial(
				footer(next), (next < 0) ? null : Map.of(parameter, this.path, "offset", next, "limit", this.maxLines));
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
	 * Returns the number of the line to continue with, -1 if there is none.
	 */
	private long nextLine() {
		LineWindow window = this.range.window();
		long next = this.firstLine + window.lines().size();
		return (window.full() && (!this.range.countedToEnd() || next <= window.countedLines())) ? next : -1;
	}

}
