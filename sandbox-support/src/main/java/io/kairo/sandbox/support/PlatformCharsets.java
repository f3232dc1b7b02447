package io.kairo.sandbox.support;

import java.nio.charset.Charset;
import java.util.List;

/**
 * The charsets in which the Java platform hands arguments and environment to a process:
 * up to Java 17 the default one, from 18 on that of the locale. What they cannot encode
 * becomes a question mark.
 */
final class PlatformCharsets {

	private PlatformCharsets() {
	}

	static List<Charset> ofArguments() {
		Charset standard = Charset.defaultCharset();
		String name = System.getProperty("sun.jnu.encoding");
		Charset locale = (name != null && Charset.isSupported(name)) ? Charset.forName(name) : standard;
		return locale.equals(standard) ? List.of(standard) : List.of(standard, locale);
	}

}
