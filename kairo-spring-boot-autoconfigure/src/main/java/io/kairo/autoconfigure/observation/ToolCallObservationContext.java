package io.kairo.autoconfigure.observation;

import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/**
 * The context of the observation of a tool call, {@code kairo.tool.calls}.
 */
public final class ToolCallObservationContext extends Observation.Context {

	private final String tool;

	private final String tenant;

	private final ToolCall call;

	private final ToolContext toolContext;

	private volatile @Nullable ToolResult result;

	ToolCallObservationContext(String tool, String tenant, ToolCall call, ToolContext toolContext) {
		this.tool = tool;
		this.tenant = tenant;
		this.call = call;
		this.toolContext = toolContext;
	}

	/**
	 * Returns the name of the tool as a value of a tag.
	 * @return the name; {@code unknown} if there is no such tool
	 */
	public String tool() {
		return this.tool;
	}

	/**
	 * Returns the tenant as a value of a tag. The number of values is limited.
	 * @return the id of the tenant, or {@code other}
	 */
	public String tenant() {
		return this.tenant;
	}

	/**
	 * Returns the call.
	 * @return the call; its arguments come from a model and may be secret
	 */
	public ToolCall call() {
		return this.call;
	}

	/**
	 * Returns the context of the call, with the id of its session and the whole tenant.
	 * @return the context of the call, whose session must not be opened by an observer
	 */
	public ToolContext toolContext() {
		return this.toolContext;
	}

	/**
	 * Returns the result of the call.
	 * @return the result; null before the end of the call, and if it failed with an
	 * exception
	 */
	public @Nullable ToolResult result() {
		return this.result;
	}

	void result(ToolResult result) {
		this.result = result;
	}

}
