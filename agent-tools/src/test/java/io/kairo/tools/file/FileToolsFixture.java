package io.kairo.tools.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.tools.AgentSession;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.edit.EditTool;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;

/**
 * A fixture that calls the file tools in one session over a directory.
 */
public final class FileToolsFixture {

	private static final ToolCatalog CATALOG = ToolCatalog.of(List.of(new ReadTool(), new WriteTool(), new EditTool()),
			List.of());

	private final Path directory;

	private final ToolContext context;

	public FileToolsFixture(Path directory) {
		this(directory, ToolContext.builder(workspace(directory)).build());
	}

	public FileToolsFixture(Path directory, ToolContext context) {
		this.directory = directory;
		this.context = context;
	}

	public static Workspace workspace(Path directory) {
		return new LocalDirectoryWorkspaceProvider(directory).acquire(WorkspaceRequest.writable(null));
	}

	/**
	 * Returns lines numbered from 1.
	 */
	public static String lines(int count) {
		return IntStream.rangeClosed(1, count).mapToObj((i) -> "line " + i + "\n").collect(Collectors.joining());
	}

	/**
	 * Returns a fixture with another session over the same files.
	 */
	public FileToolsFixture otherSession() {
		Workspace workspace = this.context.currentWorkspace();
		return new FileToolsFixture(this.directory,
				ToolContext.builder(workspace)
					.files(this.context.files())
					.session(new AgentSession("other", TenantContext.SINGLE, workspace))
					.build());
	}

	public Path directory() {
		return this.directory;
	}

	public ToolContext context() {
		return this.context;
	}

	public ToolResult read(String path) {
		return call("Read", Map.of("file_path", path));
	}

	public ToolResult write(String path, String content) {
		return call("Write", Map.of("file_path", path, "content", content));
	}

	public ToolResult edit(String path, String oldString, String newString) {
		return edit(path, oldString, newString, Map.of());
	}

	public ToolResult edit(String path, String oldString, String newString, Map<String, Object> more) {
		Map<String, Object> arguments = new HashMap<>(more);
		arguments.put("file_path", path);
		arguments.put("old_string", oldString);
		arguments.put("new_string", newString);
		return call("Edit", arguments);
	}

	public ToolResult call(String tool, Map<String, Object> arguments) {
		return CATALOG.call(new ToolCall("", tool, arguments), this.context);
	}

	public void put(String path, String content) throws IOException {
		put(path, content.getBytes(StandardCharsets.UTF_8));
	}

	public void put(String path, byte[] content) throws IOException {
		Path file = this.directory.resolve(path);
		Files.createDirectories(file.getParent());
		Files.write(file, content);
	}

	public String get(String path) throws IOException {
		return Files.readString(this.directory.resolve(path));
	}

	public byte[] bytes(String path) throws IOException {
		return Files.readAllBytes(this.directory.resolve(path));
	}

}
