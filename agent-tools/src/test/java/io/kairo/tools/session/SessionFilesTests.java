package io.kairo.tools.session;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxLimitException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionBounds;
import io.kairo.tools.SessionDefaults;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import io.kairo.tools.background.BackgroundCommands;
import io.kairo.tools.background.BackgroundOptions;
import io.kairo.tools.checkpoint.TrialTool;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.entry.CopyTool;
import io.kairo.tools.file.InfoTool;
import io.kairo.tools.file.ListTool;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.output.OutputOptions;
import io.kairo.tools.output.OutputStore;
import io.kairo.tools.search.GlobTool;
import io.kairo.tools.search.GrepTool;
import io.kairo.workspace.checkpoint.CheckpointOptions;
import io.kairo.workspace.checkpoint.CheckpointStore;
import io.kairo.workspace.checkpoint.TrialOptions;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SessionFiles}: tools read by commands what only commands reach. The
 * commands are processes of this machine.
 */
@Timeout(120)
@EnabledOnOs(OS.LINUX)
class SessionFilesTests {

	private static final TenantContext ACME = new TenantContext("acme", "ann");

	private static final Clock CLOCK = Clock.systemUTC();

	private static final String REFUSED = "path_traversal_blocked";

	@AutoClose
	private final LocalProcessSandbox processes = new LocalProcessSandbox();

	private final List<SandboxRequest> requests = new CopyOnWriteArrayList<>();

	private final ExecutionSandbox sandbox = new ExecutionSandbox() {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			SessionFilesTests.this.requests.add(request);
			return SessionFilesTests.this.processes.start(SessionFilesTests.this.change.apply(request));
		}

