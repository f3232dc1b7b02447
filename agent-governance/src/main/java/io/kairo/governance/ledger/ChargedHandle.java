package io.kairo.governance.ledger;

import java.util.concurrent.atomic.AtomicLong;

import io.kairo.api.sandbox.ForwardingSandboxHandle;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxOutputChunk.Stderr;
import io.kairo.api.sandbox.SandboxOutputChunk.Stdout;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A command that is charged when it ends, before anyone sees its exit. If a sandbox does
 * not count output, it is the sum of the bytes read and discarded.
 */
final class ChargedHandle extends ForwardingSandboxHandle {

	private final ReservedCommand command;

	private final AtomicLong mostRead = new AtomicLong();

	ChargedHandle(SandboxHandle handle, ReservedCommand command) {
		super(handle);
		this.command = command;
		exit().subscribe((exit) -> {
		}, (failure) -> {
		});
	}

	@Override
	public Mono<SandboxExit> exit() {
		return delegate().exit().doOnNext(this::ended).doOnError((failure) -> ended(null));
	}

	private void ended(@Nullable SandboxExit exit) {
		if (exit != null && SandboxExit.NOT_RUN.equals(exit.signal())) {
			this.command.notStarted();
		}
		else {
			long counted = delegate().outputBytes();
			this.command.ended(delegate().cpuTime(),
					(counted >= 0) ? counted : this.mostRead.get() + delegate().discardedBytes());
		}
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

}
