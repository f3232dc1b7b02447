package io.kairo.tools;

import java.util.Locale;

/**
 * Formats what a model or a program reads, which must not depend on the locale of the
 * JVM.
 */
final class Phrase {

	private Phrase() {
	}

	static String of(String pattern, Object... values) {
		return String.format(Locale.ROOT, pattern, values);
	}

}
