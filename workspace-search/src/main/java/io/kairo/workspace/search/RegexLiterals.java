package io.kairo.workspace.search;

/**
 * Collects the longest run of ASCII characters that every match of an expression has, as
 * the expression is read. Groups are passed over.
 */
final class RegexLiterals {

	private final StringBuilder run = new StringBuilder();

	private String longest = "";

	private int depth;

	private boolean impossible;

	private boolean onlyLiteral = true;

	/**
	 * Adds a character of the text.
	 */
	void add(char c) {
		if (c < ' ' || c > '~') {
			end();
		}
		else if (this.depth == 0) {
			this.run.append(c);
		}
	}

	/**
	 * Ends the run, since something else than a character follows.
	 */
	void end() {
		this.onlyLiteral = false;
		endRun();
	}

	private void endRun() {
		if (this.run.length() > this.longest.length()) {
			this.longest = this.run.toString();
		}
		this.run.setLength(0);
	}

	/**
	 * Repeats the last character, possibly no time at all.
	 */
	void quantifier(int min) {
		if (min == 0 && this.run.length() > 0) {
			this.run.setLength(this.run.length() - 1);
		}
		end();
	}

	void open() {
		end();
		this.depth++;
	}

	void close() {
		this.depth--;
	}

	void alternative() {
		if (this.depth == 0) {
			none();
		}
	}

	/**
	 * Gives up: there may be matches without any of it.
	 */
	void none() {
		this.onlyLiteral = false;
		this.impossible = true;
	}

	String longest() {
		endRun();
		return this.impossible ? "" : this.longest;
	}

	boolean isAll() {
		return this.onlyLiteral;
	}

}
