package io.kairo.tools.file;

import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.AllTools;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

/**
 * Tests for the results of tools when the file store fails.
 */
class StoreFailureTests {

	@TempDir
	Path temp;

	private final List<LogRecord> logged = new CopyOnWriteArrayList<>();

	private final Handler handler = new Handler() {

		@Override
		public void publish(LogRecord entry) {
			StoreFailureTests.this.logged.add(entry);
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

	};

	private final Logger logger = Logger.getLogger(ToolCatalog.class.getName());

	@BeforeEach
	void listen() {
		this.logger.addHandler(this.handler);
	}

	@AfterEach
	void stopListening() {
		this.logger.removeHandler(this.handler);
	}

	@ParameterizedTest
	@EnumSource(value = WorkspaceErrorCode.class, names = { "PERMISSION_DENIED", "READ_FAILED", "WRITE_FAILED" })
	void toolsReturnErrorCodeOfStore(WorkspaceErrorCode code) {
		ToolContext context = context(code);
		ToolCatalog catalog = ToolCatalog.of(AllTools.of(ToolNaming.SNAKE_CASE), List.of());
		ToolResult read = catalog.call(new ToolCall("1", "read_file", Map.of("path", "a")), context);
		assertThat(read.data()).isEqualTo(Map.of("error", code.code(), "message", "'a' failed: try again"));
		ToolResult written = catalog.call(new ToolCall("2", "write_file", Map.of("path", "a", "content", "x")),
				context);
		assertThat(written.data()).isEqualTo(Map.of("error", code.code(), "message", "'a' failed: try again"));
		assertThat(this.logged).extracting(LogRecord::getMessage)
			.hasSize((code == WorkspaceErrorCode.PERMISSION_DENIED) ? 2 : 0)
			.allSatisfy((message) -> assertThat(message).contains("denied access"));
	}

	@Test
	void refusedAccessToWorkspaceIsLoggedWithCause() {
		WorkspacePathException refusal = new WorkspacePathException(WorkspaceErrorCode.PERMISSION_DENIED,
				"The directory cannot be used: ask the operator", new AccessDeniedException("/srv/agents"));
		ToolResult result = ToolCatalog.of(AllTools.of(ToolNaming.SNAKE_CASE), List.of())
			.call(new ToolCall("1", "read_file", Map.of("path", "a")), context(() -> {
				throw refusal;
			}));
		assertThat(result.data()).isEqualTo(
				Map.of("error", "permission_denied", "message", "The directory cannot be used: ask the operator"));
		assertThat(this.logged).extracting(LogRecord::getMessage)
			.singleElement(STRING)
			.contains("denied access", "ask the operator", "AccessDeniedException: /srv/agents");
	}

	private ToolContext context(WorkspaceErrorCode code) {
		return context(() -> code);
	}

	private ToolContext context(Supplier<WorkspaceErrorCode> code) {
		Workspace workspace = FileToolsFixture.workspace(this.temp);
		WorkspaceFiles files = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).open(workspace);
		return ToolContext.builder(workspace).files(new ForwardingWorkspaceFiles(files) {

			@Override
			public WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length) {
				return WorkspaceResult.failure(code.get(), "'a' failed: try again");
			}

			@Override
			public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
				return WorkspaceResult.failure(code.get(), "'a' failed: try again");
			}

		}).build();
	}

}
