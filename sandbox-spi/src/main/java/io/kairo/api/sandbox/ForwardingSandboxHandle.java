package io.kairo.api.sandbox;

import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Base class for decorators that forward every method to another handle. For the handle
 * that a {@link SandboxInterceptor} returns in place of the sandbox's handle. As safe for
 * use by several threads as the handle it forwards to.
 */
public abstract class ForwardingSandboxHandle implements SandboxHandle {

	private final SandboxHandle delegate;

	/**
	 * Creates a decorator.
	 * @param delegate the handle that receives the calls
	 */
	protected ForwardingSandboxHandle(SandboxHandle delegate) {
		this.delegate = Objects.requireNonNull(delegate, "delegate");
	}

	/**
	 * Returns the handle that receives the calls.
	 * @return the handle as it was given to the constructor
	 */
	protected final SandboxHandle delegate() {
		return this.delegate;
	}

	@Override
	public Mono<SandboxExit> exit() {
		return this.delegate.exit();
	}

	@Override
	public Flux<SandboxOutputChunk> output() {
		return this.delegate.output();
	}

	@Override
	public void cancel() {
		this.delegate.cancel();
	}

	@Override
	public void close() {
		this.delegate.close();
	}

	@Override
	public OutputStream stdin() {
		return this.delegate.stdin();
	}

	@Override
	public long discardedBytes() {
		return this.delegate.discardedBytes();
	}

	@Override
	public boolean outputStorageFailed() {
		return this.delegate.outputStorageFailed();
	}

	@Override
	public @Nullable Path workingDirectory() {
		return this.delegate.workingDirectory();
	}

	@Override
	public boolean endedOutside() {
		return this.delegate.endedOutside();
	}

	@Override
	public int leftoverProcesses() {
		return this.delegate.leftoverProcesses();
	}

	@Override
	public @Nullable Duration cpuTime() {
		return this.delegate.cpuTime();
	}

	@Override
	public long outputBytes() {
		return this.delegate.outputBytes();
	}

}
