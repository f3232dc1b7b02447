package io.kairo.tools;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.workspace.WorkspaceResult;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call. Immutable.
 *
 * @param text the text for the model
 * @param data the same as values, for programs: strings, numbers, booleans, lists and
 * maps, copied
 * @param error the reason of a failure, null for success
 * @param complete the completeness of the result
 * @param attachment an attached file, null for none; only if the context carries
 * attachments
 */
public record ToolResult(String text, Map<String, Object> data, @Nullable ToolError error, Completeness complete,
		@Nullable ToolAttachment attachment) {

	/**
	 * Creates the value.
	 */
	public ToolResult {
		Objects.requireNonNull(text, "text");
		Objects.requireNonNull(complete, "complete");
		data = Collections.unmodifiableMap(new LinkedHashMap<>(data));
	}

	/**
	 * Creates a result without an attachment.
	 * @param text the text for the model
	 * @param data the same as values; copied
	 * @param error the reason of a failure, may be null
	 * @param complete the completeness of the result
	 */
	public ToolResult(String text, Map<String, Object> data, @Nullable ToolError error, Completeness complete) {
		this(text, data, error, complete, null);
	}

	/**
	 * Returns the data for a program that gets nothing else: with {@code complete} and,
	 * of a result that is not, {@code incompleteReason} and the arguments of the
	 * {@code next} call. The {@code message} of a failure is followed by its next step.
	 * @param naming the names of the tools; results of {@link ToolNaming#SNAKE_CASE}
	 * tools that are complete have nothing but their data
	 * @return a new map
	 */
	public Map<String, Object> structured(ToolNaming naming) {
		Map<String, Object> structured = new LinkedHashMap<>(this.data);
		if (this.error != null && this.error.nextStep() != null) {
			structured.computeIfPresent("message", (name, message) -> message + "\n" + this.error.nextStep());
		}
		if (naming != ToolNaming.SNAKE_CASE || !this.complete.complete()) {
			structured.put("complete", this.complete.complete());
		}
		if (this.complete.reason() != null) {
			structured.put("incompleteReason", this.complete.reason());
		}
		if (this.complete.next() != null) {
			structured.put("next", this.complete.next());
		}
		return structured;
	}

	/**
	 * Creates the result of a call that succeeded.
	 * @param text the text for the model
	 * @param data the same as values
	 * @return the result
	 */
	public static ToolResult ok(String text, Map<String, Object> data) {
		return new ToolResult(text, data, null, Completeness.COMPLETE);
	}

	/**
	 * Creates the result of a call that failed. The text is the code, the message and the
	 * next step; the data are {@code error} and {@code message}.
	 * @param error the reason
	 * @return the result
	 */
	public static ToolResult failure(ToolError error) {
		String text = error.code() + ": " + error.message();
		if (error.nextStep() != null) {
			text += "\n" + error.nextStep();
		}
		return new ToolResult(text, Map.of("error", error.code(), "message", error.message()), error,
				Completeness.COMPLETE);
	}

	/**
	 * Creates the result of a call that failed.
	 * @param code the code
	 * @param message the problem, with the value
	 * @param nextStep the advice on the next step, may be null
	 * @return the result
	 */
	public static ToolResult failure(String code, String message, @Nullable String nextStep) {
		return failure(new ToolError(code, message, nextStep));
	}

	/**
	 * Creates the result of a call that was cancelled.
	 * @param message a sentence that names the cancelled work
	 * @return the result
	 */
	public static ToolResult cancelled(String message) {
		return failure(ToolError.CANCELLED, message, null);
	}

	/**
	 * Creates the result of a tool whose operation on files failed.
	 * @param failure the failure of the files
	 * @return the result
	 */
	public static ToolResult failure(WorkspaceResult.Failure<?> failure) {
		return failure(failure.code().code(), failure.message(), null);
	}

}
