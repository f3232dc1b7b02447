package io.kairo.autoconfigure.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * A convention for the observations of tool calls. A bean of this type replaces the
 * {@linkplain DefaultToolCallObservationConvention default}. Safe for use by several
 * threads. It is applied at the start and at the end of a call; only then is there a
 * result.
 */
public interface ToolCallObservationConvention extends ObservationConvention<ToolCallObservationContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof ToolCallObservationContext;
	}

}
