package io.kairo.tools;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Why a tool did not do what it was asked for. Immutable.
 *
 * @param code stable, in lower case with underscores: clients decide by it
 * @param message what was wrong, with the value
 * @param nextStep what to do next, null where nothing helps
 * @since 0.1.0
 */
public record ToolError(String code, String message, @Nullable String nextStep) {

	/**
	 * The call names no tool of the catalog.
	 */
	public static final String UNKNOWN_TOOL = "unknown_tool";

	/**
	 * The arguments are not those of the tool.
	 */
	public static final String INVALID_ARGUMENTS = "invalid_arguments";

	/**
	 * The call was cancelled before it was done.
	 */
	public static final String CANCELLED = "cancelled";

	/**
	 * The part of a file that an edit replaces is not there.
	 */
	public static final String NO_MATCH = "no_match";

	/**
	 * The part of a file that an edit replaces is there more than once.
	 */
	public static final String SEVERAL_MATCHES = "several_matches";

	/**
	 * An edit would change nothing.
	 */
	public static final String NO_CHANGE = "no_change";

	/**
	 * The charset of a file does not have all characters that are to be written.
	 */
	public static final String UNMAPPABLE_CHARACTERS = "unmappable_characters";

	/**
	 * The tool itself is at fault; the log has more.
	 */
	public static final String INTERNAL_ERROR = "internal_error";

	/**
	 * The tenant has used up the calls or commands of a minute; the data say when to try
	 * again.
	 */
	public static final String RATE_LIMITED = "rate_limited";

	/**
	 * The tenant runs as many commands as it may; the data say when to try again.
	 */
	public static final String TOO_MANY_EXECUTIONS = "too_many_executions";

	/**
	 * Creates the value.
	 * @param code stable, in lower case with underscores
	 * @param message what was wrong, with the value
	 * @param nextStep what to do next, may be null
	 */
	public ToolError {
		Objects.requireNonNull(code, "code");
		Objects.requireNonNull(message, "message");
	}

}
