package io.kairo.tools;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.tools.text.Phrase;

/**
 * Why a call must wait.
 *
 * @param limit the name of the limit, as its property ends
 * @param maximum what it allows
 * @param retryAfter when to try again
 */
public record LimitExceeded(String limit, int maximum, Duration retryAfter) {

	public static final String CONCURRENT_EXECUTIONS = "concurrent-executions";

	public static final String EXECUTIONS_PER_MINUTE = "executions-per-minute";

	public static final String CALLS_PER_MINUTE = "calls-per-minute";

	static final String WORKSPACES = "workspaces";

	public ToolResult result() {
		long millis = Math.max(1, this.retryAfter.plusNanos(999_999).toMillis());
		ToolResult failure = ToolResult.failure(code(), message(),
				Phrase.of("Try again in %,d ms%s.", millis, alternative()));
		Map<String, Object> data = new LinkedHashMap<>(failure.data());
		data.put("limit", this.limit);
		data.put("maximum", this.maximum);
		data.put("retryAfterMs", millis);
		return new ToolResult(failure.text(), data, failure.error(), failure.complete());
	}

	private String code() {
		return switch (this.limit) {
			case CONCURRENT_EXECUTIONS -> ToolError.TOO_MANY_EXECUTIONS;
			case WORKSPACES -> WorkspaceErrorCode.TOO_MANY_WORKSPACES.code();
			default -> ToolError.RATE_LIMITED;
		};
	}

	private String alternative() {
		return switch (this.limit) {
			case CONCURRENT_EXECUTIONS -> ", or when a command has ended";
			case WORKSPACES -> ", or when a session has ended";
			default -> "";
		};
	}

	private String message() {
		return switch (this.limit) {
			case CONCURRENT_EXECUTIONS ->
				Phrase.of("%,d commands run already, and no more may at a time.", this.maximum);
			case WORKSPACES ->
				Phrase.of("%,d workspaces are open already, and no more may be at a time.", this.maximum);
			case EXECUTIONS_PER_MINUTE -> Phrase.of("The %,d commands of a minute are used up.", this.maximum);
			default -> Phrase.of("The %,d calls of a minute are used up.", this.maximum);
		};
	}

}
