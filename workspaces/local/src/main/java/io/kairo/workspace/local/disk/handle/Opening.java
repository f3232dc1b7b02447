package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.file.ClosedDirectoryStreamException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * An open in progress. Safe for use by several threads.
 */
final class Opening {

	private static final Set<OpenOption> READ_AND_WRITE = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE,
			LinkOption.NOFOLLOW_LINKS);

	private final FifoGuard.Entry entry;

	private final Path workspace;

	private final Consumer<StuckOpenException> failure;

	private final AtomicReference<State> state = new AtomicReference<>(State.OPENING);

	private final AtomicBoolean freeing = new AtomicBoolean();

	private final AtomicBoolean forgotten = new AtomicBoolean();

	/** Number of rounds of the watch so far; for use by its thread only. */
	private int rounds;

	Opening(FifoGuard.Entry entry, Path workspace, Consumer<StuckOpenException> failure) {
		this.entry = entry;
		this.workspace = workspace;
		this.failure = failure;
	}

	FifoGuard.Entry entry() {
		return this.entry;
	}

	Path workspace() {
		return this.workspace;
	}

	/**
	 * Returns the receiver of the failure of an open that is given up.
	 */
	Consumer<StuckOpenException> failure() {
		return this.failure;
	}

	/**
	 * Counts a round of the watch.
	 * @return the number of rounds
	 */
	int countRound() {
		return ++this.rounds;
	}

	/**
	 * Ends the open.
	 * @return false if it was given up
	 */
	boolean end() {
		return this.state.compareAndSet(State.OPENING, State.ENDED) || this.state.get() == State.ENDED;
	}

	/**
	 * Gives the open up.
	 * @return false if it has ended
	 */
	boolean giveUp() {
		return this.state.compareAndSet(State.OPENING, State.GIVEN_UP);
	}

	/**
	 * Marks an open that was given up as no longer counted.
	 * @return whether it was counted
	 */
	boolean forget() {
		return this.forgotten.compareAndSet(false, true);
	}

	/**
	 * Opens the other end if the entry is a FIFO now, to wake all its readers. Never
	 * blocks for a FIFO, but possibly for an entry that has just replaced it.
	 */
	void free() {
		if (this.freeing.compareAndSet(false, true)) {
			try {
				if (this.entry.attributes().isOther()) {
					this.entry.open(READ_AND_WRITE).close();
				}
			}
			catch (IOException | ClosedDirectoryStreamException | SecurityException ex) {
				// It has gone, or access is denied: the next round tries again.
			}
			finally {
				this.freeing.set(false);
			}
		}
	}

	/**
	 * The state of an open.
	 */
	private enum State {

		/** It is in progress. */
		OPENING,

		/** It has returned in time. */
		ENDED,

		/** Its result is no longer expected. */
		GIVEN_UP

	}

}
