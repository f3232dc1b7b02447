package io.kairo.autoconfigure.observation;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.api.sandbox.ForwardingSandboxHandle;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxOutputChunk.Stderr;
import io.kairo.api.sandbox.SandboxOutputChunk.Stdout;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A handle that counts the output read by its subscribers: the maximum over all of them,
 * since each receives the whole output.
 */
final class CountedHandle extends ForwardingSandboxHandle {

	private final AtomicLong mostRead = new AtomicLong();

	private final AtomicBoolean closed = new AtomicBoolean();

	private volatile @Nullable ClosedListener listener;

	CountedHandle(SandboxHandle handle) {
		super(handle);
	}

	void whenClosed(ClosedListener listener) {
		this.listener = listener;
	}

	@Override
	public Flux<SandboxOutputChunk> output() {
		return Flux.defer(() -> {
			AtomicLong read = new AtomicLong();
			return delegate().output()
				.doOnNext((chunk) -> this.mostRead.accumulateAndGet(read.addAndGet(size(chunk)), Math::max));
		});
	}

	private static long size(SandboxOutputChunk chunk) {
		if (chunk instanceof Stdout stdout) {
			return stdout.data().length;
		}
		return (chunk instanceof Stderr stderr) ? stderr.data().length : 0;
	}

	@Override
	public void close() {
		ClosedListener listener = this.listener;
		if (this.closed.compareAndSet(false, true) && listener != null) {
			delegate().exit()
				.subscribe((exit) -> listener.closed(exit, this.mostRead.get() + delegate().discardedBytes()));
		}
		delegate().close();
	}

	/**
	 * Called once, when the handle was closed and the command has ended.
	 */
	@FunctionalInterface
	interface ClosedListener {

		void closed(SandboxExit exit, long bytes);

	}

}
