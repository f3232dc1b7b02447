package io.kairo.governance.audit;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.kairo.host.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * Removes secrets from records: the values of arguments with certain names, and the parts
 * of texts that match certain patterns. The length and a digest of a removed part stay.
 * Texts come from models, so that a removed part never contains a quote, and ends before
 * a line end, a backquote, <code>$(</code> and the operators of a shell: a command cannot
 * be hidden in it. Patterns are matched in linear time. Immutable and safe for use by
 * several threads.
 */
public final class Redaction {

	/** The beginning of the text in place of a secret. */
	public static final String MASK = "[redacted ";

	/** Default names: parts of the names of arguments whose values are secrets. */
	public static final List<String> NAMES = List.of("password", "passwd", "passphrase", "secret", "token", "api_key",
			"authorization", "credential", "private_key");

	/** The group of a pattern that is the secret. */
	private static final String GROUP = "secret";

	private static final String NAME = "(?:password|passwd|passphrase|secret|token|api[_-]?key|credentials?|private[_-]?key)";

	private static final String ASSIGNED = "(?i)" + NAME
			+ "(?:key|value|accesskey)?(?:[_.-][0-9A-Za-z_.-]*)?\\\\?[\"']?[ \\t]*[=:][ \\t]*";

	/**
	 * Default patterns: tokens of well-known forms, and values that follow a name such as
	 * {@code password=} or an option such as {@code --password}. Only the group
	 * {@code secret} of a pattern that has one is removed.
	 */
	public static final List<String> PATTERNS = List.of("(?m)^[ \\t+-]*(?P<secret>[0-9A-Za-z+/]{60,}={0,2})\\r?$",
			"-----BEGIN [A-Z ]*PRIVATE KEY-----(?P<secret>[0-9A-Za-z+/=\\\\]+)", "\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b",
			"\\bgh[pousr]_[0-9A-Za-z]{36,}", "\\bgithub_pat_[0-9A-Za-z_]{40,}", "\\bglpat-[0-9A-Za-z_-]{20,}",
			"\\bxox[abeoprs]-[0-9A-Za-z-]{10,}", "\\bsk-[0-9A-Za-z_-]{20,}",
			"\\beyJ[0-9A-Za-z_-]{8,}\\.[0-9A-Za-z_-]{8,}\\.[0-9A-Za-z_-]*",
			"(?i)(?:bearer|basic)[ \\t]+(?P<secret>[0-9A-Za-z._~+/-]{8,}=*)", "://[^/\\s:@]*:(?P<secret>[^/\\s@]+)@",
			ASSIGNED + "\\\\?\"(?P<secret>[^\"\\r\\n]+)", ASSIGNED + "'(?P<secret>[^'\\r\\n]+)",
			ASSIGNED + "(?P<secret>[^\\s\"'\\\\][^\\s\"']*)",
			"(?i)--[0-9a-z-]*" + NAME + "[ \\t]+[\"']?(?P<secret>[^\\s\"'-][^\\s\"']*)",
			"(?:^|\\s)(?:-u|--user|--proxy-user)[ \\t=]*[\"']?[^\\s:\"']*:(?P<secret>[^\\s\"']+)");

	private final List<String> names;

	private final List<Pattern> patterns;

	private final int maxCharacters;

	/**
	 * Creates a redaction.
	 * @param names parts of the names of arguments whose values are secrets; upper and
	 * lower case, hyphens and underscores make no difference
	 * @param patterns regular expressions, in the syntax of RE2, of secrets, or of texts
	 * with a secret in their group {@code secret}
	 * @param maxCharacters maximum number of characters that are kept of a text, at least
	 * 1
	 * @throws IllegalArgumentException if a name is blank or a pattern is invalid
	 */
	public Redaction(List<String> names, List<String> patterns, int maxCharacters) {
		if (maxCharacters < 1) {
			throw new IllegalArgumentException("maxCharacters is " + maxCharacters + ": it must be at least 1");
		}
		this.names = names.stream().map(Redaction::requireName).toList();
		this.patterns = patterns.stream().map(Redaction::compile).toList();
		this.maxCharacters = maxCharacters;
	}

	private static String requireName(String name) {
		String normal = normal(name);
		if (normal.isBlank()) {
			throw new IllegalArgumentException("A name of secrets is blank: remove it, it would match all arguments");
		}
		return normal;
	}

	private static Pattern compile(String pattern) {
		try {
			return Pattern.compile(pattern);
		}
		catch (PatternSyntaxException ex) {
			throw new IllegalArgumentException(
					"The pattern '" + pattern + "' of secrets is invalid: " + ex.getDescription(), ex);
		}
	}

	private static String normal(String name) {
		return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
	}

	/**
	 * Removes the secrets from arguments.
	 * @param arguments the arguments as parsed JSON
	 * @return a copy with as many arguments
	 */
	public Map<String, Object> apply(Map<String, Object> arguments) {
		Map<String, Object> redacted = new LinkedHashMap<>();
		arguments.forEach((name, value) -> {
			String kept = apply(name);
			while (redacted.containsKey(kept)) {
				kept += "'";
			}
			redacted.put(kept, (value != null && isSecret(name)) ? mask(String.valueOf(value)) : value(value));
		});
		return redacted;
	}

	/**
	 * Removes the secrets from a text, and cuts it at the maximum length.
	 * @param text the text
	 * @return the text without secrets
	 */
	public String apply(String text) {
		BitSet hidden = new BitSet();
		for (Pattern pattern : this.patterns) {
			boolean part = pattern.namedGroups().containsKey(GROUP);
			for (Matcher matcher = pattern.matcher(text); matcher.find();) {
				hide(text, part ? matcher.start(GROUP) : matcher.start(), part ? matcher.end(GROUP) : matcher.end(),
						hidden);
			}
		}
		StringBuilder redacted = new StringBuilder();
		int shown = 0;
		for (int from = hidden.nextSetBit(0); from >= 0; from = hidden.nextSetBit(shown)) {
			redacted.append(text, shown, from);
			shown = hidden.nextClearBit(from);
			redacted.append(mask(text.substring(from, shown)));
		}
		redacted.append(text, shown, text.length());
		return (redacted.length() <= this.maxCharacters) ? redacted.toString()
				: redacted.substring(0, this.maxCharacters) + "[" + (redacted.length() - this.maxCharacters)
						+ " more characters]";
	}

	/**
	 * Hides a part of a text, as far as it cannot be a command of its own.
	 */
	private static void hide(String text, int start, int end, BitSet hidden) {
		for (int i = Math.max(start, 0); i < end; i++) {
			char c = text.charAt(i);
			if ("\r\n`;&|<>".indexOf(c) >= 0 || text.startsWith("$(", i)) {
				return;
			}
			hidden.set(i, c != '"' && c != '\'');
		}
	}

	private static String mask(String secret) {
		return MASK + secret.length() + " characters, sha256:" + Sha256.hex(secret, 16) + "]";
	}

	private boolean isSecret(String name) {
		String normal = normal(name);
		return this.names.stream().anyMatch(normal::contains);
	}

	private @Nullable Object value(@Nullable Object value) {
		if (value instanceof String text) {
			return apply(text);
		}
		if (value instanceof Map<?, ?> map) {
			Map<String, Object> entries = new LinkedHashMap<>();
			map.forEach((name, entry) -> entries.put(String.valueOf(name), entry));
			return apply(entries);
		}
		if (value instanceof List<?> list) {
			List<@Nullable Object> redacted = new ArrayList<>();
			list.forEach((element) -> redacted.add(value(element)));
			return redacted;
		}
		return value;
	}

}
