package io.kairo.autoconfigure.mcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/**
 * A request that is handled on its thread alone. The SDK starts it asynchronously and
 * then blocks the thread until it has been answered; the web server does not take part in
 * that, since it loses track of an asynchronous request if a write on another thread
 * fails before the thread of the request has returned.
 */
final class BlockingRequest extends HttpServletRequestWrapper implements AsyncContext {

	private final ServletResponse response;

	private final Runnable onStart;

	private final List<AsyncListener> listeners = new ArrayList<>();

	private boolean started;

	/**
	 * Creates a request that has not been started.
	 * @param request the request of the web server
	 * @param response the response to it
	 * @param onStart called when the request is started
	 */
	BlockingRequest(HttpServletRequest request, ServletResponse response, Runnable onStart) {
		super(request);
		this.response = response;
		this.onStart = onStart;
	}

	@Override
	public boolean isAsyncSupported() {
		return true;
	}

	@Override
	public boolean isAsyncStarted() {
		return this.started;
	}

	@Override
	public AsyncContext startAsync() {
		this.started = true;
		this.onStart.run();
		return this;
	}

	@Override
	public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
		return startAsync();
	}

	@Override
	public AsyncContext getAsyncContext() {
		return this;
	}

	@Override
	public void addListener(AsyncListener listener) {
		this.listeners.add(listener);
	}

	@Override
	public void addListener(AsyncListener listener, ServletRequest request, ServletResponse response) {
		addListener(listener);
	}

	@Override
	public void dispatch() {
		// the thread of the request returns
	}

	/**
	 * Ends the request.
	 */
	@Override
	public void complete() {
		this.started = false;
		for (AsyncListener listener : this.listeners) {
			try {
				listener.onComplete(new AsyncEvent(this));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
	}

	@Override
	public void setTimeout(long timeout) {
		// calls have their own deadlines
	}

	@Override
	public long getTimeout() {
		return 0;
	}

	@Override
	public ServletResponse getResponse() {
		return this.response;
	}

	@Override
	public boolean hasOriginalRequestAndResponse() {
		return true;
	}

	@Override
	public void dispatch(String path) {
		throw unsupported();
	}

	@Override
	public void dispatch(ServletContext context, String path) {
		throw unsupported();
	}

	@Override
	public void start(Runnable task) {
		throw unsupported();
	}

	@Override
	public <T extends AsyncListener> T createListener(Class<T> type) {
		throw unsupported();
	}

	private static UnsupportedOperationException unsupported() {
		return new UnsupportedOperationException(
				"A request to an MCP endpoint is handled on its own thread: it is not dispatched elsewhere");
	}

}
