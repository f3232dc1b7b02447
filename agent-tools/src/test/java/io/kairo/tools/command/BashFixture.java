package io.kairo.tools.command;

import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.FileToolsFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A base class for tests of {@link BashTool} in a directory, with host processes.
 */
abstract class BashFixture {

	final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	@TempDir
	Path directory;

	ToolContext context;

	private Workspace workspace;

	@BeforeEach
	void openWorkspace() {
		this.workspace = FileToolsFixture.workspace(this.directory);
		this.context = otherSession().build();
	}

	@AfterEach
	void closeSandbox() {
		this.sandbox.close();
	}

	/**
	 * Starts another session over the same files.
	 */
	ToolContext.Builder otherSession() {
		return sessionIn(this.workspace);
	}

	/**
	 * Starts a session over other files.
	 */
	ToolContext.Builder sessionIn(Workspace workspace) {
		return ToolContext.builder(workspace).sandbox(this.sandbox);
	}

	ToolResult bash(String command) {
		return bash(Map.of("command", command));
	}

	ToolResult bash(Map<String, Object> arguments) {
		return new BashTool().call(arguments, this.context);
	}

}
