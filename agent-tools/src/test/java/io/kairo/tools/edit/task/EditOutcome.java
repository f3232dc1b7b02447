package io.kairo.tools.edit.task;

import java.util.regex.Pattern;

import io.kairo.tools.edit.task.EditTask.Tree;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a task.
 */
enum EditOutcome {

	/** The files are as they must be, byte for byte. */
	RIGHT("right"),

	/** Nothing has changed, and the text names a place or the next step. */
	HINT("hint"),

	/** Nothing has changed. */
	BARE("bare"),

	/** Anything else. */
	WRONG("wrong");

	private static final Pattern PLACE = Pattern
		.compile("\\b(lines?|column|hunk)\\b[^.]{0,40}\\d|edits\\[\\d|\\bLines \\d|Did you mean '", Pattern.DOTALL);

	private static final Pattern ADVICE = Pattern.compile("(^|[.:;] |\n|\\bor )(either )?(add|begin|change|check|delete"
			+ "|give|leave|make|name|provide|put|read|remove|try|update|use|write) ", Pattern.CASE_INSENSITIVE);

	private final String title;

	EditOutcome(String title) {
		this.title = title;
	}

	String title() {
		return this.title;
	}

	/**
	 * Returns the outcome of a task.
	 * @param task the task
	 * @param files the files afterwards
	 * @param refusal the text of the refusal, null if the call was applied
	 */
	static EditOutcome of(EditTask task, Tree files, @Nullable String refusal) {
		if (refusal == null) {
			return files.equals(task.after()) ? RIGHT : WRONG;
		}
		if (!files.equals(task.before())) {
			return WRONG;
		}
		return (PLACE.matcher(refusal).find() || ADVICE.matcher(refusal).find()) ? HINT : BARE;
	}

}
