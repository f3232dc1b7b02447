package io.kairo.sandbox.microvm;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.microvm.MicroVmOptions.Emulation;
import io.kairo.sandbox.support.Executables;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for the choice between KVM and emulation of a {@link MicroVmCheck}, with programs
 * that do nothing.
 */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class MicroVmCheckTests {

	private final List<String> tried = new ArrayList<>();

	@TempDir
	Path directory;

	private MicroVmOptions options;

	private @Nullable String failureOfKvm;

	private @Nullable String failureOfEmulation;

	@BeforeEach
	void install() throws Exception {
		assumeThat(HostConfinement.PROGRAMS).as("bubblewrap and util-linux are installed")
			.allMatch((program) -> Executables.find(program) != null);
		Path program = Files.writeString(this.directory.resolve("program"), "");
		Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
		HostUser current = HostUser.current();
		this.options = MicroVmOptions.of(program, program)
			.with((options) -> options.qemu(program)
				.virtiofsd(program)
				.commands((commands) -> commands
					.runAs((current != null && current.uid() == 0) ? new HostUser(65534, 65534) : null)));
	}

	private @Nullable BackendProblem problem(Emulation emulation, Path kvmDevice) {
		MicroVmCheck check = new MicroVmCheck(this.options.with((options) -> options.emulation(emulation)),
				(accelerator) -> {
					this.tried.add(accelerator);
					return accelerator.equals(QemuPrograms.KVM) ? this.failureOfKvm : this.failureOfEmulation;
				}, kvmDevice);
		BackendProblem problem = check.problem();
		assertThat(check.isEmulated()).isEqualTo(problem == null && this.tried.contains(QemuPrograms.EMULATED));
		return problem;
	}

	@Test
	void kvmIsPreferred() {
		assertThat(problem(Emulation.ALLOWED, this.directory)).isNull();
		assertThat(this.tried).containsExactly(QemuPrograms.KVM);
	}

	@ParameterizedTest
	@ValueSource(strings = { "could not access KVM kernel module", "the machine was not ready within 15 s" })
	void machinesThatKvmDoesNotBootAreEmulatedIfAllowed(String failure) {
		this.failureOfKvm = failure;
		assertThat(problem(Emulation.ALLOWED, this.directory)).isNull();
		assertThat(this.tried).containsExactly(QemuPrograms.KVM, QemuPrograms.EMULATED);
	}

	@Test
	void machinesThatKvmDoesNotBootAreAProblemOtherwise() {
		this.failureOfKvm = "the machine was not ready within 60 s";
		assertThat(problem(Emulation.REFUSED, this.directory)).isNotNull()
			.satisfies((problem) -> assertThat(problem.code()).isEqualTo("boot_failed"));
		assertThat(this.tried).containsExactly(QemuPrograms.KVM);
	}

	@Test
	void missingDeviceIsNotTried() {
		Path missing = this.directory.resolve("kvm");
		assertThat(problem(Emulation.ALLOWED, missing)).isNull();
		assertThat(this.tried).containsExactly(QemuPrograms.EMULATED);
		assertThat(problem(Emulation.REFUSED, missing)).isNotNull()
			.satisfies((problem) -> assertThat(problem.code()).isEqualTo("kvm_unusable"));
	}

	@Test
	void failureOfEmulationIsReported() {
		this.failureOfKvm = "of KVM";
		this.failureOfEmulation = "of emulation";
		assertThat(problem(Emulation.ALLOWED, this.directory)).isNotNull()
			.satisfies((problem) -> assertThat(problem.finding()).contains("of emulation"));
	}

}
