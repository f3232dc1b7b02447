package io.kairo.sandbox.support.process;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Reads all processes of the machine. Calls that are made while a table is being read
 * share the next one, so that the cost of many commands that end at the same time does
 * not grow with the square of their number. Safe for use by several threads.
 */
final class ProcTables {

	private final ReentrantLock reading = new ReentrantLock();

	private final Supplier<ProcTable> reader;

	private CompletableFuture<ProcTable> next = new CompletableFuture<>();

	private boolean awaited;

	ProcTables() {
		this(ProcTable::readAll);
	}

	/**
	 * Creates the tables.
	 * @param reader reads a table
	 */
	ProcTables(Supplier<ProcTable> reader) {
		this.reader = reader;
	}

	/**
	 * Returns all processes.
	 * @return a table that was read after the call was made
	 */
	ProcTable take() {
		CompletableFuture<ProcTable> table;
		boolean first;
		synchronized (this) {
			table = this.next;
			first = !this.awaited;
			this.awaited = true;
		}
		if (first) {
			read(table);
		}
		return table.join();
	}

	private void read(CompletableFuture<ProcTable> table) {
		this.reading.lock();
		try {
			synchronized (this) {
				// later callers need another one
				this.next = new CompletableFuture<>();
				this.awaited = false;
			}
			table.complete(this.reader.get());
		}
		catch (RuntimeException | Error ex) {
			table.completeExceptionally(ex);
		}
		finally {
			this.reading.unlock();
		}
	}

}
