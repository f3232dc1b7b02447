package io.kairo.linux;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Memory for the arguments and results of calls, which is used again: at most 16 times
 * 128 KiB. Safe for use by several threads.
 */
final class Scratch {

	private static final int BYTES = 1 << 17;

	private static final int STRIPES = 16;

	private final AtomicReferenceArray<ByteBuffer> idle = new AtomicReferenceArray<>(STRIPES);

	/**
	 * Takes memory, with the content of an earlier call.
	 */
	ByteBuffer take() {
		ByteBuffer memory = this.idle.getAndSet(stripe(), null);
		return (memory != null) ? memory : NativeLinux.memory(BYTES);
	}

	/**
	 * Gives memory back.
	 */
	void give(ByteBuffer memory) {
		this.idle.lazySet(stripe(), memory.clear());
	}

	@SuppressWarnings("deprecation") // the ids of threads, which Java 17 has by this name
										// only
	private static int stripe() {
		return (int) Thread.currentThread().getId() & STRIPES - 1;
	}

}
