package io.kairo.autoconfigure.observation;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.tenant.TenantContext;
import io.micrometer.common.KeyValues;

/**
 * The default convention for the observations of commands. Low-cardinality keys, the tags
 * of meters, are {@code backend} and {@code tenant}, and at the end {@code outcome}.
 * High-cardinality keys, in traces only, are {@code tenant.principal} and, at the end,
 * {@code exit.code}. The session is in the observation of the tool call, the parent.
 */
public class DefaultExecutionObservationConvention implements ExecutionObservationConvention {

	/**
	 * Creates the convention.
	 */
	public DefaultExecutionObservationConvention() {
	}

	@Override
	public String getName() {
		return "kairo.sandbox.executions";
	}

	@Override
	public String getContextualName(ExecutionObservationContext context) {
		return "command";
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(ExecutionObservationContext context) {
		KeyValues values = KeyValues.of("backend", context.backend(), "tenant", context.tenant());
		String outcome = context.outcome();
		return (outcome != null) ? values.and("outcome", outcome) : values;
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(ExecutionObservationContext context) {
		KeyValues values = KeyValues.of(TenantContext.ATTR_PRINCIPAL_ID, context.request().tenant().principalId());
		SandboxExit exit = context.exit();
		return (exit != null) ? values.and(ExecutionObservationContext.EXIT_CODE, Integer.toString(exit.exitCode()))
				: values;
	}

}
