package io.kairo.sandbox.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * A program that runs a command with a large output, first without subscribers, then with
 * a hundred that wait for the exit, ten that fail and one that reads.
 */
final class OutputFloodProgram {

	private OutputFloodProgram() {
	}

	public static void main(String[] args) {
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox()) {
			SandboxRequest request = new SandboxRequest.Builder(args[0], Path.of("/tmp")).timeout(Duration.ofMinutes(2))
				.build();
			try (SandboxHandle unread = sandbox.start(request)) {
				unread.exit().block();
			}
			try (SandboxHandle handle = sandbox.start(request)) {
				for (int i = 0; i < 100; i++) {
					handle.output().subscribe((chunk) -> handle.exit().block());
				}
				for (int i = 0; i < 10; i++) {
					handle.output().subscribe((chunk) -> fail(), (ex) -> {
					});
				}
				CompletableFuture<Long> read = handle.output()
					.map(SandboxOutputChunk::data)
					.reduce(0L, (sum, data) -> sum + data.length)
					.toFuture();
				int exitCode = handle.exit().block().exitCode();
				System.out.println("result " + exitCode + " " + handle.discardedBytes() + " " + read.join());
			}
		}
		System.exit(0);
	}

	private static void fail() {
		throw new IllegalStateException("on purpose");
	}

}
