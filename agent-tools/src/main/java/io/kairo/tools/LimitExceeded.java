package io.kairo.tools;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxLimitException;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.tools.text.Phrase;

/**
 * A limit of a tenant that a call exceeds. Immutable.
 *
 * @param limit the name of the limit, the last part of its property
 * @param maximum the value of the limit
 * @param retryAfter the time to wait before the next attempt
 */
public record LimitExceeded(String limit, int maximum, Duration retryAfter) {

	/**
	 * Commands that run at the same time.
	 */
	public static final String CONCURRENT_EXECUTIONS = "concurrent-executions";

	/**
	 * Commands started in a minute.
	 */
	public static final String EXECUTIONS_PER_MINUTE = "executions-per-minute";

	/**
	 * Calls of tools in a minute.
	 */
	public static final String CALLS_PER_MINUTE = "calls-per-minute";

	/**
	 * Calls of tools that are in progress at the same time.
	 */
	public static final String CONCURRENT_CALLS = "concurrent-calls";

	static final String WORKSPACES = "workspaces";

	/**
	 * Creates the result of a call that was refused. Its data name the limit, its value
	 * and the time to wait.
	 * @return the result
	 */
	public ToolResult result() {
		return result(
				ToolResult.failure(code(), message(), Phrase.of("Try again in %,d ms%s.", millis(), alternative())),
				this.limit, this.maximum, this.retryAfter);
	}

	/**
	 * Creates the result of a command that the sandbox did not start.
	 */
	static ToolResult result(SandboxLimitException ex) {
		return result(ToolResult.failure(ToolError.of(ex)), ex.limit(), ex.maximum(), ex.retryAfter());
	}

	private static ToolResult result(ToolResult failure, String limit, Number maximum, Duration retryAfter) {
		Map<String, Object> data = new LinkedHashMap<>(failure.data());
		data.put("limit", limit);
		data.put("maximum", maximum);
		data.put("retryAfterMs", millis(retryAfter));
		return new ToolResult(failure.text(), data, failure.error(), failure.complete());
	}

	/**
	 * Creates the exception of a command that the sandbox was not asked to start.
	 * @return the exception, naming the value of the limit and the time to wait
	 */
	public SandboxException exception() {
		SandboxErrorCode code = CONCURRENT_EXECUTIONS.equals(this.limit) ? SandboxErrorCode.TOO_MANY_EXECUTIONS
				: SandboxErrorCode.RATE_LIMITED;
		String problem = message();
		return new SandboxLimitException(code, problem.substring(0, problem.length() - 1),
				Phrase.of("try again in %,d ms%s", millis(), alternative()), this.limit, this.maximum, this.retryAfter);
	}

	private long millis() {
		return millis(this.retryAfter);
	}

	private static long millis(Duration time) {
		return Math.max(1, time.plusNanos(999_999).toMillis());
	}

	private String code() {
		return switch (this.limit) {
			case CONCURRENT_EXECUTIONS -> ToolError.TOO_MANY_EXECUTIONS;
			case CONCURRENT_CALLS -> ToolError.TOO_MANY_CALLS;
			case WORKSPACES -> WorkspaceErrorCode.TOO_MANY_WORKSPACES.code();
			default -> ToolError.RATE_LIMITED;
		};
	}

	private String alternative() {
		return switch (this.limit) {
			case CONCURRENT_EXECUTIONS -> ", or when a command has ended";
			case CONCURRENT_CALLS -> ", or when another call has ended";
			case WORKSPACES -> ", or when a session has ended";
			default -> "";
		};
	}

	private String message() {
		return switch (this.limit) {
			case CONCURRENT_EXECUTIONS ->
				Phrase.count(this.maximum, "command runs", "commands run") + " already, and no more may at a time.";
			case CONCURRENT_CALLS -> Phrase.count(this.maximum, "call is", "calls are")
					+ " in progress already, and no more may be at a time.";
			case WORKSPACES -> Phrase.count(this.maximum, "workspace is", "workspaces are")
					+ " open already, and no more may be at a time.";
			case EXECUTIONS_PER_MINUTE -> "The " + perMinute("command");
			default -> "The " + perMinute("call");
		};
	}

	private String perMinute(String noun) {
		return Phrase.count(this.maximum, noun + " of a minute is", noun + "s of a minute are") + " used up.";
	}

}
