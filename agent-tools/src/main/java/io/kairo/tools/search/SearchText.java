package io.kairo.tools.search;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.tools.OutputSchema;
import io.kairo.tools.text.Phrase;
import io.kairo.workspace.search.SearchEnd;
import io.kairo.workspace.search.SearchLimits;
import io.kairo.workspace.search.Skipped;

/**
 * The notes of searches on entries that they passed over.
 */
final class SearchText {

	/** The schema of {@link #skippedData}. */
	static final Map<String, Object> SKIPPED = new OutputSchema()
		.required("ignoredFiles", OutputSchema.INTEGER, "Ignored files")
		.required("ignoredDirectories", OutputSchema.INTEGER, "Ignored directories")
		.required("hiddenFiles", OutputSchema.INTEGER, "Hidden files")
		.required("hiddenDirectories", OutputSchema.INTEGER, "Hidden directories")
		.required("binary", OutputSchema.INTEGER, "Binary files")
		.required("tooLarge", OutputSchema.INTEGER, "Files that are too large")
		.required("unreadable", OutputSchema.INTEGER, "Entries that cannot be read")
		.required("links", OutputSchema.INTEGER, "Links that were not followed")
		.object();

	private SearchText() {
	}

	static List<String> skippedNotes(Skipped skipped) {
		List<String> notes = new ArrayList<>();
		add(notes, skipped.ignoredFiles(), skipped.ignoredDirectories(), "ignored by .gitignore or .ignore");
		add(notes, skipped.hiddenFiles(), skipped.hiddenDirectories(), "hidden");
		add(notes, skipped.binary(), 0, "binary");
		if (skipped.tooLarge() > 0) {
			notes.add(Phrase.of("%,d too large", skipped.tooLarge()));
		}
		if (skipped.unreadable() > 0) {
			notes.add(Phrase.of("%,d unreadable", skipped.unreadable()));
		}
		if (skipped.links() > 0) {
			notes.add(Phrase.count(skipped.links(), "link"));
		}
		List<String> all = new ArrayList<>();
		if (!notes.isEmpty()) {
			all.add("not searched: " + String.join(", ", notes));
		}
		if (skipped.cutIgnoreFiles() > 0) {
			all.add(Phrase.of("%,d ignore file%s applied in part: too long, or too many rules",
					skipped.cutIgnoreFiles(), Phrase.plural(skipped.cutIgnoreFiles())));
		}
		return all;
	}

	/**
	 * Returns whether every file was searched that should have been.
	 */
	static boolean isWhole(Skipped skipped) {
		return skipped.tooLarge() == 0 && skipped.unreadable() == 0;
	}

	private static void add(List<String> notes, long files, long directories, String why) {
		if (files > 0 || directories > 0) {
			String count = (files > 0) ? Phrase.count(files, "file") : "";
			count += (files > 0 && directories > 0) ? " and " : "";
			count += (directories > 0) ? Phrase.count(directories, "directory") : "";
			notes.add(count + " " + why);
		}
	}

	static Map<String, Object> skippedData(Skipped skipped) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("ignoredFiles", skipped.ignoredFiles());
		data.put("ignoredDirectories", skipped.ignoredDirectories());
		data.put("hiddenFiles", skipped.hiddenFiles());
		data.put("hiddenDirectories", skipped.hiddenDirectories());
		data.put("binary", skipped.binary());
		data.put("tooLarge", skipped.tooLarge());
		data.put("unreadable", skipped.unreadable());
		data.put("links", skipped.links());
		return data;
	}

	/**
	 * Returns the note of a search that reached its deadline, none otherwise.
	 */
	static List<String> deadlineNotes(SearchEnd end, SearchLimits limits) {
		return (end == SearchEnd.DEADLINE) ? List
			.of(Phrase.of("stopped after %s, so this is not all: search in a directory, " + "or for fewer files",
					seconds(limits)))
				: List.of();
	}

	private static String seconds(SearchLimits limits) {
		return Phrase.of("%.1f seconds", limits.deadline().toMillis() / 1000.0);
	}

}
