package io.kairo.autoconfigure.mcp;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.kairo.tools.Cancellation;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The event stream that answers a request. The request is cancelled when a comment
 * reveals that its client is gone. Safe for use by several threads.
 */
final class McpAnswer extends McpEvents {

	private final BooleanSupplier wanted;

	private final ScheduledExecutorService executor;

	private final Cancellation cancellation = new Cancellation();

	private @Nullable Future<?> heartbeat;

	/**
	 * Creates an answer.
	 * @param response the response of the web server
	 * @param wanted whether the request should not be cancelled
	 * @param executor writes comments
	 */
	McpAnswer(HttpServletResponse response, BooleanSupplier wanted, ScheduledExecutorService executor) {
		super(response);
		this.wanted = wanted;
		this.executor = executor;
	}

	/**
	 * Handles the request and writes the answer on this thread.
	 * @param events handles the request
	 * @param interval the time between two comments
	 */
	@Nullable ModelAndView write(ServerResponse events, Duration interval, HttpServletRequest request,
			ServerResponse.Context context) throws ServletException, IOException {
		request.setAttribute(McpRequestFilter.CANCELLATION, this.cancellation);
		BlockingRequest blocking = new BlockingRequest(request, this, () -> start(interval.toNanos()));
		try {
			ModelAndView view = events.writeTo(blocking, this, context);
			if (WebAsyncUtils.getAsyncManager(request).getConcurrentResult() instanceof Throwable failure) {
				throw new ServletException("The request could not be handled", failure);
			}
			return view;
		}
		finally {
			end();
			blocking.complete();
		}
	}

	/**
	 * Starts the comments, after the headers have been set.
	 */
	private void start(long intervalNanos) {
		this.heartbeat = this.executor.scheduleWithFixedDelay(this::beat, intervalNanos, intervalNanos,
				TimeUnit.NANOSECONDS);
	}

	/**
	 * Writes a comment. Cancels the request if the client is gone, or if the request is
	 * not wanted any more.
	 */
	void beat() {
		comment();
		if (isEnding() || !this.wanted.getAsBoolean()) {
			this.cancellation.cancel();
		}
	}

	/**
	 * Waits for a comment that is being written: the web server reuses the response.
	 */
	private void end() {
		if (this.heartbeat != null) {
			this.heartbeat.cancel(false);
		}
		lock();
		setEnding();
		unlock();
	}

}
