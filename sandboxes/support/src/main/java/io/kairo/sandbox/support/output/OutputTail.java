package io.kairo.sandbox.support.output;

import java.util.List;

/**
 * The last bytes of an output, in two segments. The older segment is discarded when the
 * newer one is full. Together they hold at least the bytes to keep; readers skip the
 * excess. For appends by one thread at a time.
 */
final class OutputTail {

	private static final int MEMORY = 32 * 1024;

	private static final long SMALLEST_SEGMENT = 16 * 1024;

	private final long limit;

	private final long segment;

	private FrameBuffer older;

	private FrameBuffer newer;

	private long olderBytes;

	private long newerBytes;

	private boolean open;

	private volatile boolean failed;

	/**
	 * Creates an empty tail.
	 * @param limit number of last bytes to keep
	 * @param spill opens files for output that is not kept in memory
	 */
	OutputTail(long limit, FrameBuffer.Spill spill) {
		this.limit = limit;
		this.segment = Math.max(limit, SMALLEST_SEGMENT);
		this.open = limit > 0;
		this.older = new FrameBuffer(MEMORY, spill);
		this.newer = new FrameBuffer(MEMORY, spill);
	}

	/**
	 * Appends output. If it cannot be stored, nothing is kept any more, since the stored
	 * bytes would no longer be the last.
	 * @return number of bytes that were processed
	 */
	int append(OutputChannel channel, byte[] data, int offset, int length) {
		if (this.open && this.newerBytes == this.segment) {
			swap();
		}
		if (!this.open) {
			return length;
		}
		int count = (int) Math.min(length, this.segment - this.newerBytes);
		if (this.newer.append(channel, data, offset, count)) {
			this.newerBytes += count;
			return count;
		}
		giveUp();
		return length;
	}

	/**
	 * Returns the number of bytes that are kept.
	 */
	long retained() {
		return Math.min(this.limit, this.olderBytes + this.newerBytes);
	}

	/**
	 * Returns the number of bytes that readers have to skip at the beginning.
	 */
	long excess() {
		return this.olderBytes + this.newerBytes - retained();
	}

	/**
	 * Returns whether output could not be stored.
	 */
	boolean storageFailed() {
		return this.failed;
	}

	List<FrameBuffer> sections() {
		return List.of(this.older, this.newer);
	}

	private void swap() {
		FrameBuffer oldest = this.older;
		this.older = this.newer;
		this.olderBytes = this.newerBytes;
		this.newer = oldest;
		this.newerBytes = 0;
		if (!oldest.clear()) {
			giveUp();
		}
	}

	private void giveUp() {
		this.open = false;
		this.failed = true;
		this.older.clear();
		this.newer.clear();
		this.olderBytes = 0;
		this.newerBytes = 0;
	}

}
