package io.kairo.tools.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.SessionDirectory;
import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.entry.CopyTool;
import io.kairo.tools.entry.DeleteTool;
import io.kairo.tools.entry.MoveTool;
import io.kairo.tools.file.InfoTool;
import io.kairo.tools.file.ListTool;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.search.GlobTool;
import io.kairo.tools.search.GrepTool;
import io.kairo.tools.trash.TrashOptions;
import io.kairo.tools.trash.TrashStore;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CommandFiles}: tools read the temporary files of commands.
 */
@Timeout(60)
class CommandFilesTests {

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private static final Map<String, String> READ = Map.of("file_path", "/tmp/out.log");

	private final AtomicBoolean intact = new AtomicBoolean(true);

	private final ExecutionSandbox sandbox = new ExecutionSandbox() {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			throw new IllegalStateException("not used");
		}

		@Override
		public @Nullable SessionDirectory temporaryFiles(TenantContext tenant, String sessionId) {
			Path source = CommandFilesTests.this.temp.resolve(tenant.tenantId() + "-" + sessionId);
			return Files.isDirectory(source) ? new SessionDirectory("/tmp", source, CommandFilesTests.this.intact::get)
					: null;
		}

	};

	@TempDir
	private Path temp;

	private Path own;

	@AutoClose
	private AgentSessions sessions;

	private ToolCatalog catalog;

	@BeforeEach
	void open() throws IOException {
		DeleteTool delete = new DeleteTool(new TrashStore(this.temp.resolve("trash"), TrashOptions.defaults()),
				CallDeadline.DEFAULT_TIMEOUT, ToolNaming.CLAUDE);
		this.catalog = ToolCatalog.of(List.of(new ReadTool(), new WriteTool(), new EditTool(), new ListTool(),
				new InfoTool(), new GlobTool(), new GrepTool(), new MoveTool(), new CopyTool(), delete, new BashTool()),
				List.of());
		Path workspace = Files.createDirectory(this.temp.resolve("workspace"));
		Files.writeString(workspace.resolve("out.log"), "of the workspace\n");
		this.own = Files.createDirectory(this.temp.resolve("acme-s1"));
		Files.writeString(this.own.resolve("out.log"), "BUILD FAILURE\n");
		Files.createDirectories(this.own.resolve("reports/deep"));
		Files.writeString(this.own.resolve("reports/deep/a.txt"), "one failure\n");
		this.sessions = new AgentSessions(new LocalDirectoryWorkspaceProvider(workspace),
				new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS), this.sandbox);
	}

	private ToolResult call(TenantContext tenant, @Nullable String session, String tool, Map<String, ?> arguments) {
		return this.sessions.callInSession(SessionRequest.of(tenant, session),
				(context) -> this.catalog.call(tool, arguments, context));
	}

	private ToolResult call(String tool, Map<String, ?> arguments) {
		return call(ACME, "s1", tool, arguments);
	}

	private ToolResult read(String path) {
		return call("Read", Map.of("file_path", path));
	}

	private static String code(ToolResult result) {
		assertThat(result.error()).as(result.text()).isNotNull();
		return result.error().code();
	}

	@Test
	void filesAreReadByThePathsOfCommands() {
		ToolResult read = read("/tmp/out.log");
		assertThat(read.text()).contains("BUILD FAILURE");
		assertThat(read.data()).containsEntry("path", "/tmp/out.log");
		assertThat(read("out.log").text()).contains("of the workspace");
		assertThat(read("/tmp").text()).contains("/tmp/out.log", "/tmp/reports/");
		assertThat(call("List", Map.of("path", "/tmp/reports/deep")).text()).contains("a.txt");
		assertThat(call("Info", Map.of("path", "/tmp/out.log")).error()).isNull();
		assertThat(call("Glob", Map.of("pattern", "**/*.txt", "path", "/tmp")).text())
			.contains("/tmp/reports/deep/a.txt");
		assertThat(call("Grep", Map.of("pattern", "fail", "-i", true, "path", "/tmp", "output_mode", "content")).text())
			.contains("/tmp/out.log:1:BUILD FAILURE", "/tmp/reports/deep/a.txt:1:one failure");
		assertThat(call("Grep", Map.of("pattern", "FAILURE", "path", "/tmp/out.log")).text()).contains("/tmp/out.log");
		ToolResult missing = read("/tmp/out.lgo");
		assertThat(code(missing)).isEqualTo("file_not_found");
		assertThat(missing.text()).contains("'/tmp/out.log'");
	}

	@Test
	void otherTenantsSessionsAndCallsWithoutASessionDoNotReachThem() throws IOException {
		for (ToolResult refused : List.of(call(new TenantContext("globex", "ann"), "s1", "Read", READ),
				call(ACME, "s2", "Read", READ), call(ACME, null, "Read", READ))) {
			assertThat(code(refused)).isEqualTo("path_traversal_blocked");
			assertThat(refused.error().nextStep())
				.isEqualTo("Use Bash, as in cat '/tmp/out.log', for a file of a command.");
		}
		Files.createDirectory(this.temp.resolve("globex-s1"));
		assertThat(code(call(new TenantContext("globex", "ann"), "s1", "Read", READ))).isEqualTo("file_not_found");
	}

	@Test
	void changesAreRefused() {
		assertThat(read("/tmp/out.log").error()).isNull();
		for (ToolResult refused : List.of(call("Write", Map.of("file_path", "/tmp/out.log", "content", "x")),
				call("Write", Map.of("file_path", "/tmp/new", "content", "x")),
				call("Edit", Map.of("file_path", "/tmp/out.log", "old_string", "BUILD", "new_string", "x")),
				call("Delete", Map.of("path", "/tmp/out.log")),
				call("Move", Map.of("source", "/tmp/out.log", "target", "moved")),
				call("Move", Map.of("source", "out.log", "target", "/tmp/moved")),
				call("Copy", Map.of("source", "/tmp/out.log", "target", "copied")))) {
			assertThat(code(refused)).as(refused.text()).isEqualTo("read_only");
			assertThat(refused.text()).contains("is a temporary file of commands");
		}
		assertThat(this.own.resolve("out.log")).hasContent("BUILD FAILURE");
		assertThat(this.own.resolve("new")).doesNotExist();
		assertThat(this.temp.resolve("workspace")).isDirectoryContaining("glob:**/out.log");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/etc/passwd", "../globex-s1/secret", "/proc/self/root/etc/passwd", "/dev/zero",
			"reports/../../globex-s1/secret", "/tmp/no/such" })
	void linksDoNotLeadOut(String target) throws IOException {
		Files.writeString(Files.createDirectory(this.temp.resolve("globex-s1")).resolve("secret"), "SECRET\n");
		Files.createSymbolicLink(this.own.resolve("link"), Path.of(target));
		assertThat(code(read("/tmp/link"))).isIn("path_traversal_blocked", "file_not_found");
		Files.createSymbolicLink(this.own.resolve("up"), Path.of(target).getParent());
		assertThat(read("/tmp/up/" + Path.of(target).getFileName()).error()).isNotNull();
		assertThat(call("Grep", Map.of("pattern", "SECRET|root", "path", "/tmp")).text()).doesNotContain("/tmp/link",
				"/tmp/up");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/tmp/out.log", "out.log", "reports/../out.log" })
	void linksWithinAreFollowed(String target) throws IOException {
		Files.createSymbolicLink(this.own.resolve("link"), Path.of(target));
		assertThat(read("/tmp/link").text()).contains("BUILD FAILURE");
	}

	@Test
	void linkInPlaceOfTheDirectoryIsRefused() throws IOException {
		Files.move(this.own, this.temp.resolve("parked"));
		Path other = Files.createDirectory(this.temp.resolve("globex-s1"));
		Files.writeString(other.resolve("out.log"), "SECRET\n");
		Files.createSymbolicLink(this.own, other);
		assertThat(read("/tmp/out.log").error()).isNotNull();
	}

	@Test
	void swappedDirectoryDoesNotLeadOut() throws Exception {
		Path outside = Files.createDirectory(this.temp.resolve("globex-s1"));
		Files.writeString(outside.resolve("a.txt"), "SECRET\n");
		Path victim = this.own.resolve("reports/deep");
		Path parked = this.own.resolve("parked");
		Path link = Files.createSymbolicLink(this.own.resolve("link"), outside);
		AtomicBoolean over = new AtomicBoolean();
		AtomicInteger swaps = new AtomicInteger();
		CompletableFuture<Void> attacker = CompletableFuture.runAsync(() -> {
			while (!over.get()) {
				swap(victim, parked, link);
				swaps.incrementAndGet();
			}
		});
		int found = 0;
		for (int round = 0; round < 300 || swaps.get() < 50; round++) {
			ToolResult read = read("/tmp/reports/deep/a.txt");
			assertThat(read.text()).doesNotContain("SECRET");
			found += (read.error() == null) ? 1 : 0;
			assertThat(call("Grep", Map.of("pattern", "SECRET", "path", "/tmp", "output_mode", "content")).text())
				.doesNotContain("SECRET\n", "a.txt:1:SECRET");
		}
		over.set(true);
		attacker.join();
		assertThat(found).as("reads between the swaps").isPositive();
	}

	private static void swap(Path victim, Path parked, Path link) {
		try {
			Files.move(victim, parked);
			Files.move(link, victim);
			Files.move(victim, link);
			Files.move(parked, victim);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void fifoDoesNotBlock() throws Exception {
		assertThat(new ProcessBuilder("mkfifo", this.own.resolve("pipe").toString()).start().waitFor()).isZero();
		long start = System.nanoTime();
		assertThat(code(read("/tmp/pipe"))).isEqualTo("unsupported_file_type");
		assertThat(call("Grep", Map.of("pattern", "x", "path", "/tmp")).error()).isNull();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
	}

	@Test
	void nothingIsReadIfTheDirectoryIsAnotherOneMeanwhile() {
		this.intact.set(false);
		for (ToolResult gone : List.of(read("/tmp/out.log"), read("/tmp"),
				call("Grep", Map.of("pattern", "FAILURE", "path", "/tmp")),
				call("Info", Map.of("path", "/tmp/out.log")))) {
			assertThat(code(gone)).isEqualTo("file_not_found");
			assertThat(gone.text()).contains("is gone").doesNotContain("FAILURE");
		}
	}

}
