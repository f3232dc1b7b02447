package io.kairo.sandbox.microvm;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.microvm.MicroVmFixture.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of machines that are started before a command needs them, and of the bounds on
 * machines.
 */
@RequiresMicroVm
@Timeout(120)
class PrestartedMachinesTests {

	private static final String BOOT = "cat /proc/sys/kernel/random/boot_id";

	@TempDir
	private Path directory;

	private @Nullable MicroVmSandbox opened;

	private MicroVmSandbox open(MachinePool pool) {
		this.opened = MicroVmFixture.sandbox(MicroVmFixture.options()
			.with((changes) -> changes.pool(pool)
				.memoryBytes(256L << 20)
				.commands((commands) -> commands.tmpfsBytes(16L << 20))));
		assertThat(this.opened.problem()).isNull();
		return this.opened;
	}

	@BeforeEach
	void letPass() {
		MicroVmFixture.grantAccess(this.directory);
	}

	@AfterEach
	void close() {
		if (this.opened != null) {
			this.opened.close();
		}
	}

	private static void awaitAhead(MicroVmSandbox sandbox, int count) {
		await().atMost(Duration.ofSeconds(60)).until(() -> sandbox.readyAhead() == count);
	}

	private Path workspace(String name) throws Exception {
		Path workspace = Files.createDirectories(this.directory.resolve(name));
		MicroVmFixture.grantAccess(workspace);
		return workspace;
	}

	private static SandboxRequest.Builder request(Path workspace, String command) {
		return new SandboxRequest.Builder(command, workspace);
	}

	private static List<ProcessHandle> emulators() {
		return ProcessHandle.current()
			.descendants()
			.filter((process) -> process.info().command().orElse("").endsWith("qemu-system-x86_64"))
			.toList();
	}

	@Test
	void firstCommandTakesAMachineThatWasStartedAheadAndIsReplaced() throws Exception {
		MicroVmSandbox sandbox = open(MachinePool.DEFAULT.withStartedAhead(1));
		awaitAhead(sandbox, 1);
		List<ProcessHandle> ready = emulators();
		Path workspace = workspace("workspace");
		long start = System.nanoTime();
		Outcome outcome = MicroVmFixture.run(sandbox, request(workspace, BOOT + "; echo made > file").build());
		Duration time = Duration.ofNanos(System.nanoTime() - start);
		assertThat(outcome.exit().exitCode()).as(outcome.err()).isZero();
		assertThat(workspace.resolve("file")).hasContent("made\n");
		System.out.println("First command in a machine that was started ahead: " + time.toMillis() + " ms");
		assertThat(emulators()).containsAll(ready);
		awaitAhead(sandbox, 1);
		assertThat(sandbox.machines().count()).isEqualTo(2);
		assertThat(MicroVmFixture.run(sandbox, request(workspace, BOOT).build()).out()).isEqualTo(outcome.out());
	}

	@Test
	void machineThatWasStartedAheadShowsWhatTheHostAllows() throws Exception {
		MicroVmSandbox sandbox = open(MachinePool.DEFAULT.withMaxMachines(2).withStartedAhead(1));
		Path workspace = workspace("workspace");
		Files.createDirectories(workspace.resolve(".git/hooks"));
		Path added = workspace("added");
		Files.writeString(added.resolve("text"), "added");
		Files.writeString(workspace("other").resolve("secret"), "secret");
		MicroVmFixture.grantAccess(this.directory);
		awaitAhead(sandbox, 1);
		List<ProcessHandle> ready = emulators();
		SandboxRequest request = request(workspace,
				"cat " + added + "/text; touch free .git/free; touch .git/hooks/a " + added + "/a; mv .git moved; ls "
						+ added.getParent() + "; ls /; touch /shares/work/a /a; sleep 60")
			.attributes(SandboxAttributes.builder()
				.mounts(List.of(new SandboxAttributes.Mount(added, false)))
				.protectedPaths(List.of(".git/hooks"))
				.build())
			.build();
		try (SandboxHandle handle = sandbox.start(request)) {
			assertThat(emulators()).containsAll(ready);
			await().until(() -> Files.exists(workspace.resolve(".git/free")));
			List<String> mounts = mountsOfFileServer(workspace);
			assertThat(mounts).anyMatch((line) -> line.contains("/.git/hooks ro,nosuid,nodev"))
				.anyMatch((line) -> line.contains("/added ro,nosuid,nodev"))
				.anyMatch((line) -> line.contains("/workspace rw,nosuid,nodev"))
				.noneMatch((line) -> line.contains(" /h ") || line.contains(" /h/"));
			assertThat(mounts.stream().filter((line) -> line.contains(" / / ")))
				.allMatch((line) -> line.contains("- tmpfs tmpfs ro,"));
			handle.cancel();
			Outcome outcome = MicroVmFixture.outcome(handle);
			assertThat(outcome.out()).startsWith("added").doesNotContain("other");
		}
		assertThat(workspace.resolve(".git/hooks")).isEmptyDirectory();
		assertThat(added.resolve("a")).doesNotExist();
	}

