package io.kairo.sandbox.remote.server;

import java.util.TreeSet;

/**
 * A set of mostly consecutive numbers from 1 on. Takes memory for the numbers after the
 * first gap only. Not safe for use by several threads.
 */
final class Numbers {

	private final TreeSet<Long> above = new TreeSet<>();

	/** All numbers from 1 to this one are in the set. */
	private long all;

	void add(long number) {
		if (number > this.all) {
			this.above.add(number);
		}
		while (this.above.remove(this.all + 1)) {
			this.all++;
		}
	}

	boolean contains(long number) {
		return number <= this.all || this.above.contains(number);
	}

}
