package io.kairo.workspace.local.repository;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The settings of a configuration file of Git. Each byte of the file is one character
 * here, so that encodings other than UTF-8 are kept. Immutable.
 *
 * @param settings the settings in their order
 * @param plain whether every reader understands the file alike: it has no continued
 * lines, carriage returns, control characters, byte order mark, sections with a dot, or
 * lines so long that versions of Git before 2.40.1 cut them
 * @see <a href="https://git-scm.com/docs/git-config#_configuration_file">The format</a>
 */
record GitConfig(List<Setting> settings, boolean plain) {

	private static final String MARK = "\u00EF\u00BB\u00BF";

	private static final int MAX_SETTINGS = 10_000;

	/** A part of a file: space or a comment, a header, or a setting. */
	private static final Pattern PART = Pattern
		.compile("(?:[ \t\r\n]++|[#;][^\n]*+)" + "|\\[(?<section>[A-Za-z0-9-]++)(?<dotted>\\.[A-Za-z0-9.-]*+)?+"
				+ "(?:[ \t\r]++\"(?<quoted>(?:[^\"\\\\\n]++|\\\\[^\n])*+)\")?+\\]"
				+ "|(?<key>[A-Za-z][A-Za-z0-9-]*+)[ \t]*+(?:\n|=(?<value>(?:[^\"\\\\\n#;]++|\\\\[tbn\"\\\\\n]"
				+ "|\"(?:[^\"\\\\\n]++|\\\\[tbn\"\\\\\n])*+\")*+)(?:[#;][^\n]*+)?+\n)");

	private static final Pattern UNUSUAL = Pattern.compile("^" + MARK + "|\\\\\n|[\\p{Cntrl}&&[^\t\n]]"
			+ "|(?m:^[^\n]{1000}|^[ \t]*+\\[(?:[\\w-]*+\\.|[^\\]\n]*+\\].*\\w|(?:[^\\\\\n]++|\\\\[\\\\\"])*+\\\\))");

	/**
	 * Parses a file as Git does.
	 * @param content the content
	 * @return the configuration; null if Git would refuse it, or for a file that Git does
	 * not write, with a setting outside of sections, a null character or too many
	 * settings
	 */
	static @Nullable GitConfig parse(byte[] content) {
		String file = new String(content, StandardCharsets.ISO_8859_1);
		// Git reads a line feed at the end of a file as often as it reads on
		String text = (file.startsWith(MARK) ? file.substring(MARK.length()) : file).replace("\r\n", "\n") + "\n\n";
		List<Setting> settings = new ArrayList<>();
		boolean plain = !UNUSUAL.matcher(file).find();
		String section = null;
		String subsection = null;
		Matcher part = PART.matcher(text);
		while (part.lookingAt()) {
			if (part.group("section") != null) {
				section = part.group("section").toLowerCase(Locale.ROOT);
				String dotted = part.group("dotted");
				String quoted = part.group("quoted");
				subsection = (quoted != null) ? quoted.replaceAll("\\\\(.)", "$1") : null;
				if (dotted != null) {
					subsection = dotted.substring(1).toLowerCase(Locale.ROOT)
							+ ((subsection != null) ? "." + subsection : "");
				}
			}
			else if (part.group("key") != null) {
				if (section == null || settings.size() == MAX_SETTINGS) {
					return null;
				}
				String value = part.group("value");
				// versions of Git keep a tab or replace it by a space
				plain &= value == null || !value.strip().contains("\t");
				settings.add(new Setting(section, subsection, part.group("key").toLowerCase(Locale.ROOT),
						(value != null) ? decode(value) : null));
			}
			part.region(part.end(), text.length());
		}
		return (part.regionStart() == text.length() && text.indexOf('\0') < 0)
				? new GitConfig(List.copyOf(settings), plain) : null;
	}

	/**
	 * Returns the value that a text means. White space outside of quotes becomes spaces,
	 * and is dropped at both ends.
	 */
	private static String decode(String text) {
		StringBuilder value = new StringBuilder();
		int end = 0;
		boolean quoted = false;
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (!quoted && " \t\r".indexOf(c) >= 0) {
				value.append((end > 0) ? " " : "");
				continue;
			}
			if (c == '"') {
				quoted = !quoted;
			}
			else if (c == '\\') {
				char escaped = text.charAt(++i);
				int known = "tbn".indexOf(escaped);
				value.append((escaped == '\n') ? "" : String.valueOf((known < 0) ? escaped : "\t\b\n".charAt(known)));
			}
			else {
				value.append(c);
			}
			end = value.length();
		}
		value.setLength(end);
		return value.toString();
	}

	/**
	 * Returns a file with settings.
	 */
	static byte[] write(List<Setting> settings) {
		StringBuilder text = new StringBuilder();
		for (Setting setting : settings) {
			text.append('[').append(setting.section());
			if (setting.subsection() != null) {
				text.append(" \"").append(escape(setting.subsection())).append('"');
			}
			text.append("]\n\t").append(setting.key());
			if (setting.value() != null) {
				String value = escape(setting.value()).replace("\n", "\\n").replace("\t", "\\t").replace("\b", "\\b");
				text.append(" = ").append(value.matches("[\\w./:@+*-]*") ? value : '"' + value + '"');
			}
			text.append('\n');
		}
		return text.toString().getBytes(StandardCharsets.ISO_8859_1);
	}

	private static String escape(String text) {
		return text.replace("\\", "\\\\").replace("\"", "\\\"");
	}

	/**
	 * A setting.
	 *
	 * @param section the name of the section, in lower case
	 * @param subsection the name of the subsection, null if there is none
	 * @param key the name of the setting in the section, in lower case
	 * @param value the value, null for a key without one
	 */
	record Setting(String section, @Nullable String subsection, String key, @Nullable String value) {

		String name() {
			return this.section + "." + ((this.subsection != null) ? this.subsection + "." : "") + this.key;
		}

	}

}
