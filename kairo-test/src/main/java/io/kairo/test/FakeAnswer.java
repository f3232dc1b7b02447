package io.kairo.test;

import java.util.Objects;

import io.kairo.api.sandbox.SandboxExit;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a {@link FakeSandbox} to a command. Immutable.
 *
 * @param stdout the standard output, as UTF-8
 * @param stderr the error output, as UTF-8; it follows the standard output
 * @param end the exit code and the signal of the command; null for a command that runs
 * until it is cancelled
 */
public record FakeAnswer(String stdout, String stderr, @Nullable SandboxExit end) {

	/**
	 * Creates the value.
	 */
	public FakeAnswer {
		Objects.requireNonNull(stdout, "stdout");
		Objects.requireNonNull(stderr, "stderr");
	}

	/**
	 * Creates the answer of a command that succeeds.
	 * @param stdout the standard output
	 * @return the answer
	 */
	public static FakeAnswer ok(String stdout) {
		return exit(0, stdout);
	}

	/**
	 * Creates the answer of a command that exits with a code.
	 * @param exitCode the exit code
	 * @param stdout the standard output
	 * @return the answer
	 */
	public static FakeAnswer exit(int exitCode, String stdout) {
		return new FakeAnswer(stdout, "", new SandboxExit(exitCode, null, false, false));
	}

	/**
	 * Creates the answer of a command that its timeout ends. It is given at once, without
	 * waiting for the timeout.
	 * @param stdout the standard output until then
	 * @return the answer
	 */
	public static FakeAnswer timedOut(String stdout) {
		return new FakeAnswer(stdout, "", new SandboxExit(-1, SandboxExit.TIMEOUT, true, false));
	}

	/**
	 * Creates the answer of a command that runs until it is cancelled, such as a server
	 * in the background. Its timeout has no effect.
	 * @param stdout the standard output until then
	 * @return the answer
	 */
	public static FakeAnswer running(String stdout) {
		return new FakeAnswer(stdout, "", null);
	}

	/**
	 * Returns a copy with error output.
	 * @param stderr the error output
	 * @return another answer
	 */
	public FakeAnswer withStderr(String stderr) {
		return new FakeAnswer(this.stdout, stderr, this.end);
	}

}
