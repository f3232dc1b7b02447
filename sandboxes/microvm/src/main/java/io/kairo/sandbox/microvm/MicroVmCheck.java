package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.kairo.api.sandbox.SandboxException;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.support.Executables;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether machines can be used here. A positive result is kept until a program or
 * the image is replaced, a negative one for ten seconds. Safe for use by several threads.
 */
final class MicroVmCheck {

	private static final Logger logger = System.getLogger(MicroVmCheck.class.getName());

	private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

	private final MicroVmOptions options;

	private final QemuPrograms programs;

	private final SelfTest selfTest;

	private final Path kvmDevice;

	private @Nullable Object checked;

	private @Nullable BackendProblem problem;

	private long checkedAt;

	private @Nullable String accelerator;

	MicroVmCheck(MicroVmOptions options, SelfTest selfTest) {
		this(options, selfTest, QemuPrograms.KVM_DEVICE);
	}

	MicroVmCheck(MicroVmOptions options, SelfTest selfTest, Path kvmDevice) {
		this.options = options;
		this.programs = new QemuPrograms(options);
		this.selfTest = selfTest;
		this.kvmDevice = kvmDevice;
	}

	/**
	 * Returns the problem that prevents the use of machines.
	 * @return the problem, or null if they can be used
	 */
	synchronized @Nullable BackendProblem problem() {
		Object now = identity();
		boolean known = now.equals(this.checked)
				&& (this.problem == null || System.nanoTime() - this.checkedAt < RETRY_NANOS);
		if (!known) {
			this.accelerator = null;
			this.problem = examine();
			this.checked = now;
			this.checkedAt = System.nanoTime();
		}
		return this.problem;
	}

	/**
	 * Returns the accelerator of machines.
	 * @throws SandboxException if machines cannot be used
	 */
	synchronized String accelerator() {
		BackendProblem found = problem();
		if (found != null) {
			throw found.toException();
		}
		return Objects.requireNonNull(this.accelerator, "accelerator");
	}

	/**
	 * Returns whether machines are emulated; false if they cannot be used.
	 */
	synchronized boolean isEmulated() {
		return QemuPrograms.EMULATED.equals(this.accelerator);
	}

	private Object identity() {
		return List.of(identity(this.programs.qemu()), identity(this.programs.virtiofsd()),
				identity(this.options.kernel()), identity(this.options.initrd()));
	}

	private static Object identity(Path file) {
		try {
			BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
			return Arrays.asList(attributes.fileKey(), attributes.size(), attributes.lastModifiedTime());
		}
		catch (IOException ex) {
			return "missing";
		}
	}

	private @Nullable BackendProblem examine() {
		BackendProblem missing = missing();
		if (missing != null) {
			return missing;
		}
		BackendProblem failed = Files.exists(this.kvmDevice) ? tryOut(QemuPrograms.KVM)
				: Reason.KVM_UNUSABLE.found("there is no " + this.kvmDevice);
		if (failed == null || this.options.emulation() != MicroVmOptions.Emulation.ALLOWED) {
			return failed;
		}
		BackendProblem emulated = tryOut(QemuPrograms.EMULATED);
		if (emulated == null) {
			logger.log(Level.WARNING,
					"Virtual machines are emulated, as KVM cannot be used here ({0}): they are slower, and a weaker boundary",
					failed.finding());
		}
		return emulated;
	}

	private @Nullable BackendProblem tryOut(String candidate) {
		String failure;
		try {
			failure = this.selfTest.run(candidate);
		}
		catch (SandboxException ex) {
			failure = ex.problem();
		}
		if (failure == null) {
			this.accelerator = candidate;
			return null;
		}
		boolean kvm = candidate.equals(QemuPrograms.KVM) && failure.toLowerCase(Locale.ROOT).contains("kvm");
		return (kvm ? Reason.KVM_UNUSABLE : Reason.BOOT_FAILED).found(failure);
	}

	private @Nullable BackendProblem missing() {
		String system = System.getProperty("os.name");
		String processor = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
		if (!system.equals("Linux") || !Set.of("amd64", "x86_64").contains(processor)) {
			return Reason.WRONG_PLATFORM.found("this is " + system + " on " + processor);
		}
		for (Path program : List.of(this.programs.qemu(), this.programs.virtiofsd())) {
			if (!Files.isExecutable(program)) {
				return Reason.QEMU_MISSING.found("there is no program " + program);
			}
		}
		for (String program : HostConfinement.PROGRAMS) {
			if (Executables.find(program) == null) {
				return Reason.PROGRAM_MISSING.found("there is no program " + program);
			}
		}
		for (Path file : List.of(this.options.kernel(), this.options.initrd())) {
			if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
				return Reason.IMAGE_MISSING.found(file + " is missing or cannot be read");
			}
		}
		HostUser runAs = this.options.commands().runAs();
		int user = Objects.requireNonNull(HostUser.current(), "/proc").uid();
		if (user == 0 && runAs == null) {
			return Reason.ROOT_WITHOUT_RUN_AS.found("machines of root would be root on the host");
		}
		if (user != 0 && runAs != null && runAs.uid() != user) {
			return Reason.RUN_AS_REFUSED.found("only root can run machines as " + runAs);
		}
		return null;
	}

	/**
	 * Runs a command in a machine.
	 */
	@FunctionalInterface
	interface SelfTest {

		/**
		 * Runs the test.
		 * @param accelerator the accelerator of the machine
		 * @return the problem, or null
		 * @throws SandboxException if the machine does not start
		 */
		@Nullable String run(String accelerator);

	}

}
