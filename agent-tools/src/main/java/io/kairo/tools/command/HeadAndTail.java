package io.kairo.tools.command;

/**
 * The beginning and the end of a text, 20 % and 80 % of its bound, and the number of
 * characters between them. For use by one thread.
 */
final class HeadAndTail {

	private final int headLimit;

	private final int[] tail;

	private final StringBuilder head = new StringBuilder();

	private int headLength;

	private long tailLength;

	private boolean endsWithNewline;

	/**
	 * Creates an empty text.
	 * @param limit the maximum number of characters
	 */
	HeadAndTail(int limit) {
		this.headLimit = limit / 5;
		this.tail = new int[limit - this.headLimit];
	}

	void append(int codePoint) {
		if (this.headLength < this.headLimit) {
			this.head.appendCodePoint(codePoint);
			this.headLength++;
		}
		else {
			this.tail[(int) (this.tailLength++ % this.tail.length)] = codePoint;
		}
		this.endsWithNewline = codePoint == '\n';
	}

	boolean isEmpty() {
		return this.headLength == 0;
	}

	/**
	 * Returns the number of characters that were appended.
	 */
	long length() {
		return this.headLength + this.tailLength;
	}

	/**
	 * Returns the last characters.
	 * @param count the maximum number of characters
	 */
	String last(long count) {
		long fromTail = Math.min(count, Math.min(this.tailLength, this.tail.length));
		int fromHead = (leftOut() > 0) ? 0 : (int) Math.min(count - fromTail, this.headLength);
		StringBuilder text = new StringBuilder();
		text.append(this.head, this.head.offsetByCodePoints(this.head.length(), -fromHead), this.head.length());
		for (long i = this.tailLength - fromTail; i < this.tailLength; i++) {
			text.appendCodePoint(this.tail[(int) (i % this.tail.length)]);
		}
		return text.toString();
	}

	/**
	 * Returns the number of characters that are left out.
	 */
	long leftOut() {
		return Math.max(0, this.tailLength - this.tail.length);
	}

	boolean endsWithNewline() {
		return this.endsWithNewline;
	}

	/**
	 * Returns the text.
	 * @param gap the text in place of the characters that are left out
	 */
	String text(String gap) {
		StringBuilder text = new StringBuilder(this.head);
		if (leftOut() > 0) {
			text.append(gap);
		}
		for (long i = leftOut(); i < this.tailLength; i++) {
			text.appendCodePoint(this.tail[(int) (i % this.tail.length)]);
		}
		return text.toString();
	}

}
