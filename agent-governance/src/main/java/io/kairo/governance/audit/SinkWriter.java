package io.kairo.governance.audit;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

import org.jspecify.annotations.Nullable;

/**
 * Writes the records of all callers to a sink, in batches, on a thread of its own. The
 * queue has a record for each caller that waits, and a bounded number of others. Safe for
 * use by several threads.
 */
final class SinkWriter implements AutoCloseable {

	private static final Logger logger = System.getLogger(SinkWriter.class.getName());

	private static final int MAX_BATCH = 256;

	private static final long FIRST_PAUSE = 50;

	private static final long LONGEST_PAUSE = 5000;

	/** Maximum number of records without a waiting caller, each of up to 256 KB. */
	private static final int MAX_LEFT = 1024;

	private static final Duration CLOSING = Duration.ofSeconds(5);

	private final AuditSink sink;

	private final AuditPolicy policy;

	private final Duration timeout;

	private final Duration closing;

	/** An empty element is the end. */
	private final LinkedBlockingQueue<Optional<PendingRecord>> queue = new LinkedBlockingQueue<>();

	private final Semaphore left = new Semaphore(MAX_LEFT);

	private final Thread thread;

	private volatile boolean closed;

	/** Whether the time to write pending records after the end is over. */
	private volatile boolean expired;

	/** The batch that is being written; guarded by this, as are all following fields. */
	private List<PendingRecord> writing = List.of();

	/** The time when the batch was begun, by {@link System#nanoTime()}. */
	private long begun;

	private long written;

	private long failed;

	private @Nullable Instant failingSince;

	private @Nullable String failure;

	SinkWriter(AuditSink sink, AuditPolicy policy, Duration timeout) {
		this(sink, policy, timeout, CLOSING);
	}

	SinkWriter(AuditSink sink, AuditPolicy policy, Duration timeout, Duration closing) {
		this.sink = sink;
		this.policy = policy;
		this.timeout = timeout;
		this.closing = closing;
		this.thread = new Thread(null, this::run, "kairo-audit-" + sink.name(), 0, false);
		this.thread.setDaemon(true);
		this.thread.start();
	}

	AuditSink sink() {
		return this.sink;
	}

	Duration timeout() {
		return this.timeout;
	}

	/**
	 * Returns whether callers wait until the sink works again.
	 */
	boolean isPatient() {
		return this.policy == AuditPolicy.BLOCK;
	}

	/**
	 * Returns the places of records without a waiting caller.
	 */
	Semaphore left() {
		return this.left;
	}

	/**
	 * Notes that a record was not written in time.
	 * @return the failure
	 */
	AuditException late(@Nullable Exception cause) {
		AuditException late = new AuditException(
				"The sink '" + this.sink.name() + "' did not write a record within " + this.timeout, cause);
		boolean first;
		synchronized (this) {
			first = isStuck() && isFirst(late);
		}
		if (first) {
			logFailing(late);
		}
		return late;
	}

	/** Returns whether a batch takes longer than the timeout. */
	private synchronized boolean isStuck() {
		return !this.writing.isEmpty() && System.nanoTime() - this.begun >= this.timeout.toNanos();
	}

	PendingRecord add(AuditRecord record) {
		PendingRecord pending = new PendingRecord(record, this);
		Optional<PendingRecord> element = Optional.of(pending);
		pending.whenFailed((failure) -> {
			countFailed();
			this.queue.remove(element);
		});
		this.queue.add(element);
		if (this.closed) {
			// the thread may not take it any more
			pending.failed(closedFailure());
		}
		return pending;
	}

	private void run() {
		List<Optional<PendingRecord>> taken = new ArrayList<>();
		List<PendingRecord> batch = new ArrayList<>();
		try {
			while (!taken.contains(Optional.<PendingRecord>empty())) {
				taken.clear();
				batch.clear();
				taken.add(this.queue.take());
				this.queue.drainTo(taken, MAX_BATCH - 1);
				taken.forEach((next) -> next.ifPresent(batch::add));
				write(batch);
			}
		}
		catch (InterruptedException ex) {
			// closed while the sink fails
			batch.forEach((pending) -> pending.failed(closedFailure()));
		}
		failQueued();
		// an interrupt is for the sink that did not return, not for its end
		Thread.interrupted();
		try {
			this.sink.close();
		}
		catch (RuntimeException ex) {
			logger.log(Level.WARNING, "The audit sink '" + this.sink.name() + "' could not be closed", ex);
		}
	}

