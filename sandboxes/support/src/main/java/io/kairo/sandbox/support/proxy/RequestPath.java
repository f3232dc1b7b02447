package io.kairo.sandbox.support.proxy;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.HexFormat;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The path and the query of a request in the form that rules are compared with, and that
 * is sent to the host. A path that servers interpret differently is rejected: rules would
 * be applied to another path than the server serves.
 *
 * @param path the path, with every unreserved character decoded (RFC 3986, section 6.2.2)
 * @param query the query without its question mark, null if there is none
 */
record RequestPath(String path, @Nullable String query) {

	private static final String UNENCODED = "-._~!$&'()*+,=:@/";

	private static final String UNRESERVED = "-._~";

	/** Characters that separate the parts of a path, or begin their encoding. */
	private static final String SEPARATORS = "/\\;%?#";

	/**
	 * Parses the path and query of a request.
	 * @param text the text, beginning with a slash
	 * @return the value, null if the path is ambiguous
	 */
	static @Nullable RequestPath of(String text) {
		int mark = text.indexOf('?');
		String path = normalized((mark < 0) ? text : text.substring(0, mark));
		if (path == null || path.contains("//") || hasTrimmedName(path)) {
			return null;
		}
		return new RequestPath(path, (mark < 0) ? null : text.substring(mark + 1));
	}

	/**
	 * Returns whether the path is a prefix, or below it.
	 * @param prefix a normalized path; with a slash at its end, paths below it only
	 * @param ignoreCase whether to ignore case
	 */
	boolean isWithin(String prefix, boolean ignoreCase) {
		String parent = prefix.endsWith("/") ? prefix : prefix + "/";
		return this.path.regionMatches(ignoreCase, 0, parent, 0, parent.length())
				|| (ignoreCase ? this.path.equalsIgnoreCase(prefix) : this.path.equals(prefix));
	}

	@Override
	public String toString() {
		return (this.query != null) ? this.path + "?" + this.query : this.path;
	}

	private static @Nullable String normalized(String path) {
		StringBuilder normalized = new StringBuilder();
		ByteBuffer decoded = ByteBuffer.allocate(path.length());
		for (int i = 0; i < path.length(); i++) {
			char character = path.charAt(i);
			boolean encoded = character == '%';
			if (encoded) {
				int value = value(path, i + 1);
				if (value < ' ' || value == 0x7f || SEPARATORS.indexOf(value) >= 0) {
					return null;
				}
				character = (char) value;
				i += 2;
			}
			decoded.put((byte) character);
			if (isUnreserved(character)) {
				normalized.append(character);
			}
			else if (encoded) {
				normalized.append('%').append(HexFormat.of().withUpperCase().toHexDigits((byte) character));
			}
			else if (UNENCODED.indexOf(character) >= 0) {
				normalized.append(character);
			}
			else {
				return null;
			}
		}
		return isPlain(decoded.flip()) ? normalized.toString() : null;
	}

	/**
	 * Returns the value of two hexadecimal digits, -1 if they are not there.
	 */
	private static int value(String path, int at) {
		if (at + 2 > path.length() || !HexFormat.isHexDigit(path.charAt(at))
				|| !HexFormat.isHexDigit(path.charAt(at + 1))) {
			return -1;
		}
		return HexFormat.fromHexDigits(path, at, at + 2);
	}

	private static boolean isUnreserved(char character) {
		return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
				|| (character >= '0' && character <= '9') || UNRESERVED.indexOf(character) >= 0;
	}

	/**
	 * Returns whether bytes are UTF-8 without characters that another form of Unicode, or
	 * another case, has as ASCII, such as full-width characters and the dotless i.
	 */
	private static boolean isPlain(ByteBuffer bytes) {
		try {
			return StandardCharsets.UTF_8.newDecoder()
				.decode(bytes)
				.codePoints()
				.filter((character) -> character > 0x7f)
				.noneMatch(RequestPath::hasAsciiForm);
		}
		catch (CharacterCodingException ex) {
			return false;
		}
	}

	private static boolean hasAsciiForm(int character) {
		return Character.toUpperCase(character) <= 0x7f || Character.toLowerCase(character) <= 0x7f
				|| Normalizer.normalize(Character.toString(character), Normalizer.Form.NFKC)
					.chars()
					.anyMatch((part) -> part <= 0x7f);
	}

	/**
	 * Returns whether a name begins or ends with a space, or ends with a dot, since some
	 * systems drop these, or has dots only.
	 */
	private static boolean hasTrimmedName(String path) {
		return Stream.of(path.split("/", -1))
			.anyMatch((name) -> name.startsWith("%20") || name.endsWith("%20") || name.endsWith("."));
	}

}
