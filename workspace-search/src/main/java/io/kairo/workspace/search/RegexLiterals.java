package io.kairo.workspace.search;

/**
 * Collects the longest run of ASCII characters that every match of an expression
 * contains, as the expression is read. Groups are ignored.
 */
final class RegexLiterals {

	private final StringBuilder run = new StringBuilder();

	private String longest = "";

	private int depth;

	private boolean impossible;

	private boolean onlyLiteral = true;

	/**
	 * Adds a literal character.
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
	 * Ends the run, as the next item is not a literal character.
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
	 * Applies a quantifier, whose minimum may be zero, to the last character.
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
	 * Discards all runs, as matches may contain none of them.
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
