package io.kairo.tools.search;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.tools.ToolArgumentException;
import io.kairo.workspace.search.FileFilter;
import io.kairo.workspace.search.GrepOutput;
import io.kairo.workspace.search.LineContext;
import io.kairo.workspace.search.SearchPattern;
import io.kairo.workspace.search.SearchPattern.Flag;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of {@link GrepTool}.
 *
 * @param pattern the regular expression
 * @param path a directory or a file
 * @param glob the glob of the files to search
 * @param type the type of the files to search
 * @param outputMode the kind of output
 * @param after the number of lines after a match
 * @param before the number of lines before a match
 * @param around the number of lines before and after a match
 * @param numbers whether lines have their numbers
 * @param ignoreCase whether to ignore case
 * @param multiline whether matches may span lines
 * @param headLimit the maximum number of results
 * @param offset the number of results to pass over
 */
@JsonPropertyOrder({ "pattern", "path", "glob", "type", "output_mode", "-A", "-B", "-C", "-n", "-i", "multiline",
		"head_limit", "offset" })
record GrepInput(
		@JsonProperty(value = "pattern",
				required = true) @JsonPropertyDescription("The regular expression to search for") String pattern,
		@JsonProperty("path") @JsonPropertyDescription("The directory or file to search, by default the directory where relative paths start") @Nullable String path,
		@JsonProperty("glob") @JsonPropertyDescription("Which files to search, such as *.js or src/**/*.{ts,tsx}; with a leading ! which not") @Nullable String glob,
		@JsonProperty("type") @JsonPropertyDescription("Which type of files to search, as ripgrep names them: java, js, py, go, rust, ...") @Nullable String type,
		@JsonProperty(value = "output_mode",
				defaultValue = "files_with_matches") @JsonPropertyDescription("files_with_matches, content or count") @Nullable String outputMode,
		@JsonProperty("-A") @JsonPropertyDescription("Lines to show after each match, for content") @Nullable Integer after,
		@JsonProperty("-B") @JsonPropertyDescription("Lines to show before each match, for content") @Nullable Integer before,
		@JsonProperty(value = "-C",
				defaultValue = "0") @JsonPropertyDescription("Lines to show before and after each match, for content") @Nullable Integer around,
		@JsonProperty(value = "-n",
				defaultValue = "true") @JsonPropertyDescription("Show line numbers, for content") @Nullable Boolean numbers,
		@JsonProperty(value = "-i",
				defaultValue = "false") @JsonPropertyDescription("Ignore case") @Nullable Boolean ignoreCase,
		@JsonProperty(value = "multiline",
				defaultValue = "false") @JsonPropertyDescription("Let matches span lines and . match line ends") @Nullable Boolean multiline,
		@JsonProperty("head_limit") @JsonPropertyDescription("How many lines or files to return at most; 0 for as many as there may be") @Nullable Integer headLimit,
		@JsonProperty(value = "offset",
				defaultValue = "0") @JsonPropertyDescription("How many lines or files to pass over, to continue a result") @Nullable Integer offset) {

	GrepInput {
		requireLines("-A", after);
		requireLines("-B", before);
		requireLines("-C", around);
		if (headLimit != null && headLimit < 0) {
			throw ToolArgumentException.of("head_limit", "is " + headLimit + ", but must not be negative.",
					"Give at least 1, or 0 for as many as there may be.");
		}
		if (offset != null && offset < 0) {
			throw ToolArgumentException.of("offset", "is " + offset + ", but must not be negative.",
					"Give an offset of at least 0, or none.");
		}
		output(outputMode);
	}

	SearchPattern searchPattern() {
		Set<Flag> flags = EnumSet.noneOf(Flag.class);
		if (Boolean.TRUE.equals(this.ignoreCase)) {
			flags.add(Flag.IGNORE_CASE);
		}
		if (Boolean.TRUE.equals(this.multiline)) {
			flags.add(Flag.MULTILINE);
		}
		return new SearchPattern(this.pattern, flags);
	}

	FileFilter filter() {
		return new FileFilter(blankToNull(this.glob), blankToNull(this.type));
	}

	GrepOutput output() {
		return output(this.outputMode);
	}

	LineContext context() {
		int both = (this.around != null) ? this.around : 0;
		return new LineContext((this.before != null) ? this.before : both, (this.after != null) ? this.after : both);
	}

	boolean withNumbers() {
		return !Boolean.FALSE.equals(this.numbers);
	}

	private static GrepOutput output(@Nullable String mode) {
		return switch ((mode == null) ? "files_with_matches" : mode.toLowerCase(Locale.ROOT)) {
			case "files_with_matches" -> GrepOutput.FILES;
			case "content" -> GrepOutput.LINES;
			case "count" -> GrepOutput.COUNTS;
			default -> throw ToolArgumentException.of("output_mode", "is '" + mode + "'.",
					"Give files_with_matches, content or count.");
		};
	}

	private static void requireLines(String name, @Nullable Integer lines) {
		if (lines != null && (lines < 0 || lines > LineContext.MAX)) {
			throw ToolArgumentException.of(name, "is " + lines + ".", "Give 0 to " + LineContext.MAX + " lines.");
		}
	}

	private static @Nullable String blankToNull(@Nullable String text) {
		return (text == null || text.isBlank()) ? null : text;
	}

}
