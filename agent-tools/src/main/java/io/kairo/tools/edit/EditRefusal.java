package io.kairo.tools.edit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;

/**
 * Signals a change that cannot be planned. Nothing has been written.
 */
final class EditRefusal extends Exception {

	private static final long serialVersionUID = 1L;

	private final transient ToolResult result;

	EditRefusal(ToolResult result) {
		super(result.text(), null, false, false);
		this.result = result;
	}

	EditRefusal(ToolError error) {
		this(ToolResult.failure(error));
	}

	EditRefusal(String code, String message, String nextStep) {
		this(new ToolError(code, message, nextStep));
	}

	/**
	 * Returns the result of the call.
	 */
	ToolResult result() {
		return this.result;
	}

	/**
	 * Returns a refusal whose message begins with the part of the call that it is about.
	 * @param part the part, such as {@code edits[2]}
	 */
	EditRefusal at(String part) {
		ToolError error = Objects.requireNonNull(this.result.error());
		String message = part + ": " + error.message();
		Map<String, Object> data = new LinkedHashMap<>(this.result.data());
		data.put("message", message);
		String start = error.code() + ": ";
		return new EditRefusal(new ToolResult(start + part + ": " + this.result.text().substring(start.length()), data,
				new ToolError(error.code(), message, error.nextStep()), this.result.complete()));
	}

}
