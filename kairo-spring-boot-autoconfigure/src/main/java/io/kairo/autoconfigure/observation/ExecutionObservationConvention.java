package io.kairo.autoconfigure.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * A convention for the observations of commands. A bean of this type replaces the
 * {@linkplain DefaultExecutionObservationConvention default}. Safe for use by several
 * threads. It is applied at the start and at the end of a command; only then is there an
 * outcome.
 */
public interface ExecutionObservationConvention extends ObservationConvention<ExecutionObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof ExecutionObservationContext;
	}

}
