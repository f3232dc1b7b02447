package io.kairo.autoconfigure.audit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import io.kairo.governance.audit.AuditRecord;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes every record as an {@link AuditEvent} of Spring Boot, with the type
 * {@code KAIRO_} and the name of the {@linkplain AuditRecord.Event event}.
 */
final class AuditEventPublisher implements Consumer<AuditRecord> {

	private static final String UNKNOWN = "unknown";

	private final ApplicationEventPublisher events;

	AuditEventPublisher(ApplicationEventPublisher events) {
		this.events = events;
	}

	@Override
	@SuppressWarnings("NullAway") // compilers differ about annotations of type arguments
									// in class files
	public void accept(AuditRecord record) {
		AuditRecord.Caller caller = record.caller();
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("id", record.id());
		data.put("tenant", Objects.requireNonNullElse(caller.tenant(), UNKNOWN));
		data.put("adapter", caller.adapter());
		data.put("tool", record.tool());
		data.put("code", record.code());
		data.put("record", record);
		this.events.publishEvent(new AuditApplicationEvent(new AuditEvent(record.time(),
				Objects.requireNonNullElse(caller.principal(), UNKNOWN), "KAIRO_" + record.event().name(), data)));
	}

}
