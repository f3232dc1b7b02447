package io.kairo.sandbox.landlock;

import io.kairo.sandbox.support.ForwardingCommand;
import io.kairo.sandbox.support.LocalProcess;
import io.kairo.sandbox.support.Sessions;
import org.jspecify.annotations.Nullable;

/**
 * A command in a Landlock domain.
 */
final class LandlockCommand extends ForwardingCommand {

	private final PooledDomain pooled;

	private final DomainPool pool;

	private final Sessions<TemporaryFiles>.@Nullable Session session;

	/**
	 * Creates the command.
	 * @param pooled its domain and temporary files
	 * @param pool takes them back
	 * @param session its session, or null
	 */
	LandlockCommand(LocalProcess process, PooledDomain pooled, DomainPool pool,
			Sessions<TemporaryFiles>.@Nullable Session session) {
		super(process);
		this.pooled = pooled;
		this.pool = pool;
		this.session = session;
	}

	@Override
	public void release() {
		try {
			super.release();
			this.pool.give(this.pooled);
		}
		finally {
			if (this.session != null) {
				this.session.close();
			}
		}
	}

}
