package io.kairo.linux;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Reused memory for the arguments and results of calls: at most 64 times 128 KiB are
 * kept. Safe for use by several threads.
 */
final class Scratch {

	private static final int BYTES = 1 << 17;

	private static final int PLACES = 64;

	private final AtomicReferenceArray<ByteBuffer> idle = new AtomicReferenceArray<>(PLACES);

	/**
	 * Takes memory, with the content of an earlier call.
	 */
	ByteBuffer take() {
		int own = ownPlace();
		for (int i = own; i < own + PLACES; i++) {
			int place = i % PLACES;
			ByteBuffer memory = (this.idle.get(place) != null) ? this.idle.getAndSet(place, null) : null;
			if (memory != null) {
				return memory;
			}
		}
		return NativeLinux.memory(BYTES);
	}

	/**
	 * Gives memory back.
	 */
	void give(ByteBuffer memory) {
		int own = ownPlace();
		for (int i = own; i < own + PLACES; i++) {
			if (this.idle.compareAndSet(i % PLACES, null, memory.clear())) {
				return;
			}
		}
	}

	/**
	 * Returns the place where the memory of this thread is likely to be.
	 */
	@SuppressWarnings("deprecation") // Java 17 has the ids of threads by this name only
	private static int ownPlace() {
		return (int) (Thread.currentThread().getId() % PLACES);
	}

}
