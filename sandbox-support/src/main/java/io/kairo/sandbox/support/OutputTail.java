package io.kairo.sandbox.support;

import java.util.List;

/**
 * The last bytes of an output, in two segments of which the older one is given up when
 * the newer one is full. Together they hold at least what is to be kept; what they hold
 * too much is left out by readers. Appending is for one thread at a time.
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
	 * @param limit how many of the last bytes are kept
	 * @param spill where goes what is not kept in memory
	 */
	OutputTail(long limit, FrameBuffer.Spill spill) {
		this.limit = limit;
		this.segment = Math.max(limit, SMALLEST_SEGMENT);
		this.open = limit > 0;
		this.older = new FrameBuffer(MEMORY, spill);
		this.newer = new FrameBuffer(MEMORY, spill);
	}

	/**
	 * Appends output. If that cannot be stored, nothing is kept from then on: the last
	 * bytes would no longer be the last.
	 * @return how many bytes were dealt with
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
	 * Returns how many bytes are kept.
	 */
	long retained() {
		return Math.min(this.limit, this.olderBytes + this.newerBytes);
	}

	/**
	 * Returns how many bytes are to be left out at the beginning.
	 */
	long excess() {
		return this.olderBytes + this.newerBytes - retained();
	}

	/**
	 * Returns whether something could not be stored.
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