	private static List<String> mountsOfFileServer(Path workspace) throws Exception {
		for (ProcessHandle process : ProcessHandle.current().descendants().toList()) {
			Path table = Path.of("/proc/" + process.pid() + "/mountinfo");
			if (process.info().command().orElse("").endsWith("virtiofsd") && process.children().findAny().isEmpty()) {
				List<String> lines = Files.readAllLines(table, StandardCharsets.UTF_8);
				if (lines.stream().anyMatch((line) -> line.contains(workspace.toString()))) {
					return lines;
				}
			}
		}
		return List.of();
	}

	@Test
	void machineThatWasStartedAheadIsNeverGivenTwice() throws Exception {
		MicroVmSandbox sandbox = open(MachinePool.DEFAULT.withMaxMachines(4).withStartedAhead(2));
		List<CompletableFuture<String>> boots = IntStream.range(0, 4)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> {
				try {
					SandboxRequest request = request(workspace("workspace" + i % 2), BOOT)
						.tenant(new TenantContext("tenant" + i / 2, "user"))
						.build();
					return MicroVmFixture.run(sandbox, request).out();
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
			}))
			.toList();
		Set<String> ids = new HashSet<>();
		for (CompletableFuture<String> boot : boots) {
			ids.add(boot.get());
		}
		assertThat(ids).hasSize(4);
		assertThat(sandbox.machines().count()).isEqualTo(4);
	}

	@Test
	void machineStartedAheadThatHasEndedIsNotUsed() throws Exception {
		MicroVmSandbox sandbox = open(MachinePool.DEFAULT.withMaxMachines(2).withStartedAhead(1));
		awaitAhead(sandbox, 1);
		emulators().forEach(ProcessHandle::destroyForcibly);
		await().until(() -> sandbox.readyAhead() == 0);
		assertThat(MicroVmFixture.run(sandbox, request(workspace("workspace"), "echo a").build()).out())
			.isEqualTo("a\n");
		awaitAhead(sandbox, 1);
	}

	@Test
	void boundsIncludeMachinesThatWereStartedAheadAndClosingEndsThem() throws Exception {
		MicroVmSandbox sandbox = open(MachinePool.DEFAULT.withStartedAhead(2).withMaxMemoryBytes(2 * (256L << 20) + 1));
		awaitAhead(sandbox, 2);
		try (SandboxHandle first = sandbox.start(request(workspace("a"), "sleep 60").build());
				SandboxHandle second = sandbox.start(request(workspace("b"), "sleep 60").build())) {
			assertThat(sandbox.machines().count()).isEqualTo(2);
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> sandbox.start(request(workspace("c"), "true").build()))
				.withMessageContaining("they have 536870912 bytes of memory, the maximum is 536870913");
			second.cancel();
			second.exit().block();
			second.close();
			// the idle machine makes room, and nothing is started ahead
			assertThat(MicroVmFixture.run(sandbox, request(workspace("c"), "echo c").build()).out()).isEqualTo("c\n");
			assertThat(sandbox.machines().count()).isEqualTo(2);
			first.cancel();
		}
		sandbox.close();
		await().untilAsserted(() -> assertThat(leftovers()).isEmpty());
	}

	private static Stream<String> leftovers() {
		return ProcessHandle.current()
			.descendants()
			.map((process) -> process.info().commandLine().orElse(""))
			.filter((line) -> line.contains("virtiofsd") || line.contains("qemu"));
	}

}
