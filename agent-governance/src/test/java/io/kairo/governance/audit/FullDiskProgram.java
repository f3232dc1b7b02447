package io.kairo.governance.audit;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Fills the disk of an audit.
 */
final class FullDiskProgram {

	private FullDiskProgram() {
	}

	public static void main(String[] args) throws Exception {
		Path directory = Path.of(args[0]);
		Path ballast = directory.resolve("ballast");
		try (AuditSink sink = new FileAuditSink(AuditFileOptions.in(directory.resolve("audit")), new HashChain())) {
			sink.append(AuditRecords.records(10));
			fill(ballast);
			List<AuditRecord> many = AuditRecords.records(200);
			for (int i = 0; i < 3; i++) {
				assertThatExceptionOfType(AuditException.class).isThrownBy(() -> sink.append(many))
					.withMessageContaining("No space left");
			}
			assertThat(sink.head().orElseThrow().sequence()).isEqualTo(10);
			Files.delete(ballast);
			sink.append(many);
			ChainReport report = sink.verify(Optional.empty()).orElseThrow();
			assertThat(report.findings()).isEmpty();
			assertThat(report.records()).isEqualTo(210);
		}
	}

	private static void fill(Path ballast) throws Exception {
		byte[] block = new byte[4096];
		try (OutputStream out = Files.newOutputStream(ballast)) {
			while (true) {
				out.write(block);
			}
		}
		catch (IOException ex) {
			assertThat(ex).hasMessageContaining("No space left");
		}
	}

}
