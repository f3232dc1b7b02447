package io.kairo.api.workspace;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The hint of a {@link WorkspaceRequest}, split into the scheme that selects a provider
 * and the rest, as in {@code memory:notes}. A scheme has at least two characters, since a
 * single letter before a colon is a drive. Immutable.
 *
 * @param scheme the scheme without the colon, case-sensitive; null if the hint has none
 * @param rest the hint without scheme and colon; empty if there is no hint
 */
public record WorkspaceHint(@Nullable String scheme, String rest) {

	private static final Pattern SYNTAX = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):(.*)", Pattern.DOTALL);

	/**
	 * Creates a hint.
	 * @throws IllegalArgumentException if the text of the hint would be parsed into other
	 * parts
	 */
	public WorkspaceHint {
		Objects.requireNonNull(rest, "rest");
		Matcher matcher = SYNTAX.matcher(text(scheme, rest));
		if (!Objects.equals(matcher.matches() ? matcher.group(1) : null, scheme)) {
			throw new IllegalArgumentException("The scheme " + scheme + " and the rest " + rest
					+ " are not the parts of a hint: use parse with the whole hint");
		}
	}

	/**
	 * Parses a hint.
	 * @param hint the hint, may be null
	 * @return its parts
	 */
	public static WorkspaceHint parse(@Nullable String hint) {
		String text = Objects.requireNonNullElse(hint, "");
		Matcher matcher = SYNTAX.matcher(text);
		return matcher.matches() ? new WorkspaceHint(matcher.group(1), matcher.group(2))
				: new WorkspaceHint(null, text);
	}

	/**
	 * Returns the hint in the terms of the provider of a scheme.
	 * @param scheme the scheme of the provider
	 * @return the rest of the hint if it has that scheme, otherwise the whole hint
	 */
	public String without(String scheme) {
		return scheme.equals(this.scheme) ? this.rest : toString();
	}

	/**
	 * Returns the whole hint.
	 */
	@Override
	public String toString() {
		return text(this.scheme, this.rest);
	}

	private static String text(@Nullable String scheme, String rest) {
		return (scheme != null) ? scheme + ":" + rest : rest;
	}

}
