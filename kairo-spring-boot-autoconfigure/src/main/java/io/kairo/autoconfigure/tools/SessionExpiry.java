package io.kairo.autoconfigure.tools;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.kairo.tools.AgentSessions;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;

/**
 * Ends idle sessions though nobody calls, on a thread of its own, since ending one may
 * take long.
 */
final class SessionExpiry implements InitializingBean, DisposableBean {

	private static final Log logger = LogFactory.getLog(SessionExpiry.class);

	private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor((task) -> {
		Thread thread = new Thread(task, "kairo-session-expiry");
		thread.setDaemon(true);
		return thread;
	});

	private final AgentSessions sessions;

	private final Duration interval;

	SessionExpiry(AgentSessions sessions, Duration timeout) {
		this.sessions = sessions;
		Duration half = timeout.dividedBy(2);
		this.interval = (half.compareTo(Duration.ofMinutes(1)) < 0) ? half : Duration.ofMinutes(1);
	}

	@Override
	@SuppressWarnings("FutureReturnValueIgnored") // the task throws nothing
	public void afterPropertiesSet() {
		long millis = Math.max(1, this.interval.toMillis());
		this.executor.scheduleWithFixedDelay(this::expire, millis, millis, TimeUnit.MILLISECONDS);
	}

	@Override
	public void destroy() {
		this.executor.shutdownNow();
	}

	private void expire() {
		try {
			this.sessions.expire();
		}
		catch (RuntimeException ex) {
			// the next time comes only if nothing is thrown
			logger.warn("The workspace of an idle session could not be released", ex);
		}
	}

}
