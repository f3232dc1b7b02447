package io.kairo.workspace.local;

import java.util.concurrent.atomic.AtomicLong;

import io.kairo.api.workspace.WorkspaceErrorCode;

/**
 * Counts what is copied, before it is. Safe for use by several threads.
 */
final class CopyMeter {

	private final CopyBounds bounds;

	private final AtomicLong files = new AtomicLong();

	private final AtomicLong bytes = new AtomicLong();

	private final AtomicLong skipped = new AtomicLong();

	CopyMeter(CopyBounds bounds) {
		this.bounds = bounds;
	}

	/**
	 * Counts one more entry.
	 * @throws RefusedException if that is more than the bounds allow
	 */
	void add(long size) throws RefusedException {
		if (this.files.incrementAndGet() > this.bounds.files() || this.bytes.addAndGet(size) > this.bounds.bytes()) {
			throw RefusedException.of(WorkspaceErrorCode.TOO_LARGE,
					"holds more than the " + this.bounds.files() + " files or " + this.bounds.bytes()
							+ " bytes that are copied at most: make it smaller, or let the operator allow more");
		}
	}

	void skip() {
		this.skipped.incrementAndGet();
	}

	CopiedTree total(CopyWay way) {
		return new CopiedTree(this.files.get(), this.bytes.get(), this.skipped.get(), way);
	}

}
