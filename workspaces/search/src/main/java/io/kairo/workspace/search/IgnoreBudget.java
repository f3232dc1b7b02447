package io.kairo.workspace.search;

import io.kairo.api.workspace.WorkspacePath;

/**
 * The rules of ignore files that one search may have: 20,000, of 1,048,576 characters in
 * total, and of 4,096 characters each, in directories whose paths have 1,048,576
 * characters in total. Safe for use by several threads.
 */
final class IgnoreBudget {

	static final int MAX_PATH_CHARACTERS = 1 << 20;

	private static final int MAX_RULES = 20_000;

	private static final int MAX_CHARACTERS = 1 << 20;

	private static final int MAX_RULE = 4096;

	private int rules;

	private int characters;

	private int pathCharacters;

	/**
	 * Takes a rule, unless the budget is exhausted.
	 * @param rule a line of an ignore file
	 * @return whether the rule may be applied
	 */
	synchronized boolean take(String rule) {
		if (rule.length() > MAX_RULE || this.rules == MAX_RULES || this.characters + rule.length() > MAX_CHARACTERS) {
			return false;
		}
		this.rules++;
		this.characters += rule.length();
		return true;
	}

	/**
	 * Takes a directory that has rules, unless the budget is exhausted.
	 * @param directory the directory
	 * @return whether its rules may be applied
	 */
	synchronized boolean takePath(WorkspacePath directory) {
		int length = directory.relative().length();
		if (length > MAX_PATH_CHARACTERS - this.pathCharacters) {
			return false;
		}
		this.pathCharacters += length;
		return true;
	}

}
