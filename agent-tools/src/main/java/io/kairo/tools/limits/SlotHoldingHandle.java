package io.kairo.tools.limits;

import java.util.concurrent.atomic.AtomicBoolean;

import io.kairo.api.sandbox.ForwardingSandboxHandle;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import reactor.core.publisher.Mono;

/**
 * A command that gives its slot back when it ends, before its exit is visible: a caller
 * that waits for the exit can start the next command.
 */
final class SlotHoldingHandle extends ForwardingSandboxHandle {

	private final ExecutionPermit permit;

	private final AtomicBoolean ended = new AtomicBoolean();

	SlotHoldingHandle(SandboxHandle handle, ExecutionPermit permit) {
		super(handle);
		this.permit = permit;
		exit().subscribe((exit) -> {
		}, (failure) -> {
		});
	}

	private void end() {
		if (this.ended.compareAndSet(false, true)) {
			this.permit.end(true);
		}
	}

	@Override
	public Mono<SandboxExit> exit() {
		return delegate().exit().doOnTerminate(this::end);
	}

}
