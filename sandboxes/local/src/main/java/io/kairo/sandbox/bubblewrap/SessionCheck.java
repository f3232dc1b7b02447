package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.support.Sessions;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the namespaces of sessions can be used on this machine. A success is
 * remembered until a session cannot be created, a failure for five seconds. Safe for use
 * by several threads.
 */
final class SessionCheck {

	private static final Logger logger = System.getLogger(SessionCheck.class.getName());

	private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final Sessions<SessionNamespaces> sessions;

	private final Function<SessionNamespaces, @Nullable BackendProblem> selfTest;

	private boolean passed;

	private @Nullable Long failedAt;

	/**
	 * Creates a check.
	 * @param selfTest examines namespaces
	 */
	SessionCheck(Sessions<SessionNamespaces> sessions, Function<SessionNamespaces, @Nullable BackendProblem> selfTest) {
		this.sessions = sessions;
		this.selfTest = selfTest;
	}

	/**
	 * Returns whether they can be used. The first call runs a self-test.
	 */
	synchronized boolean passes() {
		if (!this.passed && (this.failedAt == null || System.nanoTime() - this.failedAt >= RETRY_NANOS)) {
			BackendProblem problem = problem();
			this.passed = problem == null;
			if (problem != null && !Thread.currentThread().isInterrupted()) {
				if (this.failedAt == null) {
					logger.log(Level.WARNING,
							"The commands of a session share neither their home directories and temporary files nor a "
									+ "loopback interface: its namespaces cannot be used here: {0}",
							problem);
				}
				this.failedAt = System.nanoTime();
			}
		}
		return this.passed;
	}

	/**
	 * Makes the next call of {@link #passes()} run the self-test again.
	 */
	synchronized void repeat() {
		this.passed = false;
		this.failedAt = null;
	}

	private @Nullable BackendProblem problem() {
		try (SessionNamespaces tried = this.sessions.open(TenantContext.SINGLE)) {
			return this.selfTest.apply(tried);
		}
		catch (IOException ex) {
			return Reason.CANARY_FAILED.found(String.valueOf(ex.getMessage()));
		}
	}

}
