package io.kairo.autoconfigure.workspace;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.kairo.workspace.routing.RoutingWorkspaceProvider;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;

/**
 * Releases workspaces that nobody uses, on a thread of its own, since that may take long.
 */
final class LeaseExpiry implements InitializingBean, DisposableBean {

	private static final Log logger = LogFactory.getLog(LeaseExpiry.class);

	private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, "kairo-lease-expiry");
		thread.setDaemon(true);
		return thread;
	});

	private final RoutingWorkspaceProvider provider;

	private final long intervalMillis;

	LeaseExpiry(RoutingWorkspaceProvider provider, Duration timeout) {
		this.provider = provider;
		this.intervalMillis = Math.max(1, Math.min(timeout.dividedBy(2).toMillis(), Duration.ofMinutes(1).toMillis()));
	}

	@Override
	@SuppressWarnings("FutureReturnValueIgnored") // the task throws nothing
	public void afterPropertiesSet() {
		this.executor.scheduleWithFixedDelay(this::expire, this.intervalMillis, this.intervalMillis,
				TimeUnit.MILLISECONDS);
	}

	@Override
	public void destroy() {
		this.executor.shutdownNow();
	}

	private void expire() {
		try {
			this.provider.releaseIdle();
		}
		catch (RuntimeException ex) {
			// the next time comes only if nothing is thrown
			logger.warn("Workspaces that nobody uses could not be released", ex);
		}
	}

}
