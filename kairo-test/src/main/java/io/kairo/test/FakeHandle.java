package io.kairo.test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The handle of a command that a {@link FakeSandbox} has answered. Retains the first and
 * last bytes of the output that the request asks for.
 */
final class FakeHandle implements SandboxHandle {

	private final CompletableFuture<SandboxExit> exit = new CompletableFuture<>();

	private final List<SandboxOutputChunk> chunks = new ArrayList<>();

	private final long total;

	private final long discarded;

	FakeHandle(SandboxRequest request, FakeAnswer answer) {
		byte[] stdout = answer.stdout().getBytes(StandardCharsets.UTF_8);
		byte[] stderr = answer.stderr().getBytes(StandardCharsets.UTF_8);
		this.total = (long) stdout.length + stderr.length;
		Function<byte[], SandboxOutputChunk> errors = request.attributes().redirectErrorStream()
				? SandboxOutputChunk.Stdout::new : SandboxOutputChunk.Stderr::new;
		long head = Math.min(this.total, request.maxOutputBytes());
		long tail = Math.max(head, this.total - request.attributes().tailBytes());
		retain(stdout, 0, 0, head, SandboxOutputChunk.Stdout::new);
		retain(stderr, stdout.length, 0, head, errors);
		retain(stdout, 0, tail, this.total, SandboxOutputChunk.Stdout::new);
		retain(stderr, stdout.length, tail, this.total, errors);
		this.discarded = tail - head;
		SandboxExit end = answer.end();
		if (end != null) {
			end(end);
		}
	}

	/**
	 * Retains the part of a stream that lies in a range of the whole output.
	 */
	private void retain(byte[] stream, int offset, long from, long to, Function<byte[], SandboxOutputChunk> channel) {
		int first = (int) Math.max(0, from - offset);
		int last = (int) Math.min(stream.length, to - offset);
		if (first < last) {
			this.chunks.add(channel.apply(Arrays.copyOfRange(stream, first, last)));
		}
	}

	private void end(SandboxExit end) {
		this.exit.complete(new SandboxExit(end.exitCode(), end.signal(), end.timedOut(), this.discarded > 0));
	}

	@Override
	public Flux<SandboxOutputChunk> output() {
		return Flux.fromIterable(this.chunks).concatWith(exit().then(Mono.empty()));
	}

	@Override
	public Mono<SandboxExit> exit() {
		return Mono.fromFuture(this.exit, true);
	}

	@Override
	public void cancel() {
		end(new SandboxExit(-1, SandboxExit.CANCELLED, false, false));
	}

	@Override
	public void close() {
		cancel();
	}

	@Override
	public long discardedBytes() {
		return this.discarded;
	}

	@Override
	public long outputBytes() {
		return this.total;
	}

}
