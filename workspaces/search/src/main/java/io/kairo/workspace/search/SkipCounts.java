package io.kairo.workspace.search;

import java.util.concurrent.atomic.LongAdder;

import io.kairo.api.workspace.WalkReport;

/**
 * Counts the entries that a search skips. Safe for use by several threads.
 */
final class SkipCounts {

	private final LongAdder hiddenFiles = new LongAdder();

	private final LongAdder hiddenDirectories = new LongAdder();

	private final LongAdder ignoredFiles = new LongAdder();

	private final LongAdder ignoredDirectories = new LongAdder();

	private final LongAdder binary = new LongAdder();

	private final LongAdder tooLarge = new LongAdder();

	private final LongAdder cutIgnoreFiles = new LongAdder();

	void hiddenFile() {
		this.hiddenFiles.increment();
	}

	void hiddenDirectory() {
		this.hiddenDirectories.increment();
	}

	void ignoredFile() {
		this.ignoredFiles.increment();
	}

	void ignoredDirectory() {
		this.ignoredDirectories.increment();
	}

	void binary() {
		this.binary.increment();
	}

	void tooLarge() {
		this.tooLarge.increment();
	}

	void cutIgnoreFile() {
		this.cutIgnoreFiles.increment();
	}

	Skipped with(WalkReport walk) {
		return new Skipped(this.hiddenFiles.sum(), this.hiddenDirectories.sum(), this.ignoredFiles.sum(),
				this.ignoredDirectories.sum(), this.binary.sum(), this.tooLarge.sum(), walk.unreadable(), walk.links(),
				this.cutIgnoreFiles.sum());
	}

}
