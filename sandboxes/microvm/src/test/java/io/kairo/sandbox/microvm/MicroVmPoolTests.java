package io.kairo.sandbox.microvm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.microvm.MicroVmFixture.Outcome;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the number, the end and the size of machines, each with a sandbox of its own.
 */
@RequiresMicroVm
class MicroVmPoolTests {

	@TempDir
	private Path directory;

	private Path workspace;

	private MicroVmSandbox sandbox;

	@BeforeEach
	void open() throws Exception {
		this.workspace = Files.createDirectory(this.directory.resolve("workspace"));
		MicroVmFixture.grantAccess(this.workspace);
		this.sandbox = MicroVmFixture.sandbox(MicroVmFixture.options());
	}

	@AfterEach
	void close() {
		this.sandbox.close();
	}

	@Test
	void machineThatIsIdleIsEnded() {
		this.sandbox.close();
		this.sandbox = MicroVmFixture.sandbox(with(MachinePool.DEFAULT.withIdleTimeout(Duration.ofMillis(300))));
		String boot = run("cat /proc/sys/kernel/random/boot_id").out();
		await().atMost(Duration.ofSeconds(20)).until(() -> machines() == 0);
		assertThat(run("cat /proc/sys/kernel/random/boot_id").out()).isNotEqualTo(boot);
	}

	@Test
	void idleMachineMakesRoomForAnotherOne() throws Exception {
		this.sandbox.close();
		this.sandbox = MicroVmFixture.sandbox(with(MachinePool.DEFAULT.withMaxMachines(1)));
		assertThat(run("echo a").out()).isEqualTo("a\n");
		Path other = Files.createDirectory(this.directory.resolve("other"));
		MicroVmFixture.grantAccess(other);
		try (SandboxHandle running = this.sandbox.start(new SandboxRequest.Builder("sleep 60", other).build())) {
			assertThat(machines()).isEqualTo(1);
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> run("echo b"))
				.withMessageContaining("All virtual machines run commands, the maximum is 1");
			running.cancel();
		}
	}

	@Test
	void commandIsLostIfItsMachineCrashes() throws Exception {
		try (SandboxHandle handle = start("echo running; sleep 60")) {
			handle.output().blockFirst();
			emulators().forEach(ProcessHandle::destroyForcibly);
			assertThat(MicroVmFixture.outcome(handle).exit().signal()).isEqualTo(SandboxExit.LOST);
		}
		assertThat(run("echo again").out()).isEqualTo("again\n");
	}

	@Test
	void machineHasItsMemoryAndProcessors() {
		this.sandbox.close();
		this.sandbox = MicroVmFixture.sandbox(MicroVmFixture.options()
			.with((changes) -> changes.memoryBytes(256L << 20)
				.cpus(1)
				.commands((commands) -> commands.tmpfsBytes(16L << 20))));
		Outcome outcome = run("nproc; awk '/MemTotal/ { print int($2 / 1024) }' /proc/meminfo");
		assertThat(outcome.out().lines().findFirst()).contains("1");
		assertThat(Integer.parseInt(outcome.out().lines().skip(1).findFirst().orElseThrow())).isBetween(150, 256);
		Outcome greedy = run("tail /dev/zero; echo $?");
		assertThat(greedy.out()).isEqualTo("137\n");
		assertThat(greedy.err()).contains("kairo: the command has hit its limit of 201326592 bytes of memory");
		assertThat(run("echo alive").out()).isEqualTo("alive\n");
	}

	private static MicroVmOptions with(MachinePool pool) {
		return MicroVmFixture.options().with((changes) -> changes.pool(pool));
	}

	private long machines() {
		return emulators().count();
	}

	/**
	 * Returns the emulators of this JVM, without what confines them.
	 */
	private static Stream<ProcessHandle> emulators() {
		return ProcessHandle.current()
			.descendants()
			.filter((process) -> process.info().command().orElse("").endsWith("qemu-system-x86_64"));
	}

	private SandboxHandle start(String command) {
		return this.sandbox.start(new SandboxRequest.Builder(command, this.workspace).build());
	}

	private Outcome run(String command) {
		return MicroVmFixture.run(this.sandbox, new SandboxRequest.Builder(command, this.workspace).build());
	}

}
