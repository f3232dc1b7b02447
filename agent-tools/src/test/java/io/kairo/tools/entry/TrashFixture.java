package io.kairo.tools.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.edit.ApplyPatchTool;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.trash.TrashOptions;
import io.kairo.tools.trash.TrashStore;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.memory.InMemoryWorkspaceFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Base class for tests of the trash, with a directory that contains a few files.
 */
@Timeout(60)
abstract class TrashFixture {

	static final TrashOptions OPTIONS = new TrashOptions(1000, 1500, 20, Duration.ofHours(1));

	@TempDir
	Path directory;

	Path root;

	Path state;

	ToolContext context;

	ToolCatalog catalog;

	Instant now = Instant.parse("2030-01-01T00:00:00Z");

	TrashStore store;

	@BeforeEach
	void open() throws IOException {
		this.root = Files.createDirectory(this.directory.resolve("root"));
		this.state = this.directory.resolve("state/trash");
		Files.createDirectories(this.root.resolve("src/deep"));
		Files.writeString(this.root.resolve("src/Main.java"), "class Main {\n}\n");
		Files.writeString(this.root.resolve("src/deep/Other.java"), "class Other {\n}\n");
		Files.writeString(this.root.resolve("readme.md"), "about\n");
		this.store = store(OPTIONS);
		use(LocalFilesOptions.DEFAULTS);
	}

	TrashStore store(TrashOptions options) {
		return new TrashStore(this.state, options, new Clock() {

			@Override
			public ZoneOffset getZone() {
				return ZoneOffset.UTC;
			}

			@Override
			public Clock withZone(ZoneId zone) {
				return this;
			}

			@Override
			public Instant instant() {
				// every deletion has a time of its own
				TrashFixture.this.now = TrashFixture.this.now.plusMillis(1);
				return TrashFixture.this.now;
			}

		});
	}

	void use(LocalFilesOptions options) {
		use(new LocalWorkspaceFilesFactory(options).open(workspace(this.root)), TenantContext.SINGLE);
	}

	void use(WorkspaceFiles files, TenantContext tenant) {
		this.catalog = ToolCatalog
			.of(List.of(new ReadTool(), new WriteTool(), new UndeleteTool(this.store, ToolNaming.CLAUDE),
					new ApplyPatchTool(EditOptions.defaults(), this.store, ToolNaming.CLAUDE),
					new DeleteTool(this.store, CallDeadline.DEFAULT_TIMEOUT, ToolNaming.CLAUDE)), List.of());
		this.context = ToolContext.builder(workspace(this.root)).tenant(tenant).files(files).build();
	}

	void useMemory(InMemoryWorkspaceFiles files) {
		use(files, TenantContext.SINGLE);
		this.context = ToolContext.builder(new InMemoryWorkspace(files.root().root())).files(files).build();
	}

	static Workspace workspace(Path root) {
		return new LocalDirectoryWorkspaceProvider(root).acquire(WorkspaceRequest.writable(null));
	}

	ToolResult call(String tool, Object... arguments) {
		Map<String, Object> named = new HashMap<>();
		for (int i = 0; i < arguments.length; i += 2) {
			named.put((String) arguments[i], arguments[i + 1]);
		}
		return this.catalog.call(new ToolCall("1", tool, named), this.context);
	}

	ToolResult delete(String path) {
		ToolResult result = call("Delete", "path", path, "recursive", true);
		assertThat(result.error()).as(result.text()).isNull();
		return result;
	}

	void put(String path, int bytes) throws IOException {
		Files.createDirectories(this.root.resolve(path).getParent());
		Files.write(this.root.resolve(path), new byte[bytes]);
	}

	List<String> listed() {
		return ((List<?>) call("Undelete").data().get("entries")).stream()
			.map((entry) -> String.valueOf(((Map<?, ?>) entry).get("path")))
			.toList();
	}

	/**
	 * Returns the files of the trash, without those that have the paths of entries.
	 */
	long kept() throws IOException {
		try (Stream<Path> tree = Files.walk(this.state)) {
			return tree.filter((path) -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
				.filter((path) -> path.toString().contains("/content"))
				.count();
		}
	}

	static void assertFailed(ToolResult result, String code, String text) {
		assertThat(result.data()).as(result.text()).containsEntry("error", code);
		assertThat(result.text()).contains(text);
	}

	/**
	 * A workspace that is not on disk.
	 */
	private record InMemoryWorkspace(Path root) implements Workspace {

		@Override
		public String id() {
			return "memory:tests";
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.EPHEMERAL;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

		@Override
		public boolean onDisk() {
			return false;
		}

	}

}