		@Override
		public List<String> sharedDirectories(TenantContext tenant) {
			return SessionFilesTests.this.shared;
		}

	};

	private final ToolCatalog catalog = ToolCatalog
		.of(List.of(new BashTool(), new ReadTool(), new ListTool(), new InfoTool(), new GrepTool(), new GlobTool(),
				new WriteTool(), new EditTool(), new CopyTool(), new TrialTool()), List.of());

	private UnaryOperator<SandboxRequest> change = UnaryOperator.identity();

	private List<String> shared = List.of();

	@TempDir
	private Path temp;

	private Path workspace;

	private Path files;

	private Path home;

	@AutoClose
	private AgentSessions sessions;

	@BeforeEach
	void open() throws IOException {
		Path real = this.temp.toRealPath();
		this.workspace = Files.createDirectory(real.resolve("workspace"));
		this.files = Files.createDirectory(real.resolve("it's a $(directory)"));
		this.home = Files.createDirectory(real.resolve("home"));
		this.shared = List.of(this.files.toString(), this.home.toString());
		this.sessions = new AgentSessions(new LocalDirectoryWorkspaceProvider(this.workspace),
				new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS), this.sandbox, SessionBounds.DEFAULTS,
				SessionDefaults.NONE, new OutputStore(real.resolve("outputs"), OutputOptions.defaults(), CLOCK),
				new BackgroundCommands(BackgroundOptions.defaults()),
				new CheckpointStore(real.resolve("checkpoints"), CheckpointOptions.defaults(),
						TrialOptions.defaults(real.resolve("trials")), (tenant, bytes, most) -> {
						}, CLOCK));
		Files.writeString(this.files.resolve("out.log"), "BUILD FAILURE\n");
		Files.writeString(this.workspace.resolve("secret"), "SECRET\n");
		call(ACME, "s1", "Bash", Map.of("command", "true"));
	}

	private ToolResult call(TenantContext tenant, @Nullable String session, String tool, Map<String, ?> arguments) {
		return this.sessions.callInSession(SessionRequest.of(tenant, session),
				(context) -> this.catalog.call(tool, arguments, context));
	}

	private ToolResult call(String tool, Map<String, ?> arguments) {
		return call(ACME, "s1", tool, arguments);
	}

	private ToolResult read(Path file) {
		return call("Read", Map.of("file_path", file.toString()));
	}

	private static String code(ToolResult result) {
		assertThat(result.error()).as(result.text()).isNotNull();
		return result.error().code();
	}

	private static Map<String, byte[]> contents() {
		Map<String, byte[]> contents = new LinkedHashMap<>();
		contents.put("empty", new byte[0]);
		contents.put("text", "one\ntwo\nthree".getBytes(StandardCharsets.UTF_8));
		contents.put("windows", "eins\r\nzw\u00f6lf\r\n".getBytes(StandardCharsets.ISO_8859_1));
		contents.put("utf-16", "\uFEFFone\ntwo\n".getBytes(Charset.forName("UTF-16LE")));
		contents.put("binary", new byte[] { 0, 1, 2, 10, (byte) 0xff, 0, 13, 10 });
		contents.put("image.png", new byte[] { (byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0 });
		contents.put("no line end", "x".repeat(70_000).getBytes(StandardCharsets.UTF_8));
		contents.put("exactly hashed", "0123456\n".repeat(1 << 17).getBytes(StandardCharsets.UTF_8));
		contents.put("more", ("0123456\n".repeat(1 << 17) + "\u20ac").getBytes(StandardCharsets.UTF_8));
		contents.put("large", "a line of a log, \u20ac\n".repeat(170_000).getBytes(StandardCharsets.UTF_8));
		contents.put("long line", ("y".repeat(3 << 20) + "\nend\n").getBytes(StandardCharsets.UTF_8));
		return contents;
	}

	@Test
	void filesAreReadAsThoseOfTheWorkspace() throws IOException {
		List<Map<String, Object>> ranges = List.of(Map.of(), Map.of("offset", 2, "limit", 1),
				Map.of("offset", 130_000, "limit", 3), Map.of("offset", 169_999), Map.of("offset", 9_999_999),
				Map.of("offset", 1, "column", 2_500_000, "limit", 9));
		for (Map.Entry<String, byte[]> content : contents().entrySet()) {
			Path own = Files.write(this.workspace.resolve(content.getKey()), content.getValue());
			Path theirs = Files.write(this.files.resolve(content.getKey()), content.getValue());
			for (Map<String, Object> range : ranges) {
				assertThat(described("Read", theirs, range)).as("%s %s", content.getKey(), range)
					.isEqualTo(described("Read", own, range));
			}
			Files.setLastModifiedTime(theirs, Files.getLastModifiedTime(own));
			Files.setPosixFilePermissions(theirs, Files.getPosixFilePermissions(own));
			assertThat(described("Info", theirs, Map.of())).isEqualTo(described("Info", own, Map.of()));
			for (String pattern : List.of("log, .*", "^012", "end")) {
				Map<String, Object> search = Map.of("pattern", pattern, "output_mode", "count");
				assertThat(described("Grep", theirs, search)).isEqualTo(described("Grep", own, search));
			}
		}
	}

	/**
	 * Returns the result of a call, without the path of its file and the versions of
	 * large files.
	 */
	private String described(String tool, Path file, Map<String, Object> arguments) {
		Map<String, Object> all = new LinkedHashMap<>(arguments);
		all.put(tool.equals("Read") ? "file_path" : "path", file.toString());
		ToolResult result = call(tool, all);
		assertThat(result.text()).doesNotContain("readlink", "could not be read");
		return (result.text() + "\n" + result.data() + result.error()).replace(file.toString(), "FILE")
			.replace(file.getFileName().toString(), "FILE")
			.replaceAll("stat:[^\\s}]+", "stat")
			.replaceAll("modified=?[^,}\\n]*", "modified");
	}

	@Test
	void commandsThatReadAreThoseOfTheSession() {
		this.requests.clear();
		assertThat(read(this.files.resolve("out.log")).text()).contains("BUILD FAILURE");
		assertThat(this.requests).singleElement().satisfies((request) -> {
			assertThat(request.attributes().sessionId()).isEqualTo("s1");
			assertThat(request.tenant()).isEqualTo(ACME);
			assertThat(request.workspaceRoot()).isEqualTo(this.workspace);
			assertThat(request.timeout()).isLessThanOrEqualTo(Duration.ofSeconds(20));
			assertThat(request.attributes().stdin()).isFalse();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "commit", "discard" })
	void filesAreReadInATrialAndAfterIt(String end) {
		call("Bash", Map.of("command", "echo tried > tried", "trial", true));
		Path out = this.files.resolve("out.log");
		this.requests.clear();
		assertThat(read(out).text()).contains("BUILD FAILURE");
		assertThat(call("Trial", Map.of("action", end)).error()).isNull();
		assertThat(read(out).text()).contains("BUILD FAILURE");
		assertThat(this.requests).extracting(SandboxRequest::workspaceRoot)
			.satisfiesExactly((copy) -> assertThat(copy).startsWithRaw(this.workspace.resolveSibling("trials")),
					(root) -> assertThat(root).isEqualTo(this.workspace));
	}

	@Test
	void largeFilesAreReadByFewCommands() throws IOException {
		Path large = Files.write(this.files.resolve("large"),
				"line\n".repeat(2 << 20).getBytes(StandardCharsets.UTF_8));
		this.requests.clear();
		assertThat(read(large).text()).contains("of 2,097,152;");
		assertThat(this.requests).as("10 MiB").hasSizeLessThanOrEqualTo(4);
		this.requests.clear();
		call("Grep", Map.of("pattern", "none", "path", large.toString()));
		assertThat(this.requests).as("10 MiB").hasSizeLessThanOrEqualTo(7);
	}

	@Test
	void missingProgramsAreFailures() throws IOException {
		this.change = (request) -> new SandboxRequest("readlink() { return 127; }\n" + request.command(),
				request.workspaceRoot(), request.env(), request.timeout(), request.maxOutputBytes(), request.tenant(),
				request.readOnly(), request.attributes());
		assertThat(code(read(this.files.resolve("out.log")))).isEqualTo("read_failed");
		assertThat(code(call("List", Map.of("path", this.files.toString())))).isEqualTo("read_failed");
	}

	@Test
	void programsOfCommandsAreNotRun() throws IOException {
		Path own = Files.createDirectory(this.home.resolve("bin"));
		for (String program : List.of("find", "head", "readlink", "stat", "tail")) {
			Files.writeString(own.resolve(program),
					"#!/bin/sh\ntouch '" + this.workspace + "/ran'\nPATH=/usr/bin:/bin\nexec " + program + " \"$@\"\n");
			Files.setPosixFilePermissions(own.resolve(program), PosixFilePermissions.fromString("rwxr-xr-x"));
		}
		this.change = (request) -> new SandboxRequest(request.command(), request.workspaceRoot(),
				Map.of("PATH", own + ":/usr/bin:/bin"), request.timeout(), request.maxOutputBytes(), request.tenant(),
				request.readOnly(), request.attributes());
		assertThat(read(this.files.resolve("out.log")).text()).contains("BUILD FAILURE");
		assertThat(call("List", Map.of("path", this.files.toString())).text()).contains("out.log");
		assertThat(this.workspace.resolve("ran")).doesNotExist();
	}

	@Test
	void namesWithoutAPathAreCounted() throws Exception {
		ProcessBuilder program = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-cp", System.getProperty("java.class.path"), PosixLocaleProgram.class.getName());
		program.environment().put("LC_ALL", "POSIX");
		Process process = program.redirectErrorStream(true).start();
		assertThat(process.inputReader().lines()).last().isEqualTo("/tmp/plain, and 1 more");
		assertThat(process.waitFor()).isZero();
	}

	@Test
	void namesWithSeparatorsOfLinesAreListed() {
		WorkspacePath directory = new WorkspacePath(this.files, "");
		byte[] line = "81a4 1 0 ./two\u2028parts\n".getBytes(StandardCharsets.UTF_8);
		assertThat(SessionFiles.listing(directory, line).entries()).singleElement()
			.satisfies((entry) -> assertThat(entry.path().name()).isEqualTo("two\u2028parts"));
	}

	@Test
	void directoriesAreListed() throws IOException {
		Files.createDirectories(this.files.resolve("reports/deep"));
		Files.writeString(this.files.resolve("reports/deep/a b's.txt"), "x");
		Files.writeString(this.files.resolve("reports/two\nlines"), "x");
		Files.writeString(this.files.resolve("reports/two\rlines"), "x");
		assertThat(read(this.files).text()).contains("out.log", "reports/", "is a directory with 2 entries)");
		assertThat(call("List", Map.of("path", this.files.toString(), "depth", 3)).text()).contains("a b's.txt");
		assertThat(read(this.files.resolve("reports")).text()).contains("deep/", "with 3 entries; 2 cannot be shown")
			.doesNotContain("two");
		assertThat(read(this.files.resolve("reports/deep/a b's.txt")).error()).isNull();
		assertThat(read(this.files.resolve("./reports/../out.log")).text()).contains("BUILD FAILURE");
	}

	@Test
	void missingFilesHaveNeighbours() {
		ToolResult missing = read(this.files.resolve("out.lgo"));
		assertThat(code(missing)).isEqualTo("file_not_found");
		assertThat(missing.text()).contains("Did you mean", "/out.log'");
		assertThat(code(read(this.files.resolve("no/such/file")))).isEqualTo("file_not_found");
		assertThat(code(read(this.files.resolve("out.log/below")))).isEqualTo("file_not_found");
	}

	@Test
	void directoriesAreSearchedByCommands() {
		for (String tool : List.of("Grep", "Glob")) {
			ToolResult refused = call(tool, Map.of("pattern", "FAILURE", "path", this.files.toString()));
			assertThat(code(refused)).isEqualTo("read_failed");
			assertThat(refused.text()).contains("grep -rn");
		}
		assertThat(call("Grep", Map.of("pattern", "FAILURE", "path", this.files + "/out.log", "output_mode", "content"))
			.text()).contains("/out.log:1:BUILD FAILURE");
	}

	@Test
	void changesAreRefused() {
		String file = this.files.resolve("out.log").toString();
		assertThat(read(this.files.resolve("out.log")).error()).isNull();
		for (ToolResult refused : List.of(call("Write", Map.of("file_path", file, "content", "x")),
				call("Edit", Map.of("file_path", file, "old_string", "BUILD", "new_string", "x")),
				call("Copy", Map.of("source", file, "target", "copied")),
				call("Copy", Map.of("source", "secret", "target", this.files + "/copied")))) {
			assertThat(code(refused)).as(refused.text()).isEqualTo("read_only");
			assertThat(refused.text()).contains("is a temporary file of commands");
		}
		assertThat(this.files).isDirectoryContaining("glob:**/out.log").isDirectoryNotContaining("glob:**/copied");
	}

	@ParameterizedTest
	@CsvSource({ "out.log, out.log", "../home/notes, ../home/notes", "folder/../out.log, out.log" })
	void linksBetweenSharedDirectoriesAreFollowed(String target, String file) throws IOException {
		Files.createDirectory(this.files.resolve("folder"));
		Files.writeString(this.files.resolve(file), "found\n");
		Files.createSymbolicLink(this.files.resolve("link"), Path.of(target));
		assertThat(read(this.files.resolve("link")).text()).contains("found");
	}

	@ParameterizedTest
	@ValueSource(strings = { "../workspace/secret", "../workspace/none", "../workspace", "/etc/passwd", "/", "..",
			"/proc/self/root/etc/passwd", "/proc/self/environ", "/dev/zero", "../home\nx" })
	void linksDoNotLeadOut(String target) throws IOException {
		Files.createSymbolicLink(this.files.resolve("link"), Path.of(target));
		Files.createSymbolicLink(this.files.resolve("again"), Path.of("link"));
		for (String name : List.of("link", "again", "link/secret", "link/etc/passwd")) {
			Path link = this.files.resolve(name);
			assertThat(code(read(link))).as(name).isIn(REFUSED, "file_not_found");
			assertThat(call("List", Map.of("path", link.toString())).error()).as(name).isNotNull();
			assertThat(call("Info", Map.of("path", link.toString())).error()).as(name).isNotNull();
			assertThat(call("Grep", Map.of("pattern", ".", "path", link.toString())).error()).as(name).isNotNull();
		}
	}

	@Test
	void swappedFileDoesNotLeadOut() throws Exception {
		Path victim = this.files.resolve("victim");
		Path link = Files.createSymbolicLink(this.files.resolve("link"), this.workspace.resolve("secret"));
		Path parked = this.files.resolve("parked");
		Files.writeString(victim, "OWN\n");
		AtomicBoolean over = new AtomicBoolean();
		AtomicInteger swaps = new AtomicInteger();
		CompletableFuture<Void> attacker = CompletableFuture.runAsync(() -> {
			while (!over.get()) {
				swap(victim, parked, link);
				swaps.incrementAndGet();
			}
		});
		int found = 0;
		for (int round = 0; round < 100 || found == 0; round++) {
			ToolResult read = read(victim);
			assertThat(read.text()).doesNotContain("SECRET");
			found += read.text().contains("OWN") ? 1 : 0;
		}
		over.set(true);
		attacker.join();
		assertThat(swaps.get()).isPositive();
	}

	@Test
	void fileThatIsSwappedBeforeItIsOpenedDoesNotLeadOut() throws IOException {
		Path victim = Files.writeString(this.files.resolve("victim"), "OWN\n");
		this.change = (request) -> new SandboxRequest(
				"readlink() { command readlink \"$@\"; [ \"$1\" != -f ] || ln -sf \"$PWD/secret\" \"$p\"; }\n"
						+ request.command(),
				request.workspaceRoot(), request.env(), request.timeout(), request.maxOutputBytes(), request.tenant(),
				request.readOnly(), request.attributes());
		ToolResult read = read(victim);
		assertThat(victim).isSymbolicLink();
		assertThat(code(read)).isEqualTo("path_traversal_blocked");
		assertThat(read.text()).doesNotContain("SECRET");
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
	void specialFilesAreRefused() throws Exception {
		assertThat(new ProcessBuilder("mkfifo", this.files.resolve("pipe").toString()).start().waitFor()).isZero();
		assertThat(code(read(this.files.resolve("pipe")))).isEqualTo("unsupported_file_type");
	}

	@Test
	void sessionsWithoutACommandAndOthersDoNotReachThem() {
		Map<String, String> file = Map.of("file_path", "/tmp/out.log");
		this.shared = List.of("/tmp");
		for (ToolResult refused : List.of(call(ACME, "s2", "Read", file), call(ACME, null, "Read", file),
				call(new TenantContext("globex", "ann"), "s1", "Read", file))) {
			assertThat(code(refused)).isEqualTo(REFUSED);
			assertThat(refused.error().nextStep())
				.isEqualTo("Use Bash, as in cat '/tmp/out.log', for a file of a command.");
		}
		assertThat(this.requests).as("only those of tests").hasSize(1);
	}

	@Test
	void directoriesWithMountsAreNotShared() {
		for (Path directory : List.of(this.workspace.getParent(), this.workspace, this.workspace.resolve("below"))) {
			this.shared = List.of(directory.toString());
			assertThat(code(read(this.workspace.resolveSibling("below/out.log")))).isEqualTo(REFUSED);
		}
		this.shared = List.of();
		assertThat(code(read(this.files.resolve("out.log")))).isEqualTo(REFUSED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "exit 1", "true", "echo OK", "echo 'OK '", "echo 'OK 81a4 -1 0 x'", "printf 'OK 81a4 5'",
			"echo 'OK 81a4 999999999999999999999 0 x'", "echo nonsense", "kill -9 $$", "head -c 3000000 /dev/zero" })
	void answersThatCannotBeTrueAreFailures(String command) {
		this.change = (request) -> new SandboxRequest(command, request.workspaceRoot(), request.env(),
				request.timeout(), request.maxOutputBytes(), request.tenant(), request.readOnly(),
				request.attributes());
		assertThat(code(read(this.files.resolve("out.log")))).isEqualTo("read_failed");
	}

	@Test
	void refusedCommandsAreFailures() {
		List<SandboxException> refusals = new ArrayList<>(List.of(
				new SandboxLimitException(SandboxErrorCode.TOO_MANY_EXECUTIONS, "2 commands run", "wait a second", "n",
						2, Duration.ofSeconds(1)),
				new SandboxException(SandboxErrorCode.SETUP_FAILED, "/srv/private is missing", "create it")));
		this.change = (request) -> {
			throw refusals.remove(0);
		};
		assertThat(read(this.files.resolve("out.log")).text()).contains("2 commands run: wait a second");
		ToolResult failed = read(this.files.resolve("out.log"));
		assertThat(code(failed)).isEqualTo("read_failed");
		assertThat(failed.text()).doesNotContain("private");
	}

	/**
	 * Lists two files where names have the charset of the locale POSIX.
	 */
	static final class PosixLocaleProgram {

		public static void main(String[] arguments) {
			FileListing listing = SessionFiles.listing(new WorkspacePath(Path.of("/tmp"), ""),
					"81a4 1 0 ./caf\u00e9\n81a4 1 0 ./plain\n".getBytes(StandardCharsets.UTF_8));
			listing.entries().forEach((entry) -> System.out.print(entry.path()));
			System.out.println(", and " + listing.omitted() + " more");
		}

	}

}
