package io.kairo.tools;

import org.jspecify.annotations.Nullable;

/**
 * The progress of a long call. Immutable.
 *
 * @param amount the amount of work done so far, in a unit of the tool; never decreases
 * @param message a message for people
 * @param text the output of the tool since the progress before, or the end of it, for
 * people; null if there is none
 */
public record ToolProgress(long amount, String message, @Nullable String text) {

	/** Maximum number of characters of the text of several reports. */
	private static final int MAX_TEXT = 1000;

	/**
	 * Creates the progress of a call without new output.
	 * @param amount the amount of work done so far, in a unit of the tool
	 * @param message a message for people
	 */
	public ToolProgress(long amount, String message) {
		this(amount, message, null);
	}

	/**
	 * Returns this progress with the text of an unreported one before its own.
	 */
	ToolProgress after(ToolProgress missed) {
		if (missed.text == null) {
			return this;
		}
		String joined = missed.text + ((this.text != null) ? this.text : "");
		int start = Math.max(0, joined.length() - MAX_TEXT);
		return new ToolProgress(this.amount, this.message, joined.substring(start));
	}

}
