package io.kairo.workspace.search;

/**
 * A long text that checks the clock while it is matched, so that an expression cannot
 * occupy a thread beyond the deadline.
 */
final class TimedText implements CharSequence {

	private static final int OFTEN = (1 << 16) - 1;

	private final String text;

	private final SearchClock clock;

	private int reads;

	private TimedText(String text, SearchClock clock) {
		this.text = text;
		this.clock = clock;
	}

	/**
	 * Returns a text that checks the clock, or the text itself if it is short.
	 */
	static CharSequence of(String text, SearchClock clock) {
		return (text.length() > OFTEN) ? new TimedText(text, clock) : text;
	}

	@Override
	public int length() {
		return this.text.length();
	}

	@Override
	public char charAt(int index) {
		if ((++this.reads & OFTEN) == 0) {
			this.clock.check();
		}
		return this.text.charAt(index);
	}

	@Override
	public CharSequence subSequence(int start, int end) {
		return this.text.substring(start, end);
	}

	@Override
	public String toString() {
		return this.text;
	}

}
