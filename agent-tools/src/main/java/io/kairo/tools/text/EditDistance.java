package io.kairo.tools.text;

/**
 * The Levenshtein distance of texts.
 */
public final class EditDistance {

	private EditDistance() {
	}

	/**
	 * Returns the number of characters to insert, delete or replace, to make one text the
	 * other. Takes time proportional to the product of the lengths.
	 * @param one a text
	 * @param other another text
	 * @return the distance, 0 for equal texts
	 */
	public static int between(String one, String other) {
		int[] previous = new int[other.length() + 1];
		for (int j = 0; j <= other.length(); j++) {
			previous[j] = j;
		}
		for (int i = 1; i <= one.length(); i++) {
			int[] current = new int[other.length() + 1];
			current[0] = i;
			for (int j = 1; j <= other.length(); j++) {
				int substitution = previous[j - 1] + ((one.charAt(i - 1) == other.charAt(j - 1)) ? 0 : 1);
				current[j] = Math.min(substitution, Math.min(previous[j], current[j - 1]) + 1);
			}
			previous = current;
		}
		return previous[other.length()];
	}

}
