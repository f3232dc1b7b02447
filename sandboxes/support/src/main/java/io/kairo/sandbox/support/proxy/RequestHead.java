package io.kairo.sandbox.support.proxy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of a request, parsed as strictly as RFC 9112 allows: one space between words,
 * no folded lines, only printable characters.
 *
 * @param method the method
 * @param target the request target
 * @param version the HTTP version
 * @param fields the header fields in their order, copied
 */
record RequestHead(String method, String target, String version, List<Field> fields) {

	private static final Pattern LINE = Pattern.compile("([A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}) ([!-~]+) (HTTP/1\\.[01])");

	private static final Pattern FIELD = Pattern.compile(
			"([A-Za-z0-9!#$%&'*+.^_`|~-]+):[ \\t]*((?:[!-~\\x80-\\xFF](?:[\\t -~\\x80-\\xFF]*[!-~\\x80-\\xFF])?)?)[ \\t]*");

	/**
	 * Creates the value.
	 */
	RequestHead {
		fields = List.copyOf(fields);
	}

	/**
	 * Parses a head.
	 * @param text the lines, each with its line terminator
	 */
	static RequestHead parse(String text) throws ProxyRefusedException {
		String[] lines = text.split("\r\n", -1);
		Matcher first = LINE.matcher(lines[0]);
		if (!first.matches()) {
			throw new ProxyRefusedException(Refusal.BAD_REQUEST);
		}
		List<Field> fields = new ArrayList<>();
		for (int i = 1; i < lines.length - 1; i++) {
			Matcher field = FIELD.matcher(lines[i]);
			if (!field.matches()) {
				throw new ProxyRefusedException(Refusal.BAD_REQUEST);
			}
			fields.add(new Field(field.group(1), field.group(2)));
		}
		return new RequestHead(first.group(1), first.group(2), first.group(3), fields);
	}

	/**
	 * Returns the values of all fields of a name.
	 */
	List<String> values(String name) {
		return this.fields.stream().filter((field) -> field.is(name)).map(Field::value).toList();
	}

	/**
	 * A header field.
	 *
	 * @param name the name
	 * @param value the value
	 */
	record Field(String name, String value) {

		boolean is(String other) {
			return this.name.equalsIgnoreCase(other);
		}

	}

}
