package io.kairo.governance.audit;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import io.kairo.governance.audit.AuditRecord.Caller;
import io.kairo.governance.audit.AuditRecord.Effects;
import io.kairo.governance.audit.AuditRecord.Event;

/**
 * Records for tests.
 */
final class AuditRecords {

	private AuditRecords() {
	}

	static AuditRecord record(String tool) {
		return record(tool, "acme");
	}

	static AuditRecord record(String tool, String tenant) {
		return new AuditRecord(UUID.randomUUID().toString(), Event.CALL_ENDED, null,
				Instant.parse("2026-01-02T03:04:05.123456789Z"),
				new Caller(tenant, "alice", null, "session \u2028\ud800", "mcp"), tool, "", null, null, null,
				Effects.NONE, AuditRecord.SUCCESS, 12, null);
	}

	static List<AuditRecord> records(int count) {
		return IntStream.range(0, count).mapToObj((i) -> record("Tool" + i)).toList();
	}

}
