package io.kairo.sandbox.support;

import java.nio.charset.Charset;
import java.util.List;

/**
 * The charsets that the Java platform uses to pass arguments and environment to a
 * process: the default charset up to Java 17, the charset of the locale from Java 18 on.
 * Characters that they cannot encode become question marks.
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
