package io.kairo.governance.audit;

import java.util.List;
import java.util.Optional;

/**
 * A destination of audit records. The {@link AuditLog} calls {@link #append} from one
 * thread at a time and repeats it for records that failed, so that a sink must not keep a
 * part of records that it reported as failed, or recognize them by their ids.
 * {@link #verify} and {@link #head} may be called by other threads meanwhile.
 */
public interface AuditSink extends AutoCloseable {

	/**
	 * Returns the name of the sink, as in properties and metrics.
	 * @return a short name in lower case, unique in an application
	 */
	String name();

	/**
	 * Writes records. When this returns, they survive the end of the JVM.
	 * @param records the records in their order, at least one
	 * @throws AuditException if none of them was written
	 */
	void append(List<AuditRecord> records);

	/**
	 * Verifies that the sink can be expected to write again, after it has failed. By
	 * default this does nothing.
	 * @throws AuditException if it still fails
	 */
	default void check() {
	}

	/**
	 * Returns the head of the chain, to be kept elsewhere: only the head shows later that
	 * records at the end are missing.
	 * @return the head; empty if the sink has no chain
	 */
	default Optional<ChainHead> head() {
		return Optional.empty();
	}

	/**
	 * Verifies the records of the sink.
	 * @param known a head that the chain must contain; empty to verify only that the
	 * records belong together
	 * @return the report; empty if the sink cannot read its records
	 * @throws AuditException if the records cannot be read
	 */
	default Optional<ChainReport> verify(Optional<ChainHead> known) {
		return Optional.empty();
	}

	/**
	 * Returns the records of a session.
	 * @param tenant the id of the tenant
	 * @param session the client's id of the session
	 * @return the records in their order; empty if the sink cannot read its records
	 * @throws AuditException if the records cannot be read
	 */
	default Optional<List<AuditRecord>> recordsOf(String tenant, String session) {
		return Optional.empty();
	}

	/**
	 * Releases the resources of the sink.
	 */
	@Override
	default void close() {
	}

}
