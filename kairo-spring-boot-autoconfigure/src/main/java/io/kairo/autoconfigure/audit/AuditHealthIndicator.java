package io.kairo.autoconfigure.audit;

import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.governance.audit.AuditException;
import io.kairo.governance.audit.AuditLog;
import io.kairo.governance.audit.AuditSink;
import io.kairo.governance.audit.SinkState;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Health indicator that is down while a sink of the audit fails. A sink that has failed
 * is asked whether it still does, since calls may be sent elsewhere until it is up.
 */
final class AuditHealthIndicator extends AbstractHealthIndicator {

	private final AuditLog log;

	AuditHealthIndicator(AuditLog log) {
		super("The audit cannot be asked");
		this.log = log;
	}

	private @Nullable String problem(String name) {
		try {
			this.log.sinks().stream().filter((sink) -> sink.name().equals(name)).forEach(AuditSink::check);
			return null;
		}
		catch (AuditException ex) {
			return String.valueOf(ex.getMessage());
		}
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.up();
		for (SinkState sink : this.log.states()) {
			Map<String, Object> details = new LinkedHashMap<>();
			details.put("written", sink.written());
			details.put("pending", sink.pending());
			if (sink.failingSince() != null) {
				details.put("failingSince", sink.failingSince().toString());
				details.put("problem", String.valueOf(sink.failure()));
				String problem = sink.stuck() ? sink.failure() : problem(sink.name());
				if (problem != null) {
					builder.down();
					details.put("problem", problem);
				}
			}
			builder.withDetail(sink.name(), details);
		}
	}

}
