package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.kairo.benchmarks.Comparison.Sides;
import io.kairo.governance.audit.AuditContent;
import io.kairo.governance.audit.AuditFileOptions;
import io.kairo.governance.audit.AuditInterceptor;
import io.kairo.governance.audit.AuditLog;
import io.kairo.governance.audit.AuditPolicy;
import io.kairo.governance.audit.FileAuditSink;
import io.kairo.governance.audit.HashChain;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WriteTool;

/**
 * Calls of tools with an audit in files beside the same calls without one.
 */
final class AuditBenchmarks {

	private AuditBenchmarks() {
	}

	static List<Comparison> comparisons() {
		return List.of(
				new Comparison("Read 10 KB with an audit in files, one synced record", "without an audit", 4,
						(scratch) -> read(scratch, true)),
				new Comparison("Read 10 KB with an audit in files, not synced", "without an audit", 2,
						(scratch) -> read(scratch, false)),
				new Comparison("Write 10 KB with an audit in files, two synced records", "without an audit", 3,
						AuditBenchmarks::write));
	}

	private static Sides read(Scratch scratch, boolean sync) throws IOException {
		DiskStore store = DiskStore.in(scratch);
		Files.writeString(store.directory().resolve("file.txt"), "0123456789abcde\n".repeat(640));
		Map<String, String> arguments = Map.of("file_path", "file.txt");
		ToolCatalog audited = ToolCatalog.of(List.of(new ReadTool()), List.of(audit(scratch, sync)));
		ToolCatalog plain = ToolCatalog.of(List.of(new ReadTool()), List.of());
		return new Sides(Work.of(() -> audited.call("Read", arguments, store.context()).text()),
				Work.of(() -> plain.call("Read", arguments, store.context()).text()));
	}

	private static Sides write(Scratch scratch) throws IOException {
		DiskStore store = DiskStore.in(scratch);
		Map<String, String> arguments = Map.of("file_path", "new.txt", "content", "0123456789abcde\n".repeat(640));
		ToolCatalog audited = ToolCatalog.of(List.of(new WriteTool()), List.of(audit(scratch, true)));
		ToolCatalog plain = ToolCatalog.of(List.of(new WriteTool()), List.of());
		return new Sides(
				Work.of(() -> audited.call("Write", arguments, store.context()).error() == null)
					.then((written) -> Files.deleteIfExists(store.directory().resolve("new.txt"))),
				Work.of(() -> plain.call("Write", arguments, store.context()).error() == null)
					.then((written) -> Files.deleteIfExists(store.directory().resolve("new.txt"))));
	}

	private static ToolInterceptor audit(Scratch scratch, boolean sync) throws IOException {
		AuditLog log = scratch
			.closing(new AuditLog(
					List.of(new FileAuditSink(new AuditFileOptions(scratch.directory("audit"), "kairo", 64L << 20, 0,
							Duration.ZERO, sync), new HashChain())),
					AuditPolicy.FAIL, Duration.ofSeconds(10), (record) -> {
					}));
		return new AuditInterceptor(log, AuditContent.NONE, (tool) -> !tool.equals("Read"), () -> null,
				Clock.systemUTC());
	}

}
