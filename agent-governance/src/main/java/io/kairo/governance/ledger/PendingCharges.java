package io.kairo.governance.ledger;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The charges that are not written yet. They are written by a thread of its own, or by a
 * caller that needs them to be, and kept while the ledger fails. Every charge has a place
 * that was taken before its command started, so that none is lost for lack of room. Safe
 * for use by several threads.
 */
final class PendingCharges implements AutoCloseable {

	private static final Logger logger = System.getLogger(PendingCharges.class.getName());

	private static final int MAX_BATCH = 256;

	private static final long FIRST_PAUSE = 50;

	private static final long LONGEST_PAUSE = 5000;

	private static final long CLOSING = 5000;

	private static final Comparator<UsageCharge> ORDER = Comparator.comparing(UsageCharge::tenant)
		.thenComparing(UsageCharge::day);

	private final UsageLedger ledger;

	private final int places;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition added = this.lock.newCondition();

	/** Held while a batch is written. */
	private final ReentrantLock writing = new ReentrantLock();

	/** Guarded by the lock, as are the following fields. */
	private final Deque<UsageCharge> queue = new ArrayDeque<>();

	private int taken;

	private boolean closed;

	private boolean failing;

	private @Nullable Thread thread;

	/** The batch to write next; guarded by the lock of the writer. */
	private @Nullable Batch batch;

	/** The number of batches that could not be written. */
	private volatile long failures;

	private volatile @Nullable RuntimeException lastFailure;

	PendingCharges(UsageLedger ledger, int places) {
		this.ledger = ledger;
		this.places = places;
	}

	/**
	 * Takes a place for the charge of a command.
	 * @return false if there is none
	 */
	boolean takePlace() {
		this.lock.lock();
		try {
			if (this.taken >= this.places) {
				return false;
			}
			this.taken++;
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Gives the place of a command back that needs no charge.
	 */
	void freePlace() {
		this.lock.lock();
		try {
			this.taken--;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Adds the charge of a command that has a place. Does not wait.
	 */
	void add(UsageCharge charge) {
		this.lock.lock();
		try {
			this.queue.add(charge);
			this.added.signal();
			if (this.thread == null && !this.closed) {
				this.thread = new Thread(null, this::run, "kairo-usage", 0, false);
				this.thread.setDaemon(true);
				this.thread.start();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the number of charges that are not written yet.
	 */
	int size() {
		this.lock.lock();
		try {
			return this.queue.size();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Writes the charges that were added before.
	 * @throws UsageLedgerException if the ledger fails; they are kept then
	 */
	void flush() {
		int left = size();
		while (left > 0) {
			left -= writeBatch();
			left = Math.min(left, size());
		}
	}

	/**
	 * Writes a batch. A batch with an unknown outcome is written again with the same id.
	 * A caller that has waited for another one to fail fails with it, since all would
	 * wait for the ledger one by one otherwise.
	 * @return the number of charges
	 */
	private int writeBatch() {
		long known = this.failures;
		this.writing.lock();
		try {
			if (this.failures != known) {
				throw new UsageLedgerException("The usage of commands that have ended cannot be written",
						this.lastFailure);
			}
			Batch next = (this.batch != null) ? this.batch : nextBatch();
			if (next.size() == 0) {
				return 0;
			}
			this.batch = next;
			this.ledger.charge(next.id(), next.charges());
			this.batch = null;
			written(next.size());
			return next.size();
		}
		catch (RuntimeException ex) {
			if (this.failures == known) {
				this.lastFailure = ex;
				this.failures = known + 1;
			}
			throw ex;
		}
		finally {
			this.writing.unlock();
		}
	}

	private Batch nextBatch() {
		this.lock.lock();
		try {
			Map<UsageCharge, UsageCharge> sums = new TreeMap<>(ORDER);
			List<UsageCharge> first = this.queue.stream().limit(MAX_BATCH).toList();
			first.forEach((charge) -> sums.merge(charge, charge, UsageCharge::plus));
			return new Batch(UUID.randomUUID().toString(), first.size(), new ArrayList<>(sums.values()));
		}
		finally {
			this.lock.unlock();
		}
	}

	private void written(int count) {
		this.lock.lock();
		try {
			for (int i = 0; i < count; i++) {
				this.queue.remove();
			}
			this.taken -= count;
			if (this.failing) {
				logger.log(Level.INFO, "The usage of tenants can be written again");
				this.failing = false;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void run() {
		long pause = FIRST_PAUSE;
		try {
			while (await()) {
				try {
					writeBatch();
					pause = FIRST_PAUSE;
				}
				catch (RuntimeException ex) {
					failed(ex);
					Thread.sleep(pause);
					pause = Math.min(2 * pause, LONGEST_PAUSE);
				}
			}
		}
		catch (InterruptedException ex) {
			// closed while the ledger fails
			logger.log(Level.WARNING, Phrase.count(size(), "command")
					+ " could not be added to the usage of their tenants before the end");
		}
	}

	/**
	 * Waits for charges.
	 * @return false at the end
	 */
	private boolean await() throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			while (this.queue.isEmpty() && !this.closed) {
				this.added.await();
			}
			return !this.queue.isEmpty();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void failed(RuntimeException ex) {
		this.lock.lock();
		try {
			if (!this.failing) {
				logger.log(Level.ERROR, "The usage of tenants cannot be written and is kept; no commands are started "
						+ "while their budgets cannot be checked", ex);
				this.failing = true;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Writes the remaining charges, for some seconds at most.
	 */
	@Override
	public void close() {
		Thread writer;
		this.lock.lock();
		try {
			this.closed = true;
			this.added.signal();
			writer = this.thread;
		}
		finally {
			this.lock.unlock();
		}
		if (writer == null) {
			return;
		}
		try {
			writer.join(CLOSING);
			writer.interrupt();
			writer.join(TimeUnit.SECONDS.toMillis(1));
		}
		catch (InterruptedException ex) {
			writer.interrupt();
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Charges that are written together.
	 *
	 * @param id their id
	 * @param size the number of charges
	 * @param charges their sums by tenant and day, in an order that all instances keep
	 */
	private record Batch(String id, int size, List<UsageCharge> charges) {

	}

}
