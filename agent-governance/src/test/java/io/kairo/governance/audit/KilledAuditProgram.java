package io.kairo.governance.audit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Writes records from several threads until it is killed, and prints the id of each
 * record that was reported as written.
 */
final class KilledAuditProgram {

	private KilledAuditProgram() {
	}

	public static void main(String[] args) {
		AuditFileOptions options = new AuditFileOptions(Path.of(args[0]), "kairo", 100_000, 0, Duration.ZERO, false);
		AuditLog log = new AuditLog(List.of(new FileAuditSink(options, new HashChain())), AuditPolicy.BLOCK,
				Duration.ofSeconds(1), (record) -> {
				});
		for (int i = 0; i < 16; i++) {
			new Thread(() -> {
				while (true) {
					AuditRecord record = AuditRecords.record("Bash");
					log.append(record);
					System.out.println(record.id());
				}
			}).start();
		}
	}

}
