package io.kairo.autoconfigure.observation;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

/**
 * The default convention for the observations of tool calls. Low-cardinality keys, the
 * tags of meters, are {@code tool} and {@code tenant}, and at the end {@code outcome} and
 * {@code code}. High-cardinality keys, in traces only, are {@code tenant.principal},
 * {@code session.id} if the session has an id, and {@code exit.code} of a command.
 */
public class DefaultToolCallObservationConvention implements ToolCallObservationConvention {

	/**
	 * Creates the convention.
	 */
	public DefaultToolCallObservationConvention() {
	}

	@Override
	public String getName() {
		return "kairo.tool.calls";
	}

	@Override
	public String getContextualName(ToolCallObservationContext context) {
		return "tool " + context.tool();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(ToolCallObservationContext context) {
		KeyValues values = KeyValues.of("tool", context.tool(), "tenant", context.tenant());
		ToolResult result = context.result();
		if (context.getError() != null) {
			return values.and("outcome", "failed", "code", ToolError.INTERNAL_ERROR);
		}
		if (result == null) {
			return values;
		}
		ToolError error = result.error();
		return values.and("outcome", (error != null) ? "failed" : "succeeded", "code",
				(error != null) ? error.code() : "none");
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(ToolCallObservationContext context) {
		KeyValues values = KeyValues.of(TenantContext.ATTR_PRINCIPAL_ID, context.toolContext().tenant().principalId());
		String session = context.toolContext().sessionId();
		ToolResult result = context.result();
		Object exitCode = (result != null) ? result.data().get("exitCode") : null;
		if (session != null) {
			values = values.and(ExecutionObservationContext.SESSION, session);
		}
		return (exitCode != null) ? values.and(KeyValue.of(ExecutionObservationContext.EXIT_CODE, exitCode.toString()))
				: values;
	}

}
