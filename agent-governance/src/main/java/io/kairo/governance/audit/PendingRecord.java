package io.kairo.governance.audit;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.kairo.tools.Cancellation;

/**
 * A record that waits for a sink. Safe for use by several threads.
 */
final class PendingRecord {

	private final AuditRecord record;

	private final SinkWriter writer;

	private final CompletableFuture<AuditRecord> outcome = new CompletableFuture<>();

	PendingRecord(AuditRecord record, SinkWriter writer) {
		this.record = record;
		this.writer = writer;
	}

	AuditRecord record() {
		return this.record;
	}

	boolean isDone() {
		return this.outcome.isDone();
	}

	void written() {
		this.outcome.complete(this.record);
	}

	void failed(AuditException failure) {
		this.outcome.completeExceptionally(failure);
	}

	void whenFailed(Consumer<AuditException> listener) {
		CompletableFuture<AuditRecord> unused = this.outcome.whenComplete((written, failure) -> {
			if (failure instanceof AuditException known) {
				listener.accept(known);
			}
		});
	}

	/**
	 * Waits until the record is written. If that is not in time, or the call is
	 * cancelled, the record is withdrawn, unless it is being written.
	 * @throws AuditException if it is not written
	 */
	void awaitOrWithdraw(Cancellation cancellation) {
		AuditException cancelled = new AuditException(
				"The call was cancelled before the sink '" + this.writer.sink().name() + "' had recorded it", null);
		try (Cancellation.Registration registration = cancellation.onCancel(() -> failed(cancelled))) {
			awaitWritten();
		}
		catch (AuditException ex) {
			failed(ex);
			if (!this.outcome.isCompletedExceptionally()) {
				return; // written meanwhile
			}
			throw ex;
		}
	}

	/**
	 * Waits until the record is written. If that is not in time, it still waits for the
	 * sink, unless too many records do.
	 * @throws AuditException if it is not written yet
	 */
	void await() {
		try {
			awaitWritten();
		}
		catch (AuditException ex) {
			leave();
			throw ex;
		}
	}

	/**
	 * Lets the record wait for the sink without a caller that waits for it, unless too
	 * many records do.
	 */
	void leave() {
		if (isDone()) {
			return;
		}
		if (this.writer.left().tryAcquire()) {
			CompletableFuture<AuditRecord> unused = this.outcome
				.whenComplete((written, failure) -> this.writer.left().release());
		}
		else {
			failed(new AuditException("Too many records wait for the sink '" + this.writer.sink().name() + "'", null));
		}
	}

	private void awaitWritten() {
		try {
			try {
				this.outcome.get(this.writer.timeout().toNanos(), TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException ex) {
				AuditException late = this.writer.late(ex);
				if (!this.writer.isPatient()) {
					throw late;
				}
				this.outcome.get();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AuditException(
					"The thread was interrupted before the sink '" + this.writer.sink().name() + "' wrote a record",
					ex);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof AuditException failure) ? failure
					: new AuditException("The sink '" + this.writer.sink().name() + "' failed", ex.getCause());
		}
	}

}
