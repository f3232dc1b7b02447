package io.kairo.sandbox.docker;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.support.CommandLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests containers that run one command after another.
 */
@RequiresDocker
class SessionContainerTests {

	private static final SandboxAttributes PROTECTED = SandboxAttributes.builder()
		.protectedPaths(List.of(".git/config"))
		.build();

	private static final TenantContext OTHER = new TenantContext("other", "principal");

	@TempDir
	Path temp;

	private SandboxHandle start(ExecutionSandbox sandbox, String command,
			UnaryOperator<SandboxRequest.Builder> settings) throws IOException {
		return sandbox.start(settings.apply(new SandboxRequest.Builder(command, this.temp.toRealPath())).build());
	}

	/**
	 * Returns the exit code or the signal of a command, and its output.
	 */
	private static String end(SandboxHandle handle) {
		try (handle) {
			SandboxExit exit = Objects.requireNonNull(handle.exit().block(Duration.ofSeconds(30)));
			StringBuilder output = new StringBuilder();
			handle.output()
				.toIterable()
				.forEach((chunk) -> output.append(new String(chunk.data(), StandardCharsets.UTF_8)));
			return ((exit.signal() != null) ? exit.signal() : exit.exitCode()) + " " + output.toString().strip();
		}
	}

	private static String run(ExecutionSandbox sandbox, String command, Path workspace,
			UnaryOperator<SandboxRequest.Builder> settings) {
		return end(sandbox.start(settings.apply(new SandboxRequest.Builder(command, workspace)).build()));
	}

	private String run(ExecutionSandbox sandbox, String command) throws IOException {
		return end(start(sandbox, command, UnaryOperator.identity()));
	}

	@Test
	void commandsHaveNeitherUserNorCapabilitiesOfTheLauncher() throws Exception {
		ExecutionSandbox sandbox = TestContainers.sandbox(TestContainers.options());
		try (AutoCloseable closing = (AutoCloseable) sandbox) {
			assertThat(run(sandbox, "grep -hE '^(Uid|CapPrm|CapEff):' /proc/self/status /proc/1/status")
				.replaceAll("\\s+", " ")).matches(
						"0 Uid: (\\d+) \\1 \\1 \\1 CapPrm: 0{16} CapEff: 0{16} Uid: 0 0 0 0 CapPrm: 0{14}e0 CapEff: 0{14}e0");
			assertThat(run(sandbox, "id -G")).isEqualTo(run(sandbox, "id -g"));
			assertThat(run(sandbox, "exec 2>&1; cat /proc/1/environ || ls /proc/1/root/ /proc/1/fd || chrt -i -p 0 1"
					+ " || prlimit --pid 1 --nofile=3:3 || taskset -p 1 1 || ionice -c 3 -p 1 || kill -9 1 || echo no"))
				.startsWith("0 ")
				.endsWith("\nno");
		}
	}

	@Test
	void commandsOfASessionHaveOneLoopbackInterface() throws Exception {
		String serve = "perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(LocalAddr => q(127.0.0.1),"
				+ " LocalPort => 8080, Listen => 9) or die; while ($c = $s->accept) { print $c qq(served\\n); close $c }'";
		String connect = "exec 2>&1 3<>/dev/tcp/127.0.0.1/8080 && cat <&3";
		ExecutionSandbox sandbox = TestContainers.sandbox(TestContainers.options());
		try (AutoCloseable closing = (AutoCloseable) sandbox; SandboxHandle server = start(sandbox, serve, of("a"))) {
			await().untilAsserted(() -> assertThat(end(start(sandbox, connect, of("a")))).isEqualTo("0 served"));
			assertThat(end(start(sandbox, connect, of("b")))).contains("refused");
			assertThat(end(start(sandbox, connect, of("a").andThen((request) -> request.tenant(OTHER))::apply)))
				.contains("refused");
			assertThat(run(sandbox, connect)).contains("refused");
			assertThat(end(start(sandbox, "grep -c : /proc/net/dev; cat /proc/net/route | wc -l", of("a"))))
				.isEqualTo("0 1\n1");
			assertThat(server.exit().toFuture()).isNotDone();
		}
	}

	@Test
	void commandsOfASessionShareTemporaryFiles() throws Exception {
		Path workspace = Files.createTempDirectory(Path.of("/var/tmp"), "workspace");
		String write = "echo temporary > /tmp/file; echo home > ~/file; ln -s /tmp/file /tmp/link; sleep 60";
		String read = "exec 2>&1; cat /tmp/link ~/file";
		DockerEngine engine = new DockerEngine(TestContainers.options());
		ExecutionSandbox sandbox = TestContainers.sandbox(TestContainers.options()
			.with((changes) -> changes.commands((commands) -> commands.tmpfsBytes(1L << 20))));
		try (AutoCloseable closing = (AutoCloseable) sandbox;
				SandboxHandle background = sandbox
					.start(of("a").apply(new SandboxRequest.Builder(write, workspace)).build())) {
			await()
				.untilAsserted(() -> assertThat(run(sandbox, read, workspace, of("a"))).isEqualTo("0 temporary\nhome"));
			assertThat(run(sandbox,
					"stat -c '%a %U %s' /tmp ~ && grep -c ' /tmp .*nosuid,nodev.*size=1024k' " + "/proc/self/mountinfo",
					workspace, of("a")))
				.startsWith("0 1777 ")
				.endsWith("\n1");
			assertThat(
					run(sandbox, "dd if=/dev/zero of=/tmp/large bs=1M count=2 2>&1; rm /tmp/large", workspace, of("a")))
				.contains("No space left");
			assertThat(run(sandbox, read, workspace, of("b"))).startsWith("1 ").doesNotContain("temporary");
			assertThat(run(sandbox, read, workspace, of("a").andThen((request) -> request.tenant(OTHER))::apply))
				.startsWith("1 ")
				.doesNotContain("temporary");
			// a mount below /tmp, where the link would be followed
			assertThat(run(sandbox, read, this.temp.toRealPath(), of("a")))
				.isEqualTo("1 cat: /tmp/link: No such file or directory\nhome");
			assertThat(engine.unusedVolumes(ContainerFactory.LABEL)).isEmpty();
		}
		finally {
			Files.delete(workspace);
		}
		await().untilAsserted(() -> assertThat(engine.unusedVolumes(ContainerFactory.LABEL)).isEmpty());
	}

