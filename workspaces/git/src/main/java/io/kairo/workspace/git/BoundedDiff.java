package io.kairo.workspace.git;

import java.util.function.BooleanSupplier;

import org.eclipse.jgit.diff.DiffAlgorithm;
import org.eclipse.jgit.diff.Edit;
import org.eclipse.jgit.diff.EditList;
import org.eclipse.jgit.diff.HistogramDiff;
import org.eclipse.jgit.diff.MyersDiff;
import org.eclipse.jgit.diff.Sequence;
import org.eclipse.jgit.diff.SequenceComparator;

/**
 * The histogram algorithm with a bounded duration. Lines that it cannot compare within
 * the bound count as replaced, so the difference is correct, but not minimal. For use by
 * one thread.
 */
final class BoundedDiff extends DiffAlgorithm {

	/** Maximum number of lines that are compared by an algorithm of quadratic time. */
	private static final int MAX_COMPARED = 10_000;

	private final HistogramDiff histogram = new HistogramDiff();

	private final BooleanSupplier over;

	private boolean minimal = true;

	/**
	 * Creates an algorithm.
	 * @param over returns whether comparing has to end
	 */
	BoundedDiff(BooleanSupplier over) {
		this.over = over;
		this.histogram.setFallbackAlgorithm(new Fallback());
	}

	/**
	 * Returns whether the bound was never reached.
	 */
	boolean isMinimal() {
		return this.minimal;
	}

	@Override
	public <S extends Sequence> EditList diffNonCommon(SequenceComparator<? super S> comparator, S a, S b) {
		if (this.over.getAsBoolean()) {
			return replacement(a, b);
		}
		try {
			return this.histogram.diffNonCommon(new Timed<>(comparator), a, b);
		}
		catch (OverException ex) {
			return replacement(a, b);
		}
	}

	private EditList replacement(Sequence a, Sequence b) {
		this.minimal = false;
		return EditList.singleton(new Edit(0, a.size(), 0, b.size()));
	}

	/**
	 * Compares the lines that occur too often for the histogram.
	 */
	private final class Fallback extends DiffAlgorithm {

		@Override
		public <S extends Sequence> EditList diffNonCommon(SequenceComparator<? super S> comparator, S a, S b) {
			return (a.size() + (long) b.size() > MAX_COMPARED || BoundedDiff.this.over.getAsBoolean())
					? replacement(a, b) : MyersDiff.INSTANCE.diffNonCommon(comparator, a, b);
		}

	}

	/**
	 * A comparator that ends the comparison when its time is over. Every step of the
	 * histogram that finds a common line calls it.
	 *
	 * @param <S> the type of the sequences
	 */
	private final class Timed<S extends Sequence> extends SequenceComparator<S> {

		private static final int OFTEN = 63;

		private final SequenceComparator<? super S> comparator;

		private int calls;

		Timed(SequenceComparator<? super S> comparator) {
			this.comparator = comparator;
		}

		@Override
		public boolean equals(S a, int inA, S b, int inB) {
			if ((++this.calls & OFTEN) == 0 && BoundedDiff.this.over.getAsBoolean()) {
				throw new OverException();
			}
			return this.comparator.equals(a, inA, b, inB);
		}

		@Override
		public int hash(S sequence, int index) {
			return this.comparator.hash(sequence, index);
		}

	}

	/**
	 * Thrown to leave a comparison in progress.
	 */
	private static final class OverException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		OverException() {
			super("The comparison is over", null, false, false);
		}

	}

}
