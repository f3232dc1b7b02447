package io.kairo.autoconfigure.audit;

import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.governance.audit.AuditLog;
import io.kairo.governance.audit.SinkState;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Health indicator that is down while a sink of the audit fails.
 */
final class AuditHealthIndicator extends AbstractHealthIndicator {

	private final AuditLog log;

	AuditHealthIndicator(AuditLog log) {
		super("The audit cannot be asked");
		this.log = log;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		builder.up();
		for (SinkState sink : this.log.states()) {
			Map<String, Object> details = new LinkedHashMap<>();
			details.put("written", sink.written());
			details.put("pending", sink.pending());
			if (sink.failingSince() != null) {
				builder.down();
				details.put("failingSince", sink.failingSince().toString());
				details.put("problem", String.valueOf(sink.failure()));
			}
			builder.withDetail(sink.name(), details);
		}
	}

}
