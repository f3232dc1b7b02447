package io.kairo.governance.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionBounds;
import io.kairo.tools.SessionDefaults;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.background.BackgroundCommands;
import io.kairo.tools.background.BackgroundOptions;
import io.kairo.tools.checkpoint.TrialTool;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.output.OutputOptions;
import io.kairo.tools.output.OutputStore;
import io.kairo.workspace.checkpoint.CheckpointOptions;
import io.kairo.workspace.checkpoint.CheckpointStore;
import io.kairo.workspace.checkpoint.TrialOptions;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link AuditInterceptor} with commits of trials.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
class TrialAuditTests {

	@TempDir
	Path temp;

	private final List<AuditRecord> records = new CopyOnWriteArrayList<>();

	@Test
	void commitRecordsEachEntryOfTheWorkspaceAndNoneOfTheApplication() throws IOException {
		Path directory = Files.createDirectory(this.temp.toRealPath().resolve("work"));
		Files.writeString(directory.resolve("a.txt"), "one\n");
		AuditLog log = new AuditLog(List.of(new AuditSink() {

			@Override
			public String name() {
				return "test";
			}

			@Override
			public void append(List<AuditRecord> added) {
				TrialAuditTests.this.records.addAll(added);
			}

		}), AuditPolicy.FAIL, Duration.ofSeconds(10), (record) -> {
		});
		ToolCatalog catalog = ToolCatalog.of(List.of(new BashTool(), new TrialTool()), List
			.of(new AuditInterceptor(log, AuditContent.NONE, (name) -> true, () -> "trace", Clock.systemUTC())));
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox();
				CheckpointStore store = new CheckpointStore(this.temp.resolve("checkpoints"),
						CheckpointOptions.defaults(), TrialOptions.defaults(this.temp.resolve("trials")),
						(tenant, bytes, most) -> {
						}, Clock.systemUTC());
				AgentSessions sessions = new AgentSessions(new LocalDirectoryWorkspaceProvider(directory),
						new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS), sandbox, SessionBounds.DEFAULTS,
						SessionDefaults.NONE,
						new OutputStore(this.temp.resolve("outputs"), OutputOptions.defaults(), Clock.systemUTC()),
						new BackgroundCommands(BackgroundOptions.defaults()), store)) {
			call(sessions, catalog, "Bash", Map.of("command",
					"mkdir -p d/e; echo x > d/e/f; ln -s f d/link; rm a.txt; echo y > b", "trial", true));
			call(sessions, catalog, "Trial", Map.of("action", "commit"));
		}
		AuditRecord committed = this.records.get(this.records.size() - 1);
		assertThat(committed.effects().paths()).filteredOn(AuditRecord.TouchedPath::changed)
			.extracting(AuditRecord.TouchedPath::path)
			.containsExactlyInAnyOrder("a.txt", "b", "d", "d/e", "d/e/f", "d/link");
		log.close();
	}

	private void call(AgentSessions sessions, ToolCatalog catalog, String tool, Map<String, Object> arguments) {
		assertThat(sessions
			.call(SessionRequest.of(new TenantContext("acme", "bob"), "s1"), catalog,
					new ToolCall("1", tool, arguments), UnaryOperator.identity())
			.error()).isNull();
	}

}
