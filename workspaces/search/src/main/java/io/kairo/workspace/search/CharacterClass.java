package io.kairo.workspace.search;

import java.util.Arrays;

/**
 * A bracket expression of a glob. Immutable.
 */
final class CharacterClass {

	private final boolean negated;

	/** The first and last character of each range, in turn. */
	private final int[] ranges;

	private CharacterClass(boolean negated, int[] ranges) {
		this.negated = negated;
		this.ranges = ranges;
	}

	/**
	 * Finds the end of a class.
	 * @param glob the glob
	 * @param start the index of its opening bracket
	 * @return the index of its closing bracket
	 * @throws SearchPatternException if the class is never closed or a range is reversed
	 */
	static int end(String glob, int start) {
		int body = start + 1;
		if (body < glob.length() && isNegation(glob.charAt(body))) {
			body++;
		}
		for (int i = body; i < glob.length(); i++) {
			char c = glob.charAt(i);
			if (c == ']' && i > body) {
				parse(glob, start, i);
				return i;
			}
			if (c == '/') {
				break;
			}
			i += (c == '\\') ? 1 : 0;
		}
		throw GlobSyntax.wrong("has a [ that is never closed", start + 1, "Write \\[ for a bracket in a name.");
	}

	static CharacterClass parse(String glob, int start, int end) {
		boolean negated = isNegation(glob.charAt(start + 1));
		int[] body = unescape(glob.substring(start + (negated ? 2 : 1), end));
		int[] ranges = new int[body.length * 2];
		int count = 0;
		for (int i = 0; i < body.length; i++) {
			int first = body[i];
			int last = first;
			if (i + 2 < body.length && body[i + 1] == '-') {
				last = Math.abs(body[i + 2]);
				i += 2;
			}
			first = Math.abs(first);
			last = Math.abs(last);
			if (first > last) {
				throw GlobSyntax.wrong("has a range that ends before it begins", start + 1,
						"Give the smaller character first.");
			}
			ranges[count++] = first;
			ranges[count++] = last;
		}
		return new CharacterClass(negated, Arrays.copyOf(ranges, count));
	}

	boolean has(int character) {
		for (int i = 0; i < this.ranges.length; i += 2) {
			if (character >= this.ranges[i] && character <= this.ranges[i + 1]) {
				return !this.negated;
			}
		}
		return this.negated;
	}

	/**
	 * Returns the characters of a class, an escaped one as a negative number.
	 */
	private static int[] unescape(String body) {
		int[] characters = body.codePoints().toArray();
		int count = 0;
		for (int i = 0; i < characters.length; i++) {
			boolean escaped = characters[i] == '\\' && i + 1 < characters.length;
			characters[count++] = escaped ? -characters[++i] : characters[i];
		}
		return Arrays.copyOf(characters, count);
	}

	private static boolean isNegation(char c) {
		return c == '!' || c == '^';
	}

}
