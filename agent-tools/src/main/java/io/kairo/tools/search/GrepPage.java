package io.kairo.tools.search;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.tools.Completeness;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;
import io.kairo.workspace.search.FileMatches;
import io.kairo.workspace.search.GrepOutput;
import io.kairo.workspace.search.GrepQuery;
import io.kairo.workspace.search.GrepReport;
import io.kairo.workspace.search.LineContext;
import io.kairo.workspace.search.MatchedLine;
import io.kairo.workspace.search.MatchedLine.Kind;
import io.kairo.workspace.search.SearchEnd;
import io.kairo.workspace.search.SearchSlice;

/**
 * A page of the results of a search. For one use.
 */
final class GrepPage {

	private final GrepInput input;

	private final GrepQuery query;

	private final GrepReport report;

	private final GrepOptions options;

	private final Function<WorkspacePath, String> shown;

	private final StringBuilder text = new StringBuilder();

	private final List<Object> files = new ArrayList<>();

	private int results;

	private int cutLines;

	private boolean full;

	GrepPage(GrepInput input, GrepQuery query, GrepReport report, GrepOptions options,
			Function<WorkspacePath, String> shown) {
		this.input = input;
		this.query = query;
		this.report = report;
		this.options = options;
		this.shown = shown;
	}

	ToolResult result() {
		for (FileMatches file : this.report.files()) {
			if (this.full) {
				break;
			}
			add(file, this.shown.apply(file.path()));
		}
		boolean more = this.full || this.report.end() == SearchEnd.LIMIT;
		int next = this.query.slice().offset() + this.results;
		String footer = "(" + String.join("; ", notes(more, next)) + ")";
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("files", this.files);
		data.put("results", this.results);
		if (!more) {
			data.put("searched", this.report.searched());
			data.put("skipped", SearchText.skippedData(this.report.skipped()));
		}
		boolean complete = !more && this.report.end() == SearchEnd.EVERYTHING && this.cutLines == 0
				&& SearchText.isWhole(this.report.skipped());
		Map<String, Object> again = Map.of("path", this.shown.apply(this.query.path()), "offset", next);
		return new ToolResult(this.text + footer, data, null, complete ? Completeness.COMPLETE
				: Completeness.partial(footer, more && this.results > 0 && next < SearchSlice.MAX_END ? again : null));
	}

	private void add(FileMatches file, String path) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("path", path);
		if (this.query.output() == GrepOutput.LINES) {
			data.put("lines", addLines(file, path));
		}
		else {
			boolean counts = this.query.output() == GrepOutput.COUNTS;
			addResult(counts ? path + ":" + file.count() : path);
			if (counts) {
				data.put("count", file.count());
			}
		}
		this.files.add(data);
	}

	private List<Long> addLines(FileMatches file, String path) {
		List<Long> numbers = new ArrayList<>();
		long last = -1;
		for (MatchedLine line : file.lines()) {
			if (line.number() != last + 1 && this.text.length() > 0 && hasContext()) {
				this.text.append("--\n");
			}
			last = line.number();
			char mark = (line.kind() == Kind.MATCH) ? ':' : '-';
			String number = this.input.withNumbers() ? String.valueOf(line.number()) + mark : "";
			String cut = (line.cutBytes() > 0) ? Phrase.of(" [cut: the line has %,d bytes]", line.cutBytes()) : "";
			this.cutLines += cut.isEmpty() ? 0 : 1;
			if (line.kind() == Kind.MATCH) {
				numbers.add(line.number());
			}
			addResult(path + mark + number + Phrase.visible(line.text()) + cut);
			if (this.full) {
				break;
			}
		}
		return numbers;
	}

	private void addResult(String line) {
		this.text.append(line).append('\n');
		this.results++;
		this.full = this.text.length() >= this.options.maxCharacters() && this.results < this.report.results();
	}

	private boolean hasContext() {
		LineContext lines = this.query.context();
		return lines.before() > 0 || lines.after() > 0;
	}

	private List<String> notes(boolean more, int next) {
		List<String> notes = new ArrayList<>();
		String what = (this.query.output() == GrepOutput.LINES) ? "line" : "file";
		if (this.results == 0) {
			notes.add((this.query.slice().offset() > 0) ? "no more matches" : "no matches");
			if (this.input.pattern().contains("\\|")) {
				notes.add("\\| is the character |: write | between alternatives");
			}
		}
		else {
			notes.add(Phrase.of("%,d %s%s", this.results, what, Phrase.plural(this.results)));
		}
		if (more && this.results == 0) {
			notes.add("those that there are come after too many others: narrow the search with path, glob or type");
		}
		else if (more) {
			notes.add(Phrase.of("there are more, continue with offset=%d", next));
		}
		else {
			notes.addAll(SearchText.deadlineNotes(this.report.end(), this.options.limits()));
			notes.addAll(SearchText.skippedNotes(this.report.skipped()));
		}
		if (this.cutLines > 0) {
			notes.add(Phrase.of("%,d line%s cut at %,d characters: read them by offset and column", this.cutLines,
					Phrase.plural(this.cutLines), this.options.limits().maxLineCharacters()));
		}
		return notes;
	}

}
