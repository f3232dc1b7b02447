package io.kairo.workspace.local;

import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.LongAdder;

import io.kairo.api.workspace.WalkReport;

/**
 * What a walk met so far. Safe for use by several threads.
 */
final class WalkCounts {

	private final LongAdder files = new LongAdder();

	private final LongAdder directories = new LongAdder();

	private final LongAdder links = new LongAdder();

	private final LongAdder others = new LongAdder();

	private final LongAdder unreadable = new LongAdder();

	void addFile() {
		this.files.increment();
	}

	void addDirectory() {
		this.directories.increment();
	}

	/**
	 * Counts what could not be looked at, or not completely.
	 */
	void addUnreadable() {
		this.unreadable.increment();
	}

	/**
	 * Counts what is neither a file nor a directory.
	 */
	void addUnvisited(BasicFileAttributes attributes) {
		if (attributes.isSymbolicLink()) {
			this.links.increment();
		}
		else {
			this.others.increment();
		}
	}

	WalkReport report(boolean stopped) {
		return new WalkReport(this.files.sum(), this.directories.sum(), this.links.sum(), this.others.sum(),
				this.unreadable.sum(), stopped);
	}

}
