package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.CommandSettings.Network;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LandlockSandbox}.
 */
@RequiresLandlock
class LandlockSandboxTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	@TempDir
	Path directory;

	private Path workspace;

	private Path state;

	private LandlockSandbox sandbox;

	@BeforeEach
	void create() throws IOException {
		this.workspace = Files.createDirectory(this.directory.resolve("workspace"));
		this.state = Files.createDirectory(this.directory.resolve("state"));
		this.sandbox = new LandlockSandbox(CommandSettings.DEFAULTS.with((commands) -> commands.directory(this.state)));
	}

	@AfterEach
	void close() {
		this.sandbox.close();
		assertThat(this.state).isEmptyDirectory();
	}

	private String run(String command) {
		return run(new SandboxRequest.Builder(command, this.workspace));
	}

	private String run(SandboxRequest.Builder request) {
		try (SandboxHandle handle = this.sandbox.start(request.build())) {
			assertThat(handle.exit().block(PATIENCE)).isNotNull();
			StringBuilder output = new StringBuilder();
			for (var chunk : Objects.requireNonNull(handle.output().collectList().block(PATIENCE))) {
				output.append(new String(chunk.data(), StandardCharsets.UTF_8));
			}
			return output.toString();
		}
	}

	@Test
	void requestWithoutNetworkHasNoneBesideThoseWithThatOfTheHost() throws IOException {
		this.sandbox.close();
		this.sandbox = new LandlockSandbox(
				CommandSettings.DEFAULTS.with((commands) -> commands.directory(this.state).network(Network.HOST)));
		try (ServerSocket service = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
			SandboxRequest.Builder request = new SandboxRequest.Builder(
					"bash -c 'exec 3<>/dev/tcp/127.0.0.1/" + service.getLocalPort() + "' 2>&1 && echo connected",
					this.workspace);
			for (boolean offline : List.of(false, true, false)) {
				request.attributes(SandboxAttributes.builder().sessionId("a").withoutNetwork(offline).build());
				assertThat(run(request).contains("connected")).isEqualTo(!offline);
			}
		}
	}

	@Test
	void temporaryFilesBelongToTheCommandAndGoWithIt() throws Exception {
		String output = run("cd \"$TMPDIR\" && mkdir -p a/b && : > a/b/file && mktemp > /dev/null && chmod 0 a/b;"
				+ " cd && : > .profile; echo \"$TMPDIR $HOME\"; ls \"${TMPDIR%/*/*}\" 2>&1");
		String[] paths = output.lines().filter((line) -> line.startsWith("/")).findFirst().orElseThrow().split(" ", -1);
		assertThat(paths).allSatisfy((path) -> assertThat(path).startsWith(this.state.toRealPath().toString()))
			.doesNotHaveDuplicates();
		assertThat(output).contains("Permission denied");
		await().untilAsserted(() -> assertThat(Path.of(paths[0])).doesNotExist());
		await().untilAsserted(() -> assertThat(Path.of(paths[0]).getParent()).doesNotExist());
	}

	@ParameterizedTest
	@ValueSource(strings = { ": > $TMPDIR/left", ": > $HOME/.left", "mkdir ${TMPDIR%/*}/left", "rmdir $TMPDIR",
			"chmod 500 $TMPDIR", "chmod 0 $HOME", "rmdir $HOME && ln -s tmp $HOME", "chmod 755 ${TMPDIR%/*}",
			"exec true", "trap - EXIT", "pwd > $TMPDIR/../directory", "(setsid sleep 60 &)", "kill -9 $$" })
	void nextCommandFindsTemporaryFilesAsNew(String command) {
		String look = "ls -A $TMPDIR $HOME; ls -A ${TMPDIR%/*}; stat -c '%a %F' ${TMPDIR%/*} $TMPDIR $HOME; "
				+ ": > $TMPDIR/mine && rm $TMPDIR/mine; : > $HOME/mine && rm $HOME/mine";
		String first = run(look).replaceAll("command-\\d+", "");
		for (int i = 0; i < 2; i++) {
			run(command);
			assertThat(run(look).replaceAll("command-\\d+", "")).isEqualTo(first);
		}
	}

	@Test
	void commandsOfASessionShareTemporaryFiles() {
		TenantContext other = new TenantContext("other", "principal");
		assertThat(run(inSession("a", "echo kept | tee $TMPDIR/file > $HOME/file; cd ..; pwd"))).isNotEmpty();
		assertThat(run(inSession("a", "cat $TMPDIR/file $HOME/file"))).isEqualTo("kept\nkept\n");
		assertThat(run(inSession("b", "cat $TMPDIR/file"))).contains("No such file");
		assertThat(run(inSession("a", "cat $TMPDIR/file").tenant(other))).contains("No such file");
		assertThat(run("cat $TMPDIR/file")).contains("No such file");
		String file = run(inSession("a", "echo $TMPDIR/file")).strip();
		assertThat(run(inSession("b", "cat " + file))).contains("Permission denied");
	}

	@Test
	void commandsOfASessionRunSideBySide() {
		try (SandboxHandle server = this.sandbox
			.start(inSession("a", "until [ -e $TMPDIR/go ]; do sleep 0.05; done; mkdir sub; cd sub").build())) {
			assertThat(run(inSession("a", "mkdir own; cd own; : > $TMPDIR/go; pwd"))).isNotEmpty();
			assertThat(server.exit().block(PATIENCE)).isNotNull();
			assertThat(server.workingDirectory()).hasFileName("sub");
		}
		this.sandbox.close();
		assertThat(this.state).isEmptyDirectory();
	}

	private SandboxRequest.Builder inSession(String session, String command) {
		return new SandboxRequest.Builder(command, this.workspace)
			.attributes(SandboxAttributes.builder().sessionId(session).build());
	}

	@Test
	void commandCannotAccessTheDirectoryThatWasAtThePathOfItsWorkspace() throws Exception {
		Files.writeString(this.workspace.resolve("old"), "of before");
		Path moved = this.directory.resolve("moved");
		assertThat(run("cat old")).isEqualTo("of before");
		Files.move(this.workspace, moved);
		Files.createDirectory(this.workspace);
		Files.writeString(this.workspace.resolve("new"), "of now");
		assertThat(run("cat new; cat " + moved.resolve("old"))).contains("of now", "Permission denied")
			.doesNotContain("of before");
	}

	/**
	 * A file system may give the new directory the number of the one before.
	 */
	@Test
	void workspaceThatIsCreatedAgainIsAccessible() throws Exception {
		for (int i = 0; i < 5; i++) {
			assertThat(run("echo x > file && cat file")).isEqualTo("x\n");
			Files.delete(this.workspace.resolve("file"));
			Files.delete(this.workspace);
			Files.createDirectory(this.workspace);
		}
	}

	@Test
	void readOnlyCommandCannotChangePermissionsAndTimes() throws Exception {
		Path kept = Files.createFile(this.workspace.resolve("kept"));
		var before = Files.readAttributes(kept, "unix:mode,lastModifiedTime");
		String output = run(new SandboxRequest.Builder(
				"chmod 777 kept; touch -d 2001-01-01 kept; chmod 777 .; echo ran", this.workspace)
			.readOnly(true));
		assertThat(output).contains("not permitted", "ran\n");
		assertThat(Files.readAttributes(kept, "unix:mode,lastModifiedTime")).isEqualTo(before);
		assertThat(run("chmod 700 kept && stat -c %a kept")).isEqualTo("700\n");
	}

	@Test
	void variableThatShellsUseAtTheirStartApplies() throws Exception {
		Path script = Files.writeString(this.workspace.resolve("script"), "echo \"from the environment: $TMPDIR\"\n");
		assertThat(
				run(new SandboxRequest.Builder("echo ran", this.workspace).env(Map.of("BASH_ENV", script.toString()))))
			.matches("from the environment: .+/tmp\nran\n");
	}

	@Test
	void whatRulesCannotExpressIsRefused() throws Exception {
		Path inner = Files.createDirectory(this.workspace.resolve("inner"));
		assertRefused(SandboxAttributes.builder().protectedPaths(List.of(".git/hooks")), ".git/hooks");
		assertRefused(SandboxAttributes.builder().workspaceTarget("/elsewhere"), "/elsewhere");
		assertRefused(
				SandboxAttributes.builder()
					.mounts(List.of(new SandboxAttributes.Mount(inner, inner.toString(), false))),
				"lies within the writable");
		Path link = Files.createSymbolicLink(this.directory.resolve("link"), this.workspace);
		for (Path hidden : List.of(inner, link.resolve("inner/missing"))) {
			CommandSettings options = CommandSettings.DEFAULTS
				.with((commands) -> commands.hiddenPaths(List.of(hidden)));
			try (LandlockSandbox hiding = new LandlockSandbox(options)) {
				assertThatExceptionOfType(SandboxException.class)
					.isThrownBy(() -> hiding.start(new SandboxRequest.Builder("true", this.workspace).build()))
					.withMessageContaining("no command may see");
			}
		}
	}

	private void assertRefused(SandboxAttributes.Builder attributes, String message) {
		SandboxRequest request = new SandboxRequest.Builder("true", this.workspace).attributes(attributes.build())
			.build();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.sandbox.start(request))
			.withMessageContaining(message)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.UNSUPPORTED_REQUEST));
	}

	@Test
	void directoryIsWritableWithinAReadOnlyOne() throws Exception {
		Path inner = Files.createDirectory(this.workspace.resolve("inner"));
		SandboxRequest.Builder request = new SandboxRequest.Builder(
				"echo x > inner/written; echo x > refused; cat inner/written", this.workspace)
			.readOnly(true)
			.attributes(SandboxAttributes.builder()
				.mounts(List.of(new SandboxAttributes.Mount(inner, inner.toString(), true)))
				.build());
		assertThat(run(request)).contains("x\n", "Permission denied");
		assertThat(this.workspace.resolve("refused")).doesNotExist();
	}

	@Test
	void systemIsReadableButNotWhatItTellsOfProcesses() {
		assertThat(run("head -c 5 /proc/meminfo; cat /etc/passwd | grep -c root")).startsWith("MemTo");
		assertThat(run("cat /proc/self/status /proc/1/cmdline; ls /proc /sys; ps")).doesNotContain("Name:")
			.contains("Permission denied");
	}

	@ParameterizedTest
	@ValueSource(strings = {
			"git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x && git log",
			"python3 -c 'import json, os; print(json.dumps(sorted(os.listdir(\".\"))))'", "perl -e 'print 1'",
			"java -XX:+PrintFlagsFinal -version > /dev/null", "node -e 'console.log(require(\"os\").cpus().length)'",
			"echo 'int main() { return 0; }' > a.c && gcc a.c && ./a.out", "cat <(echo substituted)", "curl --version",
			"make --version", "echo x > x; tar cf a.tar x && tar tf a.tar" })
	void installedProgramsWork(String command) {
		String program = command.startsWith("echo x") ? "tar" : command.split(" ", 2)[0];
		assumeThat(run("command -v " + (command.contains("gcc") ? "gcc" : program))).as("%s is installed", program)
			.startsWith("/");
		// in one stream, since each has its own order
		assertThat(run("exec 2>&1; PATH=/usr/bin:/bin; " + command + " && echo worked || cat")).endsWith("worked\n");
	}

	/**
	 * The kernel takes a signal to a thread of the JVM for one to the JVM.
	 */
	@Test
	void commandCannotSignalThreadsOfTheJvmWhileOthersStart() throws Exception {
		String pid = Long.toString(ProcessHandle.current().pid());
		long newest;
		try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
			newest = threads.mapToLong((task) -> Long.parseLong(task.getFileName().toString())).max().orElseThrow();
		}
		String attack = "exec 2>&1; kill -0 " + pid
				+ " && echo jvm; i=0; while [ $i -lt 10 ]; do i=$((i + 1)); perl -e '"
				+ "$$ == $_ or getppid() == $_ or kill(0, $_) && print qq(signalled $_\\n) for " + pid + " .. "
				+ (newest + 2000) + "'; done; echo ran";
		try (SandboxHandle attacker = this.sandbox.start(new SandboxRequest.Builder(attack, this.workspace).build())) {
			while (!attacker.exit().toFuture().isDone()) {
				run("true");
			}
			String output = Objects.requireNonNull(attacker.output().collectList().block(PATIENCE))
				.stream()
				.map((chunk) -> new String(chunk.data(), StandardCharsets.UTF_8))
				.collect(Collectors.joining());
			assertThat(output).endsWith("ran\n").doesNotContain("signalled").doesNotStartWith("jvm");
		}
	}

	@Test
	@EnabledForJreRange(minVersion = 22)
	void commandsLeaveNoThreadAndNoDescriptor() throws Exception {
		run("true");
		long descriptors = count("/proc/self/fd");
		for (int i = 0; i < 30; i++) {
			run("echo out; echo err >&2; (setsid sleep 60 &)");
		}
		List<SandboxHandle> handles = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			handles.add(this.sandbox.start(new SandboxRequest.Builder("sleep 60", this.workspace).build()));
		}
		handles.forEach(SandboxHandle::close);
		await().atMost(PATIENCE).untilAsserted(() -> {
			assertThat(count("/proc/self/fd")).isLessThanOrEqualTo(descriptors);
			assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.noneMatch((name) -> name.startsWith("kairo-domain") || name.startsWith("kairo-confined"));
		});
	}

	private static long count(String directory) throws IOException {
		try (Stream<Path> entries = Files.list(Path.of(directory))) {
			return entries.count();
		}
	}

}