	private static UnaryOperator<SandboxRequest.Builder> of(String session) {
		SandboxAttributes attributes = SandboxAttributes.builder().sessionId(session).build();
		return (request) -> request.attributes(attributes);
	}

	@Test
	void streamsCanBeOpenedByTheirNames() throws Exception {
		ExecutionSandbox sandbox = TestContainers.sandbox(TestContainers.options());
		try (AutoCloseable closing = (AutoCloseable) sandbox) {
			assertThat(run(sandbox, "echo out | dd of=/dev/stdout status=none")).isEqualTo("0 out");
			assertThat(run(sandbox, "echo err | dd of=/dev/stderr status=none")).isEqualTo("0 err");
		}
	}

	@Test
	void commandRunsAfterSeveralIdleContainersBecameStale() throws Exception {
		Path config = Files.createDirectory(this.temp.toRealPath().resolve(".git")).resolve("config");
		Files.writeString(config, "old");
		ExecutionSandbox sandbox = TestContainers.sandbox(TestContainers.options());
		try (AutoCloseable closing = (AutoCloseable) sandbox) {
			UnaryOperator<SandboxRequest.Builder> protect = (request) -> request.attributes(PROTECTED);
			List<SandboxHandle> parallel = IntStream.range(0, 4).mapToObj((i) -> {
				try {
					return start(sandbox, "sleep 1", protect);
				}
				catch (IOException ex) {
					throw new IllegalStateException(ex);
				}
			}).toList();
			assertThat(parallel).allSatisfy((handle) -> assertThat(end(handle)).isEqualTo("0 "));
			Path replacement = Files.writeString(config.resolveSibling("other"), "new");
			Files.move(replacement, config, StandardCopyOption.ATOMIC_MOVE);
			assertThat(end(start(sandbox, "cat .git/config", protect))).isEqualTo("0 new");
		}
	}

	@Test
	void refusedEnvironmentLeavesTheContainer() throws Exception {
		ExecutionSandbox sandbox = TestContainers.sandbox(TestContainers.options());
		try (AutoCloseable closing = (AutoCloseable) sandbox) {
			run(sandbox, "echo kept > /tmp/file");
			Map<String, String> large = new HashMap<>();
			IntStream.range(0, 30).forEach((i) -> large.put("LARGE" + i, "x".repeat(100_000)));
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> start(sandbox, "true", (request) -> request.env(large)))
				.withMessageContaining("Argument list too long");
			assertThat(run(sandbox, "cat /tmp/file")).isEqualTo("0 kept");
		}
	}

	@Test
	void manyProcessesWithoutMemoryLeaveTheContainer() throws Exception {
		ExecutionSandbox sandbox = TestContainers.sandbox(TestContainers.options()
			.with((changes) -> changes
				.commands((commands) -> commands.limits(new CommandLimits(48L << 20, null, null, null)))));
		try (AutoCloseable closing = (AutoCloseable) sandbox) {
			run(sandbox, "echo kept > /tmp/file");
			assertThat(run(sandbox, "exec 2>&1; for i in $(seq 600); do sleep 20 & done; echo all"))
				.doesNotStartWith(SandboxExit.LOST);
			assertThat(run(sandbox, "cat /tmp/file")).isEqualTo("0 kept");
		}
	}

	@Test
	void commandEndsWhereItsOutputWasPassedOn() throws Exception {
		assumeThat(TestContainers.isRoot()).as("SKIPPED: only root can open the output of a command").isTrue();
		ExecutionSandbox sandbox = TestContainers.sandbox(TestContainers.options());
		String seconds = "3." + System.nanoTime();
		try (AutoCloseable closing = (AutoCloseable) sandbox) {
			SandboxHandle handle = start(sandbox, "sleep " + seconds + "; echo output", UnaryOperator.identity());
			try (FileChannel held = FileChannel.open(Path.of("/proc/" + sleeper(seconds) + "/fd/1"),
					StandardOpenOption.WRITE)) {
				assertThat(end(handle)).isEqualTo("0 output");
				assertThat(held.isOpen()).isTrue();
			}
		}
	}

	private static long sleeper(String seconds) {
		return await()
			.until(() -> ProcessHandle.allProcesses()
				.filter((process) -> process.info().commandLine().orElse("").endsWith("sleep " + seconds))
				.findFirst(), Optional::isPresent)
			.orElseThrow()
			.pid();
	}

}
