package io.kairo.sandbox.microvm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendProblem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests {@link MicroVmSandbox} where something that it needs is missing or broken.
 */
@RequiresMicroVm
@Timeout(120)
class MicroVmFaultTests {

	@TempDir
	private Path directory;

	private final MicroVmOptions usable = MicroVmFixture.options();

	@BeforeEach
	void open() throws Exception {
		Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		MicroVmFixture.grantAccess(this.directory);
	}

	private MicroVmOptions with(Path kernel, Path initrd) {
		return new MicroVmOptions(kernel, initrd, null, null, MicroVmOptions.Emulation.ALLOWED, 256L << 20, 1,
				MachinePool.DEFAULT.withMaxMachines(1), Duration.ofSeconds(30),
				this.usable.commands().with((commands) -> commands.killGrace(Duration.ZERO).tmpfsBytes(1L << 20)));
	}

	private void assertProblem(MicroVmOptions options, Reason reason, String detail) {
		try (MicroVmSandbox sandbox = new MicroVmSandbox(options)) {
			BackendProblem problem = sandbox.problem();
			assertThat(problem).isNotNull();
			assertThat(problem.code()).as(problem.finding()).isEqualTo(reason.code());
			assertThat(problem.finding()).contains(detail);
			assertThat(sandbox.capabilities().enforced()).isEmpty();
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> sandbox.start(new SandboxRequest.Builder("true", this.directory).build()))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BACKEND_UNAVAILABLE))
				.withMessageContaining(problem.remedy());
		}
	}

	@Test
	void missingKernelIsNamed() {
		Path kernel = this.directory.resolve("vmlinuz");
		assertProblem(with(kernel, this.usable.initrd()), Reason.IMAGE_MISSING, kernel.toString());
	}

	@Test
	void missingInitialRamDiskIsNamed() {
		Path initrd = this.directory.resolve("initrd");
		assertProblem(with(this.usable.kernel(), initrd), Reason.IMAGE_MISSING, initrd.toString());
	}

	@Test
	void missingEmulatorIsNamed() {
		assertProblem(this.usable.with((changes) -> changes.qemu(Path.of("/no/qemu"))), Reason.QEMU_MISSING,
				"/no/qemu");
	}

	@Test
	void missingFileServerIsNamed() {
		assertProblem(this.usable.with((changes) -> changes.virtiofsd(Path.of("/no/virtiofsd"))), Reason.QEMU_MISSING,
				"/no/virtiofsd");
	}

	@Test
	void fileThatIsNoKernelDoesNotBoot() throws Exception {
		Path kernel = Files.writeString(this.directory.resolve("vmlinuz"), "not a kernel".repeat(1000));
		assertProblem(with(kernel, this.usable.initrd()), Reason.BOOT_FAILED, "did not start");
	}

	@Test
	void kernelWithoutAnAgentDoesNotBootAndTellsWhy() throws Exception {
		Path initrd = Files.writeString(this.directory.resolve("initrd"), "");
		assertProblem(with(this.usable.kernel(), initrd), Reason.BOOT_FAILED, "Kernel panic");
	}

	@Test
	void machineThatIsNotReadyInTimeIsGivenUp() {
		assertProblem(this.usable.with((changes) -> changes.bootTimeout(Duration.ofMillis(300))), Reason.BOOT_FAILED,
				"not ready within 100 ms");
	}

	@Test
	void fileServerThatFailsIsReported() throws Exception {
		Path server = Files.writeString(this.directory.resolve("virtiofsd"), "#!/bin/sh\n");
		Files.setPosixFilePermissions(server, PosixFilePermissions.fromString("rwxr-xr-x"));
		// the confinement does not show the file
		assertProblem(this.usable.with((changes) -> changes.virtiofsd(server)), Reason.BOOT_FAILED, "file server");
	}

	@Test
	void rootNeedsAUserForItsMachines() {
		if (MicroVmFixture.isRoot()) {
			assertProblem(this.usable.with((changes) -> changes.commands((commands) -> commands.runAs(null))),
					Reason.ROOT_WITHOUT_RUN_AS, "root");
		}
		else {
			assertProblem(
					this.usable
						.with((changes) -> changes.commands((commands) -> commands.runAs(new HostUser(4711, 4711)))),
					Reason.RUN_AS_REFUSED, "4711");
		}
	}

	@Test
	void machinesAreEmulatedOnlyIfThatIsAllowed() {
		try (MicroVmSandbox sandbox = MicroVmFixture.sandbox(this.usable)) {
			if (sandbox.isEmulated()) {
				assertProblem(this.usable.with((changes) -> changes.emulation(MicroVmOptions.Emulation.REFUSED)),
						Reason.KVM_UNUSABLE, "kvm");
			}
			else {
				assertThat(sandbox.problem()).isNull();
			}
		}
	}

}
