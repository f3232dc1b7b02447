package io.kairo.tools.session;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The large files that calls hold in memory: in all up to a maximum size, of a tenant up
 * to half of it, and one file of any size. A call waits until there is room for its file.
 * Safe for use by several threads.
 */
public final class LargeFiles {

	/** Smaller files are bounded by the number of calls in progress. */
	private static final int LARGE = 256 << 10;

	private static final long WAIT_MILLIS = 50;

	private final long maximum;

	/** In the order of their arrival; guarded by this object, like the fields below. */
	private final List<Place> waiting = new ArrayList<>();

	/** The size of the files of each tenant that holds one. */
	private final Map<String, Long> tenants = new HashMap<>();

	private long held;

	/**
	 * Creates the room for files.
	 * @param maximum the maximum number of bytes of heap, for one file in any case
	 */
	public LargeFiles(long maximum) {
		this.maximum = maximum;
	}

	/**
	 * Creates the room for the calls of an application: half of the heap.
	 * @return the room
	 */
	public static LargeFiles ofHeap() {
		return new LargeFiles(Runtime.getRuntime().maxMemory() / 2);
	}

	/**
	 * Waits until there is room for a file. Files of up to 256 KiB do not wait.
	 * @param tenant the id of the tenant
	 * @param size the size of the file, in bytes
	 * @param factor the heap that a call needs, as a multiple of the size
	 * @param over whether the wait has to end, asked at intervals
	 * @return the room, to be closed; null if there was none until then
	 */
	public @Nullable Place take(String tenant, long size, int factor, BooleanSupplier over) {
		Place place = new Place(tenant, (size > LARGE) ? Math.min(size * factor, this.maximum) : 0);
		return (place.bytes == 0 || await(place, over)) ? place : null;
	}

	private synchronized boolean await(Place place, BooleanSupplier over) {
		this.waiting.add(place);
		try {
			while (!isNext(place)) {
				if (over.getAsBoolean()) {
					return false;
				}
				wait(WAIT_MILLIS);
			}
			place.taken = true;
			this.tenants.merge(place.tenant, place.bytes, Long::sum);
			this.held += place.bytes;
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		finally {
			this.waiting.remove(place);
		}
	}

	/**
	 * Returns whether there is room for a place, and no tenant with room left in its half
	 * has waited longer.
	 */
	private boolean isNext(Place place) {
		for (Place each : this.waiting) {
			Long own = this.tenants.get(each.tenant);
			if (own == null || own + each.bytes <= this.maximum / 2) {
				return each == place && this.held + place.bytes <= this.maximum;
			}
		}
		return false;
	}

	private synchronized void give(Place place) {
		if (place.taken) {
			place.taken = false;
			this.tenants.computeIfPresent(place.tenant,
					(tenant, bytes) -> (bytes > place.bytes) ? Long.valueOf(bytes - place.bytes) : null);
			this.held -= place.bytes;
			notifyAll();
		}
	}

	/**
	 * The room for a file, given back by the first {@link #close()}.
	 */
	public final class Place implements AutoCloseable {

		private final String tenant;

		private final long bytes;

		/** Guarded by the files. */
		private boolean taken;

		private Place(String tenant, long bytes) {
			this.tenant = tenant;
			this.bytes = bytes;
		}

		@Override
		public void close() {
			give(this);
		}

	}

}
