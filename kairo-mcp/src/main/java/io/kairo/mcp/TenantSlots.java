package io.kairo.mcp;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * A bounded number of slots. A tenant can hold a share of them. The more slots are taken,
 * the fewer a tenant can have: it gets another one only while it holds fewer than are
 * free, so that any number of tenants together leave some to the next. A share of more
 * than half of the slots raises that bound: a tenant alone can have it. Safe for use by
 * several threads.
 */
final class TenantSlots {

	private final int maximum;

	private final int share;

	/**
	 * The number of slots by tenant, without tenants that hold none; guarded by itself.
	 */
	private final Map<String, Integer> held = new HashMap<>();

	/** Guarded by {@link #held}. */
	private int total;

	/**
	 * Creates free slots.
	 * @param maximum the number of slots
	 * @param share the maximum number of slots of a tenant
	 */
	TenantSlots(int maximum, int share) {
		this.maximum = maximum;
		this.share = share;
	}

	/**
	 * Takes a slot.
	 * @param tenant the id of the tenant, empty if there is none
	 * @return the slot, null if none is free
	 */
	@Nullable Slot take(String tenant) {
		synchronized (this.held) {
			int own = this.held.getOrDefault(tenant, 0);
			int free = this.maximum - this.total;
			if (free <= 0 || own >= this.share || !leavesSome(own, free)) {
				return null;
			}
			this.total++;
			this.held.put(tenant, own + 1);
		}
		return new Slot(tenant);
	}

	private boolean leavesSome(int own, int free) {
		return own < free || (long) own * (this.maximum - this.share) < (long) this.share * free;
	}

	private void give(String tenant) {
		synchronized (this.held) {
			this.total--;
			this.held.computeIfPresent(tenant, (key, own) -> (own > 1) ? own - 1 : null);
		}
	}

	/**
	 * A slot. It is free again after the first {@link #close()}.
	 */
	final class Slot implements AutoCloseable {

		private final String tenant;

		private final AtomicBoolean open = new AtomicBoolean(true);

		private Slot(String tenant) {
			this.tenant = tenant;
		}

		@Override
		public void close() {
			if (this.open.compareAndSet(true, false)) {
				give(this.tenant);
			}
		}

	}

}
