package io.kairo.workspace.local.disk.handle;

import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Observes opens. One that takes longer than 100 milliseconds is unblocked if its entry
 * is a FIFO, by opening the other end. That fails if the FIFO was moved away or replaced;
 * then the open is given up after 5 seconds, and its thread is lost until it returns. A
 * file or directory that it opens after that is closed.
 * <p>
 * A workspace that has lost {@value #MAX_LOST} threads within ten minutes gets no further
 * ones: its opens fail until an open returns, or that time has passed. Once
 * {@value #MANY_LOST} threads of all workspaces are lost, time does not matter, and each
 * workspace may lose only one. Time is measured in rounds, so that a pause of the JVM
 * gives nothing up. The thread of this class ends after a second without opens. Safe for
 * use by several threads.
 */
final class OpenWatch {

	/** Maximum number of threads lost by a workspace, without calls in progress. */
	static final int MAX_LOST = 8;

	/** Number of threads lost by all workspaces that limits each workspace to one. */
	private static final int MANY_LOST = 256;

	private static final long ROUND = TimeUnit.MILLISECONDS.toNanos(50);

	private static final int PATIENCE = 2;

	/** Number of rounds before an open is given up. */
	private static final int MAX_ROUNDS = 100;

	/** Number of rounds before a lost thread no longer counts: 10 minutes. */
	static final int REMEMBERED_ROUNDS = 12_000;

	/** Number of rounds between attempts to unblock an open that was given up. */
	private static final int SELDOM = 20;

	private static final int IDLE_ROUNDS = 20;

	private static final Logger logger = System.getLogger(OpenWatch.class.getName());

	private final Set<Opening> openings = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean running = new AtomicBoolean();

	/** Number of lost threads that count, by workspace, where it is not 0. */
	private final Map<Path, Integer> lost = new ConcurrentHashMap<>();

	private final AtomicInteger allLost = new AtomicInteger();

	private final AbandonableThreads threads;

	private final int rememberedRounds;

	OpenWatch(AbandonableThreads threads, int rememberedRounds) {
		this.threads = threads;
		this.rememberedRounds = rememberedRounds;
	}

	/**
	 * Performs an open on this thread. The thread may be lost.
	 * @throws StuckOpenException if the workspace has lost too many threads
	 */
	<T extends Closeable> T open(Opening opening, DirectoryOpener.Operation<T> open) throws IOException {
		requireThread(opening.workspace());
		this.openings.add(opening);
		start();
		try {
			T opened = open.run();
			if (!opening.end()) {
				opened.close();
			}
			return opened;
		}
		finally {
			this.openings.remove(opening);
			returned(opening);
		}
	}

	private void requireThread(Path workspace) throws StuckOpenException {
		Integer lost = this.lost.get(workspace);
		if (lost != null && (lost >= MAX_LOST || this.allLost.get() >= MANY_LOST)) {
			throw new StuckOpenException("cannot be opened, as " + lost + " opens of files in this workspace do not "
					+ "return: end the commands that replace files with FIFOs or lock them");
		}
	}

	private void returned(Opening opening) {
		if (!opening.end()) {
			opening.entry().retain(-1);
			this.allLost.decrementAndGet();
			forget(opening);
			throw new AbandonableTask.AbandonedException();
		}
	}

	/**
	 * Counts threads. The number is below zero for a moment if an open returns just as it
	 * is given up.
	 * @return the number of lost threads of the workspace
	 */
	private int countLost(Path workspace, int more) {
		Integer lost = this.lost.merge(workspace, more,
				(before, added) -> (before + added != 0) ? before + added : null);
		return (lost != null) ? lost : 0;
	}

	private void start() {
		if (!this.running.get() && this.running.compareAndSet(false, true)) {
			Thread thread = new Thread(null, this::run, "kairo-fifo-guard", 0, false);
			thread.setDaemon(true);
			thread.start();
		}
	}

	private void run() {
		int idle = 0;
		while (true) {
			LockSupport.parkNanos(ROUND);
			idle = this.openings.isEmpty() ? idle + 1 : 0;
			this.openings.forEach(this::look);
			if (idle == IDLE_ROUNDS) {
				this.running.set(false);
				if (this.openings.isEmpty() || !this.running.compareAndSet(false, true)) {
					return;
				}
				idle = 0;
			}
		}
	}

	private void look(Opening opening) {
		int rounds = opening.countRound();
		if (rounds > PATIENCE && (rounds <= MAX_ROUNDS || rounds % SELDOM == 0)) {
			this.threads.start(new AbandonableThreads.Call<>(() -> {
				opening.free();
				return opening;
			}));
		}
		if (rounds == MAX_ROUNDS && opening.giveUp()) {
			giveUp(opening);
		}
		if (rounds == this.rememberedRounds && this.allLost.get() < MANY_LOST) {
			forget(opening);
		}
	}

	private void forget(Opening opening) {
		if (opening.forget()) {
			countLost(opening.workspace(), -1);
		}
	}

	private void giveUp(Opening opening) {
		opening.entry().retain(1);
		this.allLost.incrementAndGet();
		int lost = countLost(opening.workspace(), 1);
		if (lost == 1 || lost == MAX_LOST) {
			logger.log(Level.WARNING,
					"Opens of files in the workspace '" + opening.workspace() + "' do not return, and have taken "
							+ lost + " of at most " + MAX_LOST + " threads: commands replace files with FIFOs, or lock "
							+ "them");
		}
		opening.failure()
			.accept(new StuckOpenException("could not be opened within 5 seconds, as a process has replaced it with a "
					+ "FIFO or locks it: end that process"));
	}

}
