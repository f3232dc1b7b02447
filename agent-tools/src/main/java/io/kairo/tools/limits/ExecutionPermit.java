package io.kairo.tools.limits;

import io.kairo.api.sandbox.SandboxException;
import io.kairo.tools.LimitExceeded;
import org.jspecify.annotations.Nullable;

/**
 * The slot of a call that runs commands. Commands of the call use it one at a time, and
 * further ones need their own slots. A command that outlives the call keeps the slot.
 * Safe for use by several threads.
 */
final class ExecutionPermit implements AutoCloseable {

	private final String tenant;

	private final TenantMeter meter;

	/** Number of commands that count towards the minute and were not started yet. */
	private int counted = 1;

	private boolean busy;

	private boolean closed;

	/**
	 * Creates the permit of a call that has a slot, and was counted as a command.
	 */
	ExecutionPermit(String tenant, TenantMeter meter) {
		this.tenant = tenant;
		this.meter = meter;
	}

	/**
	 * Returns whether the permit is for the commands of a tenant.
	 */
	boolean covers(String tenant) {
		return this.tenant.equals(tenant);
	}

	/**
	 * Counts a call within this one as a further command.
	 * @return the limit that it exceeds, null if it is admitted
	 */
	synchronized @Nullable LimitExceeded extend() {
		LimitExceeded exceeded = this.meter.execute();
		this.counted += (exceeded == null) ? 1 : 0;
		return exceeded;
	}

	/**
	 * Takes the slot for a command, unless another command has it.
	 * @return whether the command has the slot. {@link #end} gives it back
	 * @throws SandboxException if the command exceeds the limit of a minute
	 */
	synchronized boolean begin() {
		if (this.busy || this.closed) {
			return false;
		}
		LimitExceeded exceeded = (this.counted > 0) ? null : this.meter.execute();
		if (exceeded != null) {
			throw exceeded.exception();
		}
		this.counted = Math.max(0, this.counted - 1);
		this.busy = true;
		return true;
	}

	/**
	 * Gives the slot back to the call.
	 * @param started whether the command was started; otherwise it does not count
	 */
	synchronized void end(boolean started) {
		this.counted += started ? 0 : 1;
		this.busy = false;
		if (this.closed) {
			this.meter.slots().free();
		}
	}

	/**
	 * Gives the slot back, now or when its command ends.
	 */
	@Override
	public synchronized void close() {
		this.closed = true;
		if (!this.busy) {
			this.meter.slots().free();
		}
	}

}