	private void failQueued() {
		List<Optional<PendingRecord>> queued = new ArrayList<>();
		this.queue.drainTo(queued);
		queued.forEach((next) -> next.ifPresent((pending) -> pending.failed(closedFailure())));
	}

	private synchronized void writing(List<PendingRecord> batch) {
		this.writing = List.copyOf(batch);
		this.begun = System.nanoTime();
	}

	/**
	 * Writes a batch. By the policy {@link AuditPolicy#BLOCK}, this is repeated until it
	 * succeeds, or the time after the end is over.
	 */
	private void write(List<PendingRecord> batch) throws InterruptedException {
		long pause = FIRST_PAUSE;
		while (true) {
			batch.removeIf(PendingRecord::isDone);
			if (batch.isEmpty()) {
				return;
			}
			writing(batch);
			try {
				this.sink.append(batch.stream().map(PendingRecord::record).toList());
				if (succeeded(batch.size())) {
					logger.log(Level.INFO, "The audit sink '" + this.sink.name() + "' works again");
				}
				batch.forEach(PendingRecord::written);
				return;
			}
			catch (RuntimeException | Error ex) {
				AuditException reason = (ex instanceof AuditException known) ? known
						: new AuditException("The sink '" + this.sink.name() + "' failed", ex);
				if (isFirst(reason)) {
					logFailing(reason);
				}
				// a sink may not keep the interrupt
				if (this.policy == AuditPolicy.FAIL || this.expired) {
					batch.forEach((pending) -> pending.failed(reason));
					return;
				}
			}
			finally {
				writing(List.of());
			}
			Thread.sleep(pause);
			pause = Math.min(2 * pause, LONGEST_PAUSE);
		}
	}

	/**
	 * Notes that records were written.
	 * @return whether the sink failed before
	 */
	private synchronized boolean succeeded(int records) {
		this.written += records;
		boolean failed = this.failingSince != null;
		this.failingSince = null;
		this.failure = null;
		return failed;
	}

	/**
	 * Notes a failure.
	 * @return whether it is the first one, to be logged without holding the monitor,
	 * since other callers would wait for a slow appender
	 */
	private synchronized boolean isFirst(AuditException reason) {
		boolean first = this.failingSince == null;
		if (first) {
			this.failingSince = Instant.now();
		}
		this.failure = String.valueOf(reason.getMessage());
		return first;
	}

	private void logFailing(AuditException reason) {
		logger.log(Level.ERROR,
				"The audit sink '" + this.sink.name() + "' fails: calls "
						+ ((this.policy == AuditPolicy.BLOCK) ? "wait until it works again" : "fail meanwhile"),
				reason);
	}

	private synchronized void countFailed() {
		this.failed++;
	}

	private AuditException closedFailure() {
		return new AuditException("The audit sink '" + this.sink.name() + "' is closed", null);
	}

	SinkState state() {
		boolean stuck = isStuck();
		if (stuck) {
			late(null);
		}
		synchronized (this) {
			return new SinkState(this.sink.name(), this.written, this.failed, this.queue.size() + this.writing.size(),
					stuck, this.failingSince, this.failure);
		}
	}

	@Override
	public void close() {
		this.closed = true;
		this.queue.add(Optional.empty());
		boolean interrupted = false;
		try {
			this.thread.join(this.closing.toMillis());
			this.expired = true;
			this.thread.interrupt();
			this.thread.join(this.closing.toMillis());
		}
		catch (InterruptedException ex) {
			this.expired = true;
			this.thread.interrupt();
			interrupted = true;
		}
		if (this.thread.isAlive()) {
			logger.log(Level.ERROR, "The audit sink '" + this.sink.name()
					+ "' does not return: it is closed when it does, and what waits for it is logged");
			List<PendingRecord> current;
			synchronized (this) {
				current = this.writing;
			}
			current.forEach((pending) -> pending.failed(closedFailure()));
			failQueued();
			this.queue.add(Optional.empty());
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
