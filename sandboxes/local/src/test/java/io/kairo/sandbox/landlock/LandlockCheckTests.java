package io.kairo.sandbox.landlock;

import java.nio.file.Path;
import java.util.Objects;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.support.CommandLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link LandlockCheck}.
 */
@EnabledOnOs(OS.LINUX)
class LandlockCheckTests {

	@ParameterizedTest
	@CsvSource({ "38, LANDLOCK_MISSING", "95, LANDLOCK_MISSING", "1, CALLS_DENIED", "12, CANARY_FAILED" })
	void errorOfTheKernelHasAReasonAndARemedy(int error, Reason reason) {
		BackendProblem problem = LandlockCheck.refused(error, "the call");
		assertThat(problem.code()).isEqualTo(reason.code());
		assertThat(problem.toException().remedy()).isNotBlank();
		assertThat(problem).hasToString(reason.code() + ": " + problem.finding());
	}

	@Test
	void rootIsRefusedWithAReasonForEachCapability() {
		assumeThat(Objects.requireNonNull(HostUser.current()).uid()).as("the tests run as root").isZero();
		try (LandlockSandbox sandbox = new LandlockSandbox()) {
			assertThat(Objects.requireNonNull(sandbox.problem()).code()).isEqualTo(Reason.ROOT.code());
			assertThat(sandbox.capabilities().enforced()).isEmpty();
			assertThat(sandbox.capabilities().reason(SandboxCapability.FILE_CONFINEMENT)).startsWith("root: ");
			SandboxRequest request = new SandboxRequest.Builder("true", Path.of("/tmp")).build();
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.start(request))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BACKEND_UNAVAILABLE));
		}
	}

	@Test
	void limitThatNeedsAControlGroupIsAProblem() {
		assumeThat(Objects.requireNonNull(HostUser.current()).uid()).as("the tests run as an ordinary user")
			.isNotZero();
		CommandSettings options = CommandSettings.DEFAULTS
			.with((commands) -> commands.limits(new CommandLimits(256L << 20, null, null, null)));
		try (LandlockSandbox sandbox = new LandlockSandbox(options)) {
			assertThat(Objects.requireNonNull(sandbox.problem()).code()).isEqualTo(Reason.LIMITS_UNSUPPORTED.code());
		}
	}

}
