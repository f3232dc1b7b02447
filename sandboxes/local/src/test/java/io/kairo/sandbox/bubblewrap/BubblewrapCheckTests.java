package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.support.seccomp.SeccompArchitecture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BubblewrapCheck}.
 */
@EnabledOnOs(OS.LINUX)
class BubblewrapCheckTests {

	@TempDir
	Path directory;

	private final AtomicInteger attempts = new AtomicInteger();

	private @Nullable BackendProblem outcome;

	private BubblewrapCheck check(Path executable) {
		return new BubblewrapCheck(JvmUser.bubblewrapOptions().with((changes) -> changes.executable(executable)),
				SeccompArchitecture.X86_64, () -> {
					this.attempts.incrementAndGet();
					return this.outcome;
				});
	}

	private Path program(String script) throws IOException {
		Path draft = Files.writeString(this.directory.resolve("draft"), "#!/bin/sh\n" + script + "\n");
		assertThat(draft.toFile().setExecutable(true, false)).isTrue();
		JvmUser.grantAccess(draft);
		return Files.move(draft, this.directory.resolve("bwrap"), StandardCopyOption.REPLACE_EXISTING);
	}

	@Test
	void resultOfTheCheckIsCached() throws IOException {
		BubblewrapCheck check = check(program("exit 0"));
		assertThat(check.problem()).isNull();
		assertThat(check.problem()).isNull();
		assertThat(this.attempts).hasValue(1);
	}

	@Test
	void missingOrReplacedProgramIsDetected() throws IOException {
		Path program = program("exit 0");
		BubblewrapCheck check = check(program);
		assertThat(check.problem()).isNull();
		Files.delete(program);
		assertThat(check.problem()).extracting(BackendProblem::code).isEqualTo(Reason.BWRAP_MISSING.code());
		this.outcome = Reason.CANARY_FAILED.found("it leaks");
		program("exit 0 # another");
		assertThat(check.problem()).isEqualTo(this.outcome);
		assertThat(this.attempts).hasValue(2);
	}

	@Test
	void selfTestIsRepeatedAfterTheProgramIsReplacedAtomically() throws IOException {
		BubblewrapCheck check = check(program("exit 0"));
		assertThat(check.problem()).isNull();
		this.outcome = Reason.CANARY_FAILED.found("it leaks");
		program("exit 0 # another");
		assertThat(check.problem()).isEqualTo(this.outcome);
	}

	@Test
	void rootWithoutUserToRunCommandsAsIsAProblem() throws IOException {
		Path bwrap = program("exit 0");
		BubblewrapCheck check = new BubblewrapCheck(
				BubblewrapOptions.DEFAULTS
					.with((changes) -> changes.executable(bwrap).commands((commands) -> commands.runAs(null))),
				SeccompArchitecture.X86_64, () -> null);
		if (JvmUser.isRoot()) {
			assertThat(check.problem()).extracting(BackendProblem::code).isEqualTo(Reason.ROOT_WITHOUT_RUN_AS.code());
			assertThat(check.problem()).hasToString("root_without_run_as: commands of root would be root on the host");
		}
		else {
			assertThat(check.problem()).isNull();
		}
	}

	@Test
	void failedSelfTestIsRepeatedAfterFiveSecondsAndPassedSelfTestIsNot() throws IOException {
		Path bwrap = program("exit 0");
		AtomicLong now = new AtomicLong();
		BackendProblem failed = Reason.CANARY_FAILED.found("no space left");
		BubblewrapCheck check = new BubblewrapCheck(
				JvmUser.bubblewrapOptions().with((changes) -> changes.executable(bwrap)), SeccompArchitecture.X86_64,
				() -> (this.attempts.incrementAndGet() < 3) ? failed : null, now::get);
		assertThat(check.problem()).isEqualTo(failed);
		assertThat(check.problem()).isEqualTo(failed);
		assertThat(this.attempts).hasValue(1);
		now.addAndGet(TimeUnit.SECONDS.toNanos(5));
		assertThat(check.problem()).isEqualTo(failed);
		now.addAndGet(TimeUnit.SECONDS.toNanos(5));
		assertThat(check.problem()).isNull();
		now.addAndGet(TimeUnit.DAYS.toNanos(5));
		assertThat(check.problem()).isNull();
		assertThat(this.attempts).hasValue(3);
	}

