package io.kairo.workspace.git;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Path;

import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.transport.PackParser;

/**
 * A store that accepts packs up to a number of bytes and until a deadline.
 */
final class FetchBudget extends IsolatedRepository {

	private final Deadline deadline;

	private long left;

	FetchBudget(Path store, long bytes, Deadline deadline) throws IOException {
		super(store, null);
		this.left = bytes;
		this.deadline = deadline;
	}

	@Override
	public ObjectInserter newObjectInserter() {
		ObjectInserter inserter = super.newObjectInserter();
		return new ObjectInserter.Filter() {

			@Override
			protected ObjectInserter delegate() {
				return inserter;
			}

			@Override
			public PackParser newPackParser(InputStream input) throws IOException {
				return inserter.newPackParser(new Metered(input));
			}

		};
	}

	/**
	 * An input stream that fails when the budget is exceeded.
	 */
	private final class Metered extends FilterInputStream {

		Metered(InputStream input) {
			super(input);
		}

		@Override
		public int read() throws IOException {
			byte[] one = new byte[1];
			return (read(one, 0, 1) < 0) ? -1 : one[0] & 0xff;
		}

		@Override
		public int read(byte[] bytes, int offset, int length) throws IOException {
			if (FetchBudget.this.deadline.isOver()) {
				throw new InterruptedIOException("the deadline has passed");
			}
			int count = super.read(bytes, offset, length);
			FetchBudget.this.left -= Math.max(0, count);
			if (FetchBudget.this.left < 0) {
				throw new TooLargeException();
			}
			return count;
		}

	}

}
