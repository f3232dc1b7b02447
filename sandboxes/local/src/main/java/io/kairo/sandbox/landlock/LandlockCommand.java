package io.kairo.sandbox.landlock;

import io.kairo.sandbox.support.ForwardingCommand;
import io.kairo.sandbox.support.LocalProcess;

/**
 * A command in a Landlock domain.
 */
final class LandlockCommand extends ForwardingCommand {

	private final PooledDomain pooled;

	private final DomainPool pool;

	/**
	 * Creates the command.
	 * @param pooled its domain and temporary files
	 * @param pool takes them back
	 */
	LandlockCommand(LocalProcess process, PooledDomain pooled, DomainPool pool) {
		super(process);
		this.pooled = pooled;
		this.pool = pool;
	}

	@Override
	public void release() {
		super.release();
		this.pool.give(this.pooled);
	}

}
