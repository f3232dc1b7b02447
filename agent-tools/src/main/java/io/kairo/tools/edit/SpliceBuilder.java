package io.kairo.tools.edit;

import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.tools.ToolError;
import io.kairo.tools.file.UnmappableCharacters;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.RivalCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The splices of an edit in ascending order. For use by one thread.
 */
final class SpliceBuilder {

	private final EditableText text;

	private final EditTerms terms;

	/** The replacement as it was given, for messages. */
	private final String given;

	private final String path;

	private final int maxBytes;

	private final RivalCharsets rivals;

	/** The shared bytes of previously inserted texts. */
	private final Map<String, byte[]> encoded = new HashMap<>();

	private final List<ByteSplice> splices = new ArrayList<>();

	private long growth;

	SpliceBuilder(EditableText text, EditTerms terms, String given, String path, int maxBytes) {
		this.text = text;
		this.terms = terms;
		this.given = given;
		this.path = path;
		this.maxBytes = maxBytes;
		this.rivals = new RivalCharsets(text);
	}

	List<ByteSplice> splices() {
		return this.splices;
	}

	/**
	 * Returns the number of bytes that the splices add, negative if they remove bytes.
	 */
	long growth() {
		return this.growth;
	}

	/**
	 * Requires that a match does not begin or end within a character, if the charset of
	 * the file is a guess.
	 * @throws EditRefusal if it does in another charset that fits
	 */
	void requireWholeCharacters(TextMatch match) throws EditRefusal {
		int from = match.offset(0);
		Charset other = this.rivals.splitting(from, match.offset(match.pattern().length()));
		if (other != null) {
			throw new EditRefusal(ToolError.UNCERTAIN_CHARSET,
					Phrase.of(
							"'%s' was taken for %s, but may be %s, in which %s would begin or end within "
									+ "a character in line %,d.",
							this.path, this.text.charset().name(), other.name(), this.terms.old(),
							this.text.lineAt(from) + 1),
					Phrase.of(
							"Give whole lines in %s, or turn the file into UTF-8 first, as iconv -f %s "
									+ "-t UTF-8 does if that is its charset, and read it again.",
							this.terms.old(), other.name()));
		}
	}

	/**
	 * Adds the smallest splice for a match: the part and its replacement may share their
	 * ends. These stay as they are in the file, byte for byte. Lines keep their ends, and
	 * new lines end as the lines around them do.
	 * @param match the match
	 * @param ends the line ends, null if line ends are written as they are given
	 * @param places the number of matches, for messages
	 * @throws EditRefusal if the charset does not have all new characters, or the result
	 * would be too large
	 */
	void add(TextMatch match, @Nullable KeptLineEnds ends, int places) throws EditRefusal {
		String old = (ends != null) ? ends.old() : match.pattern();
		String replacement = (ends != null) ? ends.replacement() : match.replacement();
		int prefix = commonPrefix(old, replacement);
		int suffix = commonSuffix(old, replacement, prefix);
		suffix = (ends != null) ? ends.suffix(suffix, match) : suffix;
		String inserted = replacement.substring(prefix, replacement.length() - suffix);
		int from = (ends != null) ? ends.offset(match, prefix) : match.offset(prefix);
		int to = (ends != null) ? ends.offset(match, old.length() - suffix) : match.offset(old.length() - suffix);
		inserted = (ends != null) ? ends.applyTo(inserted, prefix, match) : inserted;
		byte[] bytes = this.encoded.computeIfAbsent(inserted, this.text.encoding()::encodeOrNull);
		if (bytes == null) {
			throw new EditRefusal(UnmappableCharacters.problem(this.terms.replacement(), this.given,
					this.text.encoding(), this.path));
		}
		ByteSplice splice = new ByteSplice(from, to, bytes);
		this.splices.add(splice);
		this.growth += splice.growth();
		if (this.text.bytes().length + this.growth > this.maxBytes) {
			throw tooLarge(places);
		}
	}

	private static int commonPrefix(String one, String other) {
		int length = 0;
		int most = Math.min(one.length(), other.length());
		while (length < most && one.charAt(length) == other.charAt(length)) {
			length++;
		}
		return (length > 0 && Character.isHighSurrogate(one.charAt(length - 1))) ? length - 1 : length;
	}

	private static int commonSuffix(String one, String other, int prefix) {
		int length = 0;
		int most = Math.min(one.length(), other.length()) - prefix;
		while (length < most && one.charAt(one.length() - 1 - length) == other.charAt(other.length() - 1 - length)) {
			length++;
		}
		return (length > 0 && Character.isLowSurrogate(one.charAt(one.length() - length))) ? length - 1 : length;
	}

	private EditRefusal tooLarge(int places) {
		return new EditRefusal(WorkspaceErrorCode.TOO_LARGE.code(), Phrase.of(
				"'%s' has %,d bytes, and would have more than the %,d that can be edited if %s were "
						+ "replaced in %,d place%s by a text of %,d characters.",
				this.path, this.text.bytes().length, this.maxBytes, this.terms.old(), places, Phrase.plural(places),
				this.given.length()),
				Phrase.of("Nothing was written. Give a shorter text in %s, replace fewer places, or use a command "
						+ "such as sed.", this.terms.replacement()));
	}

}
