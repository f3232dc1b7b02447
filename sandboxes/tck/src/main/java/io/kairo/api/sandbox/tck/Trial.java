package io.kairo.api.sandbox.tck;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The sandbox and the workspace of one test.
 */
final class Trial implements AutoCloseable {

	/** Timeout for every exit, sufficient for a busy machine. */
	static final Duration PATIENCE = Duration.ofSeconds(60);

	/**
	 * The limit of one second for the end of a process tree, and a tolerance for busy
	 * machines.
	 */
	static final Duration DEADLINE = Duration.ofMillis(1500);

	private final ExecutionSandbox sandbox;

	private final Path workspace;

	private final ToIntFunction<String> processes;

	private final List<Marker> markers = new ArrayList<>();

	Trial(ExecutionSandbox sandbox, Path workspace, ToIntFunction<String> processes) {
		this.sandbox = sandbox;
		this.workspace = workspace;
		this.processes = processes;
	}

	ExecutionSandbox sandbox() {
		return this.sandbox;
	}

	Path workspace() {
		return this.workspace;
	}

	Marker marker() {
		Marker marker = new Marker(this.processes);
		this.markers.add(marker);
		return marker;
	}

	boolean claims(SandboxCapability capability) {
		return this.sandbox.capabilities().has(capability);
	}

	SandboxHandle start(String command) {
		return start(command, UnaryOperator.identity());
	}

	SandboxHandle start(String command, UnaryOperator<SandboxRequest.Builder> changes) {
		return this.sandbox.start(changes.apply(new SandboxRequest.Builder(command, this.workspace)).build());
	}

	Outcome run(String command) {
		return run(command, UnaryOperator.identity());
	}

	Outcome run(String command, UnaryOperator<SandboxRequest.Builder> changes) {
		long started = System.nanoTime();
		try (SandboxHandle handle = start(command, changes)) {
			SandboxExit exit = exit(handle);
			Duration took = Duration.ofNanos(System.nanoTime() - started);
			return new Outcome(exit, output(handle, SandboxOutputChunk.Stdout.class),
					output(handle, SandboxOutputChunk.Stderr.class), handle.discardedBytes(), took);
		}
	}

	/**
	 * Returns the first number, or the second one with {@code kairo.stress=long}.
	 */
	static int rounds(int normal, int extended) {
		return "long".equals(System.getProperty("kairo.stress")) ? extended : normal;
	}

	/**
	 * Asserts that a request is refused with a code and a remedy.
	 */
	void assertRefused(SandboxErrorCode code, String command, UnaryOperator<SandboxRequest.Builder> changes) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(command, changes).close())
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(code))
			.satisfies((ex) -> assertThat(ex.remedy()).as("the remedy").isNotBlank());
	}

	/**
	 * Asserts that a request is refused because a capability is missing, and that the
	 * backend gives the reason.
	 */
	void assertRefusedForLackOf(SandboxCapability capability, String command,
			UnaryOperator<SandboxRequest.Builder> changes) {
		assertRefused(SandboxErrorCode.UNSUPPORTED_REQUEST, command, changes);
		assertReason(capability);
	}

	void assertReason(SandboxCapability capability) {
		assertThat(this.sandbox.capabilities().reason(capability)).as("the reason for the lack of " + capability)
			.isNotBlank();
	}

	static UnaryOperator<SandboxRequest.Builder> attributes(UnaryOperator<SandboxAttributes.Builder> changes) {
		return (request) -> request.attributes(changes.apply(SandboxAttributes.builder()).build());
	}

	static SandboxExit exit(SandboxHandle handle) {
		return Objects.requireNonNull(handle.exit().block(PATIENCE), "exit() completed without a value");
	}

	static byte[] output(SandboxHandle handle, Class<? extends SandboxOutputChunk> type) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		List<SandboxOutputChunk> chunks = Objects
			.requireNonNull(handle.output().filter(type::isInstance).collectList().block(PATIENCE));
		chunks.forEach((chunk) -> bytes.writeBytes(chunk.data()));
		return bytes.toByteArray();
	}

	static String text(byte[] output) {
		return new String(output, StandardCharsets.UTF_8);
	}

	@Override
	public void close() throws Exception {
		closeSandbox();
		this.markers.forEach(Marker::close);
	}

	/**
	 * Closes the sandbox.
	 * @return false if the sandbox cannot be closed
	 */
	boolean closeSandbox() throws Exception {
		if (this.sandbox instanceof AutoCloseable closeable) {
			closeable.close();
			return true;
		}
		return false;
	}

}
