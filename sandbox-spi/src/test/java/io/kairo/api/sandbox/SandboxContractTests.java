package io.kairo.api.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the default methods of {@link ExecutionSandbox} and {@link SandboxHandle},
 * and for {@link SandboxException}.
 */
class SandboxContractTests {

	@Nested
	class Sandboxes {

		@Test
		void sandboxCanBeLambdaWithoutCapabilities() {
			ExecutionSandbox sandbox = (request) -> new MinimalHandle();
			assertThat(sandbox.capabilities().enforced()).isEmpty();
			assertThat(sandbox.start(new SandboxRequest.Builder("ls", Path.of("/project")).build())).isNotNull();
		}

	}

	@Nested
	class Handles {

		private final SandboxHandle handle = new MinimalHandle();

		@Test
		void handleHasClosedInputByDefault() {
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.handle.stdin().write(1));
		}

		@Test
		void handleHasNoLeftoversAndNoDirectoryByDefault() {
			assertThat(this.handle.discardedBytes()).isZero();
			assertThat(this.handle.leftoverProcesses()).isZero();
			assertThat(this.handle.workingDirectory()).isNull();
		}

	}

	@Nested
	class Exits {

		@Test
		void signalsOfTimeoutAndCancellationAreFixed() {
			assertThat(SandboxExit.TIMEOUT).isEqualTo("TIMEOUT");
			assertThat(SandboxExit.CANCELLED).isEqualTo("CANCELLED");
		}

		@Test
		void exitsWithSameValuesAreEqual() {
			assertThat(new SandboxExit(-1, SandboxExit.TIMEOUT, true, false))
				.isEqualTo(new SandboxExit(-1, "TIMEOUT", true, false));
		}

	}

	@Nested
	class Errors {

		@ParameterizedTest
		@EnumSource
		void errorCodesAreLowerCase(SandboxErrorCode code) {
			assertThat(code.code()).isEqualTo(code.name().toLowerCase(Locale.ROOT)).matches("[a-z]+(_[a-z]+)*");
		}

		@Test
		void exceptionHasCodeAndRemedy() {
			IOException cause = new IOException("boom");
			SandboxException exception = new SandboxException(SandboxErrorCode.START_FAILED, "bash is missing",
					"install bash", cause);
			assertThat(exception).hasMessage("bash is missing: install bash").hasCause(cause);
			assertThat(exception.code()).isEqualTo(SandboxErrorCode.START_FAILED);
			assertThat(exception.remedy()).isEqualTo("install bash");
		}

		@Test
		void exceptionNeedsNoCause() {
			assertThat(new SandboxException(SandboxErrorCode.CLOSED, "The sandbox is closed", "open another"))
				.hasNoCause();
		}

	}

	/**
	 * Implements only the methods without a default implementation.
	 */
	private static final class MinimalHandle implements SandboxHandle {

		@Override
		public Flux<SandboxOutputChunk> output() {
			return Flux.empty();
		}

		@Override
		public Mono<SandboxExit> exit() {
			return Mono.empty();
		}

		@Override
		public void cancel() {
		}

		@Override
		public void close() {
		}

	}

}
