package io.kairo.sandbox.process;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * Runs commands of a test in a workspace and returns their outcomes.
 */
final class Commands {

	private final LocalProcessSandbox sandbox;

	private final Path workspace;

	Commands(LocalProcessSandbox sandbox, Path workspace) {
		this.sandbox = sandbox;
		this.workspace = workspace;
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
			SandboxExit exit = handle.exit().block();
			return new Outcome(exit, output(handle, SandboxOutputChunk.Stdout.class),
					output(handle, SandboxOutputChunk.Stderr.class), handle.workingDirectory(),
					handle.leftoverProcesses(), handle.discardedBytes(), Duration.ofNanos(System.nanoTime() - started));
		}
	}

	static byte[] output(SandboxHandle handle, Class<? extends SandboxOutputChunk> type) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		handle.output().filter(type::isInstance).toIterable().forEach((chunk) -> bytes.writeBytes(chunk.data()));
		return bytes.toByteArray();
	}

	record Outcome(SandboxExit exit, byte[] stdout, byte[] stderr, Path directory, int leftovers, long discarded,
			Duration took) {

		String out() {
			return new String(this.stdout, StandardCharsets.UTF_8);
		}

		String err() {
			return new String(this.stderr, StandardCharsets.UTF_8);
		}

	}

}
