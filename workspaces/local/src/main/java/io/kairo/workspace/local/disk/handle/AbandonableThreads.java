package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Threads that may be lost. The most recently used one is used first. A thread ends after
 * 10 seconds without work. Safe for use by several threads.
 */
final class AbandonableThreads {

	private static final long IDLE = TimeUnit.SECONDS.toNanos(10);

	private final Deque<Worker> idle = new ConcurrentLinkedDeque<>();

	/**
	 * Returns the work of the current thread.
	 * @return null unless the thread may be lost
	 */
	static @Nullable AbandonableTask currentWork() {
		return (Thread.currentThread() instanceof Worker worker) ? worker.work : null;
	}

	/**
	 * Performs an operation and waits for it. An interrupt does not end it and stays set.
	 * @throws StuckOpenException if the thread of the operation was given up
	 */
	<T> T call(DirectoryOpener.Operation<T> operation) throws IOException {
		Call<T> call = new Call<>(operation);
		start(call);
		try {
			return call.result().join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof IOException failure) {
				throw failure;
			}
			if (ex.getCause() instanceof RuntimeException failure) {
				throw failure;
			}
			if (ex.getCause() instanceof Error failure) {
				throw failure;
			}
			throw ex;
		}
	}

	/**
	 * Starts work without waiting for it.
	 */
	void start(AbandonableTask work) {
		Worker worker = this.idle.pollFirst();
		if (worker != null) {
			worker.next = work;
			LockSupport.unpark(worker);
		}
		else {
			new Worker(work).start();
		}
	}

	/**
	 * An operation and its result.
	 *
	 * @param <T> the type of the result
	 */
	record Call<T>(DirectoryOpener.Operation<T> operation, CompletableFuture<T> result) implements AbandonableTask {

		Call(DirectoryOpener.Operation<T> operation) {
			this(operation, new CompletableFuture<>());
		}

		@Override
		public void run() {
			try {
				this.result.complete(this.operation.run());
			}
			catch (AbandonedException ex) {
				// The caller gets another exception.
			}
			catch (IOException | RuntimeException | Error ex) {
				this.result.completeExceptionally(ex);
			}
		}

		@Override
		public Consumer<StuckOpenException> failure() {
			return this.result::completeExceptionally;
		}

	}

	/**
	 * A thread that performs one work after the other.
	 */
	private final class Worker extends Thread {

		private volatile @Nullable AbandonableTask next;

		private AbandonableTask work;

		Worker(AbandonableTask first) {
			super(null, null, "kairo-open", 0, false);
			setDaemon(true);
			this.work = first;
		}

		@Override
		public void run() {
			for (AbandonableTask work = this.work; work != null; work = await()) {
				this.work = work;
				work.run();
				AbandonableThreads.this.idle.addFirst(this);
			}
		}

		private @Nullable AbandonableTask await() {
			long end = System.nanoTime() + IDLE;
			AbandonableTask work = this.next;
			while (work == null) {
				long left = end - System.nanoTime();
				if (left <= 0 && AbandonableThreads.this.idle.remove(this)) {
					return null;
				}
				LockSupport.parkNanos(this, Math.max(left, 1000));
				work = this.next;
			}
			this.next = null;
			return work;
		}

	}

}
