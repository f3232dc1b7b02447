package io.kairo.autoconfigure.observation;

import java.util.Map;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import org.jspecify.annotations.Nullable;

/**
 * Describes the meters that are created without a description, as Micrometer does for
 * observations.
 */
final class MeterDescriptions implements MeterFilter {

	private static final Map<String, String> DESCRIPTIONS = Map.of( //
			"kairo.tool.calls", "Calls of tools, with the time that a command waits for its turn", //
			"kairo.tool.calls.active", "Calls of tools in progress", //
			"kairo.sandbox.executions", "Commands in the sandbox", //
			"kairo.sandbox.executions.active", "Commands in the sandbox that run", //
			"kairo.workspace.acquisitions", "Acquisitions of workspaces", //
			"kairo.workspace.written", "Bytes that file tools wrote", //
			"kairo.trials", "Trials that began or ended, and commits with a conflict", //
			"kairo.policy.denials", "Calls of tools that are not allowed, by the code of the error");

	@Override
	public Meter.Id map(Meter.Id id) {
		@Nullable String description = DESCRIPTIONS.get(id.getName());
		return (description == null || id.getDescription() != null) ? id
				: new Meter.Id(id.getName(), Tags.of(id.getTags()), id.getBaseUnit(), description, id.getType());
	}

}
