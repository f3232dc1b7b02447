package io.kairo.sandbox.support.output;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.sandbox.support.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Delivers an {@link OutputLog} to one subscriber on its own daemon thread.
 */
final class OutputSubscription implements Subscription, Runnable {

	private static final Logger logger = System.getLogger(OutputSubscription.class.getName());

	private static final int CHUNK = 64 * 1024;

	private final OutputLog log;

	private final Subscriber<? super SandboxOutputChunk> subscriber;

	private final Thread worker;

	private final AtomicLong demand = new AtomicLong();

	private volatile boolean cancelled;

	private volatile @Nullable IllegalArgumentException violation;

	private OutputSubscription(OutputLog log, Subscriber<? super SandboxOutputChunk> subscriber) {
		this.log = log;
		this.subscriber = subscriber;
		this.worker = DaemonThreads.create("kairo-output", this);
	}

	static void start(OutputLog log, Subscriber<? super SandboxOutputChunk> subscriber) {
		OutputSubscription subscription = new OutputSubscription(log, subscriber);
		boolean started = false;
		log.subscribed();
		try {
			subscriber.onSubscribe(subscription);
			if (!subscription.cancelled) {
				subscription.worker.start();
				started = true;
			}
		}
		finally {
			if (!started) {
				log.unsubscribed(false);
			}
		}
	}

	@Override
	public void request(long count) {
		if (count <= 0) {
			this.violation = new IllegalArgumentException("Requested " + count + " chunks: request at least one");
		}
		else {
			this.demand.getAndUpdate((before) -> (before + count < 0) ? Long.MAX_VALUE : before + count);
		}
		LockSupport.unpark(this.worker);
	}

	@Override
	public void cancel() {
		this.cancelled = true;
		LockSupport.unpark(this.worker);
	}

	@Override
	public void run() {
		boolean complete = false;
		try {
			complete = deliver(new OutputCursor(this.log.retained()));
		}
		catch (Throwable ex) {
			cancel();
			logger.log(Level.WARNING, "A subscriber of a command's output failed and was cancelled", ex);
		}
		finally {
			this.log.unsubscribed(complete);
		}
	}

	/**
	 * Delivers output until it ends, or the subscription is cancelled or fails.
	 * @return whether the subscriber received everything
	 */
	private boolean deliver(OutputCursor cursor) {
		while (!this.cancelled) {
			IllegalArgumentException wrongRequest = this.violation;
			if (wrongRequest != null) {
				fail(wrongRequest);
				return false;
			}
			if (ended(cursor)) {
				this.cancelled = true;
				this.subscriber.onComplete();
				return true;
			}
			SandboxOutputChunk chunk = (this.demand.get() > 0) ? next(cursor) : null;
			if (chunk != null) {
				this.demand.getAndUpdate((before) -> (before == Long.MAX_VALUE) ? before : before - 1);
				this.subscriber.onNext(chunk);
			}
			else if (!this.cancelled) {
				await(cursor);
			}
		}
		return false;
	}

	private @Nullable SandboxOutputChunk next(OutputCursor cursor) {
		try {
			return cursor.next(CHUNK);
		}
		catch (RuntimeException ex) {
			fail(ex);
			return null;
		}
	}

	private void fail(RuntimeException ex) {
		this.cancelled = true;
		this.subscriber.onError(ex);
	}

	/**
	 * Parks until there may be something to do. Every change is followed by an unpark.
	 * The caller checks again, so that a spurious wake-up does no harm.
	 */
	private void await(OutputCursor cursor) {
		this.log.addReader(this.worker);
		try {
			boolean idle = (this.demand.get() == 0) ? !ended(cursor) : !this.log.readable(cursor.position());
			if (idle && !this.cancelled && this.violation == null) {
				LockSupport.park(this.log);
			}
		}
		finally {
			this.log.removeReader(this.worker);
		}
		// a pending interrupt, perhaps set by a subscriber, would make every park return
		// at once
		boolean ignored = Thread.interrupted();
		if (ignored) {
			logger.log(Level.TRACE, "An interrupt was ignored");
		}
	}

	private boolean ended(OutputCursor cursor) {
		return this.log.closed() && cursor.position() >= this.log.end();
	}

}
