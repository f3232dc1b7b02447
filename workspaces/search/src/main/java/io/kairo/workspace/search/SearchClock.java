package io.kairo.workspace.search;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import io.kairo.api.workspace.WalkReport;
import org.jspecify.annotations.Nullable;

/**
 * The deadline and cancellation of a search. Safe for use by several threads.
 */
final class SearchClock {

	private final long start = System.nanoTime();

	private final long nanos;

	private final BooleanSupplier cancelled;

	private volatile @Nullable SearchEnd end;

	SearchClock(Duration deadline, BooleanSupplier cancelled) {
		this.nanos = (deadline.compareTo(Duration.ofDays(1)) < 0) ? deadline.toNanos() : Duration.ofDays(1).toNanos();
		this.cancelled = cancelled;
	}

	/**
	 * Returns whether the search has to end. Once true, it remains true.
	 */
	boolean isOver() {
		if (this.end == null) {
			if (this.cancelled.getAsBoolean()) {
				this.end = SearchEnd.CANCELLED;
			}
			else if (System.nanoTime() - this.start > this.nanos) {
				this.end = SearchEnd.DEADLINE;
			}
		}
		return this.end != null;
	}

	/**
	 * Throws {@link OverException} if the search has to end.
	 */
	void check() {
		if (isOver()) {
			throw new OverException();
		}
	}

	/**
	 * Returns the reason why the search had to end, or null if it had not.
	 */
	@Nullable SearchEnd end() {
		return this.end;
	}

	/**
	 * Returns the reason why the search had to end, or null if it had not. A walk that
	 * stopped without being asked to was interrupted.
	 */
	@Nullable SearchEnd end(WalkReport walk) {
		return (this.end == null && walk.stopped()) ? SearchEnd.CANCELLED : this.end;
	}

	/**
	 * Thrown to leave a match in progress.
	 */
	static final class OverException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		OverException() {
			super("The search is over", null, false, false);
		}

	}

}
