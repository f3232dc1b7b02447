package io.kairo.governance.audit;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import io.kairo.tools.Cancellation;

/**
 * The audit of an application: passes every record to all sinks. {@link #append} returns
 * when all of them have written the record. Records are written in batches, so that many
 * callers wait for one write. A record that would be too large is written without its
 * arguments, and with fewer effects. Safe for use by several threads.
 */
public final class AuditLog implements AutoCloseable {

	private static final Logger logger = System.getLogger(AuditLog.class.getName());

	private final List<SinkWriter> writers;

	private final Consumer<AuditRecord> listener;

	/**
	 * Creates an audit. The sinks are closed with it.
	 * @param sinks the sinks, with unique names
	 * @param policy the policy for records that a sink does not write in time
	 * @param timeout the time that a record may take by {@link AuditPolicy#FAIL}, above
	 * zero
	 * @param listener receives every record that was written, on the thread of the call;
	 * its exceptions are logged
	 * @throws IllegalArgumentException if two sinks have the same name, or the timeout is
	 * not above zero
	 */
	public AuditLog(List<? extends AuditSink> sinks, AuditPolicy policy, Duration timeout,
			Consumer<AuditRecord> listener) {
		if (timeout.isNegative() || timeout.isZero()) {
			throw new IllegalArgumentException("The timeout of the audit is " + timeout + ": it must be above zero");
		}
		Set<String> names = new HashSet<>();
		for (AuditSink sink : sinks) {
			if (!names.add(sink.name())) {
				throw new IllegalArgumentException(
						"Two sinks of the audit have the name '" + sink.name() + "': rename one of them");
			}
		}
		this.listener = listener;
		this.writers = sinks.stream().map((sink) -> new SinkWriter(sink, policy, timeout)).toList();
	}

	/**
	 * Writes a record of something that is not done without it, and waits until it is
	 * written.
	 * @param record the record
	 * @param cancellation ends the wait
	 * @throws AuditException if a sink has not written the record, and the policy or the
	 * cancellation says not to wait any longer; other sinks may have written it
	 */
	public void require(AuditRecord record, Cancellation cancellation) {
		append(record.bounded(), (pending) -> pending.awaitOrWithdraw(cancellation));
	}

	/**
	 * Writes a record of something that was done, and waits until it is written. A record
	 * that is not written in time is still written when the sink can do so, or else, also
	 * if too many records wait for the sink, logged as an error, with its content.
	 * @param record the record
	 * @throws AuditException if a sink has not written the record yet, and the policy
	 * says not to wait any longer
	 */
	public void append(AuditRecord record) {
		AuditRecord bounded = record.bounded();
		append(bounded, (pending) -> {
			pending.whenFailed((failure) -> logLost(bounded, failure));
			pending.await();
		});
	}

	private void append(AuditRecord record, Consumer<PendingRecord> wait) {
		List<PendingRecord> pending = this.writers.stream().map((writer) -> writer.add(record)).toList();
		AuditException failure = null;
		for (PendingRecord each : pending) {
			try {
				wait.accept(each);
			}
			catch (AuditException ex) {
				failure = ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
		written(record);
	}

	/**
	 * Writes a record like {@link #append(AuditRecord)}, but does not wait.
	 * @param record the record
	 */
	public void submit(AuditRecord record) {
		AuditRecord bounded = record.bounded();
		for (SinkWriter writer : this.writers) {
			PendingRecord pending = writer.add(bounded);
			pending.whenFailed((failure) -> logLost(bounded, failure));
			pending.leave();
		}
		written(bounded);
	}

	/**
	 * Logs a record that was not written, so that it is not lost in silence.
	 * @param record the record
	 * @param failure the reason
	 */
	private static void logLost(AuditRecord record, Exception failure) {
		logger.log(Level.ERROR, "An audit record was not written: " + AuditJson.write(record), failure);
	}

	private void written(AuditRecord record) {
		try {
			this.listener.accept(record);
		}
		catch (RuntimeException ex) {
			logger.log(Level.WARNING, "A listener of the audit failed", ex);
		}
	}

	/**
	 * Returns the states of the sinks.
	 * @return a copy, in the order of the sinks
	 */
	public List<SinkState> states() {
		return this.writers.stream().map(SinkWriter::state).toList();
	}

	/**
	 * Returns the sinks.
	 * @return the sinks in their order
	 */
	public List<AuditSink> sinks() {
		return this.writers.stream().map(SinkWriter::sink).toList();
	}

	/**
	 * Writes the pending records, for up to five seconds, and closes the sinks. A sink
	 * that does not return within ten seconds is closed when it does. Later records fail.
	 */
	@Override
	public void close() {
		this.writers.forEach(SinkWriter::close);
	}

}
