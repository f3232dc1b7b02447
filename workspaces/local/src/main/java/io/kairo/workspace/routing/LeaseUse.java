package io.kairo.workspace.routing;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePath;

/**
 * The last use of a leased workspace, and the number of running operations on its files.
 * Safe for use by several threads, without a lock.
 */
final class LeaseUse {

	private static final int ENDED = -1;

	private final String id;

	private final LongSupplier nanoTime;

	private final AtomicInteger running = new AtomicInteger();

	private volatile long last;

	LeaseUse(String id, LongSupplier nanoTime) {
		this.id = id;
		this.nanoTime = nanoTime;
		this.last = nanoTime.getAsLong();
	}

	void touch() {
		this.last = this.nanoTime.getAsLong();
	}

	/**
	 * Begins an operation. Must be followed by {@link #leave()}.
	 */
	void enter() {
		if (this.running.getAndUpdate((running) -> (running == ENDED) ? ENDED : running + 1) == ENDED) {
			throw new WorkspaceException(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED, "The workspace "
					+ WorkspacePath.quote(this.id) + " was released by the idle timeout: acquire it again", null);
		}
	}

	void leave() {
		touch();
		this.running.decrementAndGet();
	}

	/**
	 * Ends the use unless it is within the timeout or an operation is running. No
	 * operation can begin afterwards.
	 */
	boolean endIfIdle(Duration timeout) {
		return this.nanoTime.getAsLong() - this.last >= TimeUnit.NANOSECONDS.convert(timeout)
				&& this.running.compareAndSet(0, ENDED);
	}

}
