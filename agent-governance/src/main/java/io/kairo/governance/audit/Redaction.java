package io.kairo.governance.audit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Removes secrets from what is recorded: the values of arguments with certain names, and
 * the parts of texts that match certain patterns. Patterns are matched in linear time.
 * Immutable and safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class Redaction {

	/** The text in place of a secret. */
	public static final String MASK = "[redacted]";

	/** Default names: parts of the names of arguments whose values are secrets. */
	public static final List<String> NAMES = List.of("password", "passwd", "passphrase", "secret", "token", "api_key",
			"authorization", "credential", "private_key");

	/**
	 * Default patterns: tokens of well-known forms, and values that follow a name such as
	 * {@code password=}.
	 */
	public static final List<String> PATTERNS = List.of(
			"-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?-----END [A-Z ]*PRIVATE KEY-----",
			"\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b", "\\bgh[pousr]_[0-9A-Za-z]{36,}", "\\bgithub_pat_[0-9A-Za-z_]{40,}",
			"\\bglpat-[0-9A-Za-z_-]{20,}", "\\bxox[abeoprs]-[0-9A-Za-z-]{10,}", "\\bsk-[0-9A-Za-z_-]{20,}",
			"\\beyJ[0-9A-Za-z_-]{8,}\\.[0-9A-Za-z_-]{8,}\\.[0-9A-Za-z_-]*",
			"(?i)(?:bearer|basic)[ \\t]+[0-9A-Za-z._~+/-]{8,}=*", "://[^/\\s:@]+:[^/\\s@]+@",
			"(?i)(?:password|passwd|passphrase|secret|token|api[_-]?key)[ \\t]*[=:][ \\t]*(?:\"[^\"]*\"|'[^']*'|[^\\s;&|\"']+)");

	private final List<String> names;

	private final List<Pattern> patterns;

	private final int maxCharacters;

	/**
	 * Creates a redaction.
	 * @param names parts of the names of arguments whose values are secrets; upper and
	 * lower case, hyphens and underscores make no difference
	 * @param patterns regular expressions, in the syntax of RE2, of secrets
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
	 * @return a copy
	 */
	public Map<String, Object> apply(Map<String, Object> arguments) {
		Map<String, Object> redacted = new LinkedHashMap<>();
		arguments.forEach((name, value) -> redacted.put(apply(name), isSecret(name) ? MASK : value(value)));
		return redacted;
	}

	/**
	 * Removes the secrets from a text and what exceeds the maximum length.
	 * @param text the text
	 * @return the text without secrets
	 */
	public String apply(String text) {
		String redacted = text;
		for (Pattern pattern : this.patterns) {
			redacted = pattern.matcher(redacted).replaceAll(MASK);
		}
		return (redacted.length() <= this.maxCharacters) ? redacted : redacted.substring(0, this.maxCharacters) + "["
				+ (redacted.length() - this.maxCharacters) + " more characters]";
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
