package io.kairo.tools;

import java.util.Objects;

import io.kairo.api.sandbox.SandboxException;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a call failed. Immutable.
 *
 * @param code a stable code in lower case with underscores, for programs
 * @param message the problem, with the value
 * @param nextStep the advice on the next step, null if there is none
 */
public record ToolError(String code, String message, @Nullable String nextStep) {

	/**
	 * The call names an unknown tool.
	 */
	public static final String UNKNOWN_TOOL = "unknown_tool";

	/**
	 * The tenant of the caller may not call the tool.
	 */
	public static final String TOOL_NOT_ENABLED = "tool_not_enabled";

	/**
	 * The arguments do not match the schema of the tool.
	 */
	public static final String INVALID_ARGUMENTS = "invalid_arguments";

	/**
	 * The call was cancelled before it was done.
	 */
	public static final String CANCELLED = "cancelled";

	/**
	 * The part of a file to replace was not found.
	 */
	public static final String NO_MATCH = "no_match";

	/**
	 * The part of a file to replace was found more than once.
	 */
	public static final String SEVERAL_MATCHES = "several_matches";

	/**
	 * An edit would change nothing.
	 */
	public static final String NO_CHANGE = "no_change";

	/**
	 * An edit would change text written by an earlier edit of the same call.
	 */
	public static final String OVERLAPPING_EDITS = "overlapping_edits";

	/**
	 * A comment of the new text stands for lines that are left out.
	 */
	public static final String ELIDED_LINES = "elided_lines";

	/**
	 * The charset of a file cannot encode all characters to write.
	 */
	public static final String UNMAPPABLE_CHARACTERS = "unmappable_characters";

	/**
	 * The charset of a file is a guess, and whether the part to replace is a sequence of
	 * whole characters depends on it.
	 */
	public static final String UNCERTAIN_CHARSET = "uncertain_charset";

	/**
	 * No tenant could be determined for the caller; the log has the details.
	 */
	public static final String TENANT_REQUIRED = "tenant_required";

	/**
	 * The tool failed unexpectedly; the log has the details.
	 */
	public static final String INTERNAL_ERROR = "internal_error";

	/**
	 * The tenant has used up its calls or commands per minute; the data contain the time
	 * to wait.
	 */
	public static final String RATE_LIMITED = "rate_limited";

	/**
	 * The tenant runs its maximum number of commands; the data contain the time to wait.
	 */
	public static final String TOO_MANY_EXECUTIONS = "too_many_executions";

	/**
	 * The tenant has its maximum number of calls in progress, and the data contain the
	 * time to wait; or other calls hold large files in memory.
	 */
	public static final String TOO_MANY_CALLS = "too_many_calls";

	/**
	 * A command was not run, since its sandbox could not be set up; the log has the
	 * details.
	 */
	public static final String SETUP_FAILED = "setup_failed";

	/**
	 * The session has no command of the given id.
	 */
	public static final String UNKNOWN_COMMAND = "unknown_command";

	/**
	 * The command takes no input at the moment, or any more.
	 */
	public static final String INPUT_CLOSED = "input_closed";

	/**
	 * The tenant has used up its budget of the day; the data contain the time to wait.
	 */
	public static final String BUDGET_EXCEEDED = "budget_exceeded";

	/**
	 * A command was not run, since the budget of the tenant cannot be checked; the log
	 * has the details.
	 */
	public static final String BUDGET_UNAVAILABLE = "budget_unavailable";

	/**
	 * Creates the value.
	 */
	public ToolError {
		Objects.requireNonNull(code, "code");
		Objects.requireNonNull(message, "message");
	}

	/**
	 * Returns the error of a call without a tenant.
	 * @return the error
	 */
	public static ToolError tenantRequired() {
		return new ToolError(TENANT_REQUIRED, "No tenant could be determined for the caller.",
				"Do not repeat the call: the operator of the application has to look at the log.");
	}

	/**
	 * Returns the error of a command that was not started. If only the operator of the
	 * application can solve the problem, the remedy of the exception is left out: it is
	 * for the log.
	 * @param ex the exception of the sandbox
	 * @return the error
	 */
	public static ToolError of(SandboxException ex) {
		return switch (ex.code()) {
			case BACKEND_UNAVAILABLE, START_FAILED, CLOSED, SETUP_FAILED, BUDGET_UNAVAILABLE ->
				new ToolError(ex.code().code(), ex.problem() + ".", "Use the file tools meanwhile: the command is not "
						+ "the cause, and the operator of the application has to look at the log.");
			case UNSUPPORTED_REQUEST, INVALID_DIRECTORY, INVALID_COMMAND, INVALID_ENVIRONMENT, TOO_MANY_EXECUTIONS,
					RATE_LIMITED, BUDGET_EXCEEDED ->
				new ToolError(ex.code().code(), Objects.requireNonNullElse(ex.getMessage(), ex.problem()), null);
		};
	}

}
