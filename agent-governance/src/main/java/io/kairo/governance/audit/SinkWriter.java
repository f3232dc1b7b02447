package io.kairo.governance.audit;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;

import org.jspecify.annotations.Nullable;

/**
 * Writes the records of all callers to a sink, in batches, on a thread of its own. There
 * is no bound on the queue: every caller waits for its record, so that it has at most one
 * record for each running call or command. Safe for use by several threads.
 */
final class SinkWriter implements AutoCloseable {

	private static final Logger logger = System.getLogger(SinkWriter.class.getName());

	private static final int MAX_BATCH = 256;

	private static final long FIRST_PAUSE = 50;

	private static final long LONGEST_PAUSE = 5000;

	private static final Duration CLOSING = Duration.ofSeconds(5);

	private final AuditSink sink;

	private final AuditPolicy policy;

	private final Duration timeout;

	/** An empty element is the end. */
	private final LinkedBlockingQueue<Optional<PendingRecord>> queue = new LinkedBlockingQueue<>();

	private final Thread thread;

	private volatile boolean closed;

	/** Guarded by this, as are all following fields. */
	private long written;

	private long failed;

	private @Nullable Instant failingSince;

	private @Nullable String failure;

	SinkWriter(AuditSink sink, AuditPolicy policy, Duration timeout) {
		this.sink = sink;
		this.policy = policy;
		this.timeout = timeout;
		this.thread = new Thread(null, this::run, "kairo-audit-" + sink.name(), 0, false);
		this.thread.setDaemon(true);
		this.thread.start();
	}

	AuditSink sink() {
		return this.sink;
	}

	PendingRecord add(AuditRecord record) {
		PendingRecord pending = new PendingRecord(record, this.sink.name(),
				(this.policy == AuditPolicy.FAIL) ? this.timeout : null);
		pending.whenFailed((failure) -> countFailed());
		this.queue.add(Optional.of(pending));
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
		this.queue.forEach((next) -> next.ifPresent((pending) -> pending.failed(closedFailure())));
	}

	/**
	 * Writes a batch. By the policy {@link AuditPolicy#BLOCK}, this is repeated until it
	 * succeeds.
	 */
	private void write(List<PendingRecord> batch) throws InterruptedException {
		long pause = FIRST_PAUSE;
		while (true) {
			batch.removeIf(PendingRecord::isDone);
			if (batch.isEmpty()) {
				return;
			}
			try {
				this.sink.append(batch.stream().map(PendingRecord::record).toList());
				succeeded(batch.size());
				batch.forEach(PendingRecord::written);
				return;
			}
			catch (RuntimeException ex) {
				AuditException reason = (ex instanceof AuditException known) ? known
						: new AuditException("The sink '" + this.sink.name() + "' failed", ex);
				failing(reason);
				if (this.policy == AuditPolicy.FAIL) {
					batch.forEach((pending) -> pending.failed(reason));
					return;
				}
			}
			Thread.sleep(pause);
			pause = Math.min(2 * pause, LONGEST_PAUSE);
		}
	}

	private synchronized void succeeded(int records) {
		this.written += records;
		if (this.failingSince != null) {
			logger.log(Level.INFO, "The audit sink '" + this.sink.name() + "' works again");
			this.failingSince = null;
			this.failure = null;
		}
	}

	private synchronized void failing(AuditException reason) {
		if (this.failingSince == null) {
			logger.log(Level.ERROR,
					"The audit sink '" + this.sink.name() + "' fails: calls "
							+ ((this.policy == AuditPolicy.BLOCK) ? "wait until it works again" : "fail meanwhile"),
					reason);
			this.failingSince = Instant.now();
		}
		this.failure = String.valueOf(reason.getMessage());
	}

	private synchronized void countFailed() {
		this.failed++;
	}

	private AuditException closedFailure() {
		return new AuditException("The audit sink '" + this.sink.name() + "' is closed", null);
	}

	synchronized SinkState state() {
		return new SinkState(this.sink.name(), this.written, this.failed, this.queue.size(), this.failingSince,
				this.failure);
	}

	@Override
	public void close() {
		this.closed = true;
		this.queue.add(Optional.empty());
		boolean interrupted = false;
		try {
			this.thread.join(CLOSING.toMillis());
			this.thread.interrupt();
			this.thread.join(CLOSING.toMillis());
		}
		catch (InterruptedException ex) {
			this.thread.interrupt();
			interrupted = true;
		}
		this.sink.close();
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
