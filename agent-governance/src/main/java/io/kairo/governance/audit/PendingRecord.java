package io.kairo.governance.audit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import io.kairo.tools.Cancellation;
import org.jspecify.annotations.Nullable;

/**
 * A record that waits for a sink. Safe for use by several threads.
 */
final class PendingRecord {

	private final AuditRecord record;

	private final String sink;

	private final @Nullable Duration timeout;

	private final CompletableFuture<AuditRecord> outcome = new CompletableFuture<>();

	/**
	 * Creates a record that waits.
	 * @param record the record
	 * @param sink the name of the sink
	 * @param timeout the time to wait, null for no timeout
	 */
	PendingRecord(AuditRecord record, String sink, @Nullable Duration timeout) {
		this.record = record;
		this.sink = sink;
		this.timeout = timeout;
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
				"The call was cancelled before the sink '" + this.sink + "' had recorded it", null);
		try (Cancellation.Registration registration = cancellation.onCancel(() -> failed(cancelled))) {
			await();
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
	 * sink.
	 * @throws AuditException if it is not written yet
	 */
	void await() {
		try {
			if (this.timeout != null) {
				this.outcome.get(this.timeout.toNanos(), TimeUnit.NANOSECONDS);
			}
			else {
				this.outcome.get();
			}
		}
		catch (TimeoutException ex) {
			throw new AuditException("The sink '" + this.sink + "' did not write a record within " + this.timeout, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AuditException("The thread was interrupted before the sink '" + this.sink + "' wrote a record",
					ex);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof AuditException failure) ? failure
					: new AuditException("The sink '" + this.sink + "' failed", ex.getCause());
		}
	}

}
