package io.kairo.tools.file;

import java.nio.charset.CharsetEncoder;
import java.util.ArrayList;
import java.util.List;

import io.kairo.tools.ToolError;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.TextEncoding;

/**
 * The refusal of a text that the charset of a file cannot encode.
 */
public final class UnmappableCharacters {

	private static final int MAX_NAMED = 5;

	private UnmappableCharacters() {
	}

	/**
	 * Explains the refusal by the first characters that cannot be encoded.
	 * @param parameter the parameter that has the text
	 * @param text the text
	 * @param encoding the encoding of the file
	 * @param path the file, as spelled in results
	 * @return the error
	 */
	public static ToolError problem(String parameter, String text, TextEncoding encoding, String path) {
		CharsetEncoder encoder = encoding.charset().newEncoder();
		List<String> named = new ArrayList<>();
		int line = 1;
		int column = 1;
		for (int i = 0; i < text.length() && named.size() < MAX_NAMED; i += Character.charCount(text.codePointAt(i))) {
			int c = text.codePointAt(i);
			String character = Character.toString(c);
			if (!encoder.canEncode(character)) {
				String shown = (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) ? "half a character"
						: "'" + character + "'";
				named.add(Phrase.of("%s (U+%04X) in line %d, column %d", shown, c, line, column));
			}
			column++;
			if (c == '\n') {
				line++;
				column = 1;
			}
		}
		String charset = encoding.charset().name();
		return new ToolError(ToolError.UNMAPPABLE_CHARACTERS,
				Phrase.of("'%s' is encoded as %s, which does not have %s of %s.", path, charset,
						String.join(", ", named), parameter),
				charset.startsWith("UTF-") ? "Give whole characters."
						: "Use characters that " + charset + " has, or turn the file into UTF-8 first, as iconv -f "
								+ charset + " -t UTF-8 does, and read it again.");
	}

}
