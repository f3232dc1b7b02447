package io.kairo.autoconfigure.workspace;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;

/**
 * Expires idle objects periodically, on a thread of its own, since this can take long.
 * Used by Kairo's auto-configurations.
 */
public final class IdleExpiry implements InitializingBean, DisposableBean {

	private static final Log logger = LogFactory.getLog(IdleExpiry.class);

	private static final Duration MOST = Duration.ofMinutes(1);

	private final String what;

	private final Duration interval;

	private final Runnable expire;

	private final ScheduledExecutorService executor;

	/**
	 * Creates the expiry. It starts as a bean.
	 * @param what the name of the objects in the log and in the name of the thread: one
	 * word, in the plural
	 * @param timeout the idle timeout; checked twice in that time, and at least every
	 * minute
	 * @param expire expires the idle objects
	 */
	public IdleExpiry(String what, Duration timeout, Runnable expire) {
		this.what = what;
		Duration half = timeout.dividedBy(2);
		this.interval = (half.compareTo(MOST) < 0) ? half : MOST;
		this.expire = expire;
		this.executor = Executors.newSingleThreadScheduledExecutor((task) -> {
			Thread thread = new Thread(task, "kairo-idle-" + what);
			thread.setDaemon(true);
			return thread;
		});
	}

	@Override
	@SuppressWarnings("FutureReturnValueIgnored") // the task does not throw
	public void afterPropertiesSet() {
		long millis = Math.max(1, this.interval.toMillis());
		this.executor.scheduleWithFixedDelay(this::run, millis, millis, TimeUnit.MILLISECONDS);
	}

	@Override
	public void destroy() {
		this.executor.shutdownNow();
	}

	private void run() {
		try {
			this.expire.run();
		}
		catch (Throwable ex) {
			// an exception, even an Error, would cancel further executions
			logger.warn("Idle " + this.what + " could not be ended", ex);
		}
	}

}