	@Test
	void onlyRootCanRunCommandsAsAnotherUser() throws IOException {
		Path bwrap = program("exit 0");
		BubblewrapCheck check = new BubblewrapCheck(
				BubblewrapOptions.DEFAULTS.with((changes) -> changes.executable(bwrap)
					.commands((commands) -> commands.runAs(new HostUser(4321, 4321)))),
				SeccompArchitecture.X86_64, () -> null);
		assertThat(Reason.RUN_AS_REFUSED.is(check.problem())).isEqualTo(!JvmUser.isRoot());
	}

	@Test
	void processorWithoutSystemCallFilterIsAProblem() throws IOException {
		Path bwrap = program("exit 0");
		assertThat(new BubblewrapCheck(JvmUser.bubblewrapOptions().with((changes) -> changes.executable(bwrap)), null,
				() -> null)
			.problem()).extracting(BackendProblem::code).isEqualTo(Reason.UNKNOWN_PROCESSOR.code());
	}

	@Test
	void sandboxRefusesRequestsWithARemedyIfBubblewrapIsMissing() {
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(
				JvmUser.bubblewrapOptions().with((changes) -> changes.executable(this.directory.resolve("none"))))) {
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> sandbox.start(new SandboxRequest.Builder("true", this.directory).build()))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BACKEND_UNAVAILABLE))
				.withMessageContainingAll("bwrap_missing", "install the package 'bubblewrap'");
			assertThat(sandbox.capabilities().enforced()).isEmpty();
			assertThat(sandbox.capabilities().reason(SandboxCapability.FILE_CONFINEMENT)).contains("bwrap_missing");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					bwrap: setting up uid map: Permission denied | USER_NAMESPACES_FORBIDDEN
					bwrap: No permissions to creating new namespace, likely because the kernel does not allow it | USER_NAMESPACES_FORBIDDEN
					bwrap: Creating new namespace failed: No space left on device | USER_NAMESPACES_FORBIDDEN
					bwrap: Can't mount proc on /newroot/proc: Operation not permitted | PROC_MASKED
					bwrap: Unknown option --disable-userns | BWRAP_TOO_OLD
					something else | CANARY_FAILED
					""")
	void problemIsDerivedFromTheErrorOutputOfBubblewrap(String line, Reason reason) throws IOException {
		Path program = program("echo \"" + line + "\" >&2; exit 1");
		JvmUser.grantAccess(this.directory.resolve("x"));
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(
				JvmUser.bubblewrapOptions().with((changes) -> changes.executable(program)))) {
			assertThat(sandbox.problem()).isEqualTo(reason.found(line + " (1)"));
		}
	}

	@Test
	void programThatDoesNotConfineCommandsIsAProblem() throws IOException {
		// replaces bubblewrap and runs the command without confinement
		Path program = program("while [ \"$1\" != -- ]; do shift; done; shift; exec \"$@\"");
		JvmUser.grantAccess(this.directory.resolve("x"));
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(
				JvmUser.bubblewrapOptions().with((changes) -> changes.executable(program)))) {
			assertThat(sandbox.problem()).extracting(BackendProblem::code).isEqualTo(Reason.CANARY_FAILED.code());
		}
	}

	@ParameterizedTest
	@RequiresBubblewrap
	@CsvSource(delimiter = '|', textBlock = """
			PWD=/    | $filter --tmpfs /run             | the system can be written to
			PWD=/    | $filter --bind /dev/shm /dev/shm | a file of the host is seen
			PWD=/    | $filter --bind /etc /etc         | /etc/shadow is seen
			PWD=/    | $filter --cap-add CAP_NET_RAW    | there are capabilities left
			PWD=/    | --hostname x                     | there is no system call filter
			PWD=/    | $filter --uid 0                  | the command is root
			LEAKED=x | $filter                          | the environment of the JVM is seen
			""")
	void holeOfTheSandboxIsNamed(String variable, String options, String hole) throws IOException {
		Path program = program("arguments=$2 status=$4 filter=\"--seccomp $6\" block=$8; shift 8; exec env " + variable
				+ " /usr/bin/bwrap --args $arguments --json-status-fd $status " + options
				+ " --block-fd $block \"$@\"");
		JvmUser.grantAccess(this.directory.resolve("x"));
		try (BubblewrapSandbox sandbox = new BubblewrapSandbox(
				JvmUser.bubblewrapOptions().with((changes) -> changes.executable(program)))) {
			assertThat(sandbox.problem()).isEqualTo(Reason.CANARY_FAILED.found(hole));
		}
	}

}
