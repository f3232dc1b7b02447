package io.kairo.tools.limits;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A command that gives its slot back when it ends, before anybody sees its exit: who
 * waits for the exit can start the next command.
 */
final class LimitedCommand implements SandboxHandle {

	private final SandboxHandle handle;

	private final ExecutionPermit permit;

	private final AtomicBoolean ended = new AtomicBoolean();

	LimitedCommand(SandboxHandle handle, ExecutionPermit permit) {
		this.handle = handle;
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
		return this.handle.exit().doOnTerminate(this::end);
	}

	@Override
	public Flux<SandboxOutputChunk> output() {
		return this.handle.output();
	}

	@Override
	public void cancel() {
		this.handle.cancel();
	}

	@Override
	public void close() {
		this.handle.close();
	}

	@Override
	public OutputStream stdin() {
		return this.handle.stdin();
	}

	@Override
	public long discardedBytes() {
		return this.handle.discardedBytes();
	}

	@Override
	public boolean outputStorageFailed() {
		return this.handle.outputStorageFailed();
	}

	@Override
	public @Nullable Path workingDirectory() {
		return this.handle.workingDirectory();
	}

	@Override
	public boolean endedOutside() {
		return this.handle.endedOutside();
	}

	@Override
	public int leftoverProcesses() {
		return this.handle.leftoverProcesses();
	}

}
