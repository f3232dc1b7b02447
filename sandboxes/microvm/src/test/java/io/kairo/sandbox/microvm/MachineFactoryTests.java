package io.kairo.sandbox.microvm;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.OrphanReaper;
import io.kairo.sandbox.support.process.LauncherThread;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of emulated machines that hang while they boot.
 */
@RequiresMicroVm
@Timeout(120)
class MachineFactoryTests {

	private final LauncherThread launcher = new LauncherThread("kairo-test", false);

	private final PrivateDirectory directory = new PrivateDirectory(null);

	private final OrphanReaper reaper = new OrphanReaper(this.launcher, MicroVmFixture.options().commands().runAs());

	private final AtomicInteger emulators = new AtomicInteger();

	@AfterEach
	void close() {
		this.reaper.close();
		this.launcher.close();
		this.directory.close();
	}

	/**
	 * Returns a factory of machines, of which the first ones say nothing.
	 */
	private MachineFactory factory(Duration bootTimeout, int hanging) {
		return new MachineFactory(MicroVmFixture.options().with((changes) -> changes.bootTimeout(bootTimeout)),
				this.directory, (builder) -> {
					boolean emulator = builder.command().contains("-kernel");
					if (emulator && this.emulators.getAndIncrement() < hanging) {
						builder.command("sleep", "300");
					}
					return this.launcher.launch(builder);
				}, this.reaper);
	}

	private static List<String> left() {
		return ProcessHandle.current()
			.descendants()
			.map((process) -> process.info().commandLine().orElse(""))
			.filter((line) -> line.contains("virtiofsd") || line.contains("qemu") || line.contains("sleep 300"))
			.toList();
	}

	@Test
	void machineThatHangsIsStartedAgain() {
		Machine machine = factory(Duration.ofSeconds(45), 1).startAhead(QemuPrograms.EMULATED).machine();
		assertThat(machine.usable()).isTrue();
		assertThat(this.emulators).hasValueGreaterThan(1);
		assertThat(left()).noneMatch((line) -> line.contains("sleep 300"));
		machine.end("the test is over");
		await().untilAsserted(() -> assertThat(left()).isEmpty());
	}

	@Test
	void machineThatNeverBootsIsGivenUpWithinTheTimeToBoot() {
		MachineFactory factory = factory(Duration.ofSeconds(3), Integer.MAX_VALUE);
		long start = System.nanoTime();
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> factory.startAhead(QemuPrograms.EMULATED))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.START_FAILED))
			.withMessageContaining("it was not ready within 1000 ms");
		// the file servers of each attempt are not included
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofSeconds(3), Duration.ofSeconds(8));
		assertThat(this.emulators).hasValue(3);
		await().untilAsserted(() -> assertThat(left()).isEmpty());
	}

}
