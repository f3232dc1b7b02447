package io.kairo.autoconfigure.audit;

import java.util.function.ToDoubleFunction;

import io.kairo.governance.audit.AuditLog;
import io.kairo.governance.audit.SinkState;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Registers the records of the audit as {@code kairo.audit.records}, and the waiting ones
 * as {@code kairo.audit.pending}.
 */
final class AuditMeters implements MeterBinder {

	private final AuditLog log;

	AuditMeters(AuditLog log) {
		this.log = log;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (SinkState sink : this.log.states()) {
			count(registry, sink.name(), "written", SinkState::written);
			count(registry, sink.name(), "failed", SinkState::failed);
			Gauge.builder("kairo.audit.pending", this.log, (log) -> value(log, sink.name(), SinkState::pending))
				.description("Records that wait for a sink of the audit")
				.tag("sink", sink.name())
				.register(registry);
		}
	}

	private void count(MeterRegistry registry, String sink, String outcome, ToDoubleFunction<SinkState> count) {
		FunctionCounter.builder("kairo.audit.records", this.log, (log) -> value(log, sink, count))
			.description("Records of the audit")
			.tag("sink", sink)
			.tag("outcome", outcome)
			.register(registry);
	}

	private static double value(AuditLog log, String sink, ToDoubleFunction<SinkState> value) {
		return log.states().stream().filter((state) -> state.name().equals(sink)).mapToDouble(value).sum();
	}

}
