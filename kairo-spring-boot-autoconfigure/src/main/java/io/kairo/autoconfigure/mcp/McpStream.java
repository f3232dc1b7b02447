package io.kairo.autoconfigure.mcp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.tools.Cancellation;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.DeferredResultProcessingInterceptor;
import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * An event stream that a client has opened, at the SSE endpoint together with a session.
 * Safe for use by several threads.
 * <p>
 * When a request ends, the web server holds its own lock and calls the SDK. The SDK waits
 * for the lock of its transport. A thread of the SDK holds this lock while it writes an
 * event or ends the stream, and must not wait for the web server then: the executor ends
 * the request instead.
 */
final class McpStream extends McpEvents implements AsyncListener, DeferredResultProcessingInterceptor {

	/** The first event at the SSE endpoint. */
	private static final Pattern ENDPOINT = Pattern.compile("event:endpoint\ndata:\\S*[?&]sessionId=([^&\\s]+)\\s*");

	/**
	 * The web server loses track of a request if a write on another thread fails before
	 * the thread of the request has returned.
	 */
	private static final long RETURN_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final BooleanSupplier wanted;

	private final ScheduledExecutorService executor;

	private final Consumer<McpStream> release;

	private final Cancellation calls = new Cancellation();

	private volatile @Nullable String session;

	private @Nullable DeferredResult<?> result;

	private @Nullable Future<?> heartbeat;

	/** Null before the stream is open and after its end; guarded by the lock. */
	private @Nullable AsyncContext request;

	/**
	 * Creates a stream.
	 * @param response the response of the web server
	 * @param wanted whether the stream should stay open
	 * @param executor writes comments, and ends the stream in place of the SDK
	 * @param release called at the latest when the stream has ended, perhaps several
	 * times
	 */
	McpStream(HttpServletResponse response, BooleanSupplier wanted, ScheduledExecutorService executor,
			Consumer<McpStream> release) {
		super(response);
		this.wanted = wanted;
		this.executor = executor;
		this.release = release;
	}

	/**
	 * Returns the id of the session that began with the stream and ends with it, null if
	 * there is none.
	 */
	@Nullable String session() {
		return this.session;
	}

	/**
	 * Returns the cancellation of the calls of this session, cancelled when the stream
	 * has ended.
	 */
	Cancellation calls() {
		return this.calls;
	}

	/**
	 * Opens the stream, and tells the client that it is open.
	 * @param events writes the events
	 * @param interval the time between two comments
	 */
	@Nullable ModelAndView open(ServerResponse events, Duration interval, HttpServletRequest request,
			ServerResponse.Context context) throws ServletException, IOException {
		WebAsyncUtils.getAsyncManager(request).registerDeferredResultInterceptor(this, this);
		lock();
		try {
			return events.writeTo(request, this, context);
		}
		finally {
			if (request.isAsyncStarted()) {
				opened(request.getAsyncContext(), interval.toNanos());
			}
			else {
				ended();
			}
			unlock();
			beat();
		}
	}

	private void opened(AsyncContext request, long intervalNanos) {
		this.request = request;
		request.addListener(this);
		if (this.result != null && !this.result.isSetOrExpired()) {
			this.result.setResultHandler((value) -> this.executor.execute(this::end));
		}
		this.heartbeat = this.executor.scheduleWithFixedDelay(this::beat, RETURN_NANOS + intervalNanos, intervalNanos,
				TimeUnit.NANOSECONDS);
	}

	private void ended() {
		setEnding();
		if (this.heartbeat != null) {
			this.heartbeat.cancel(false);
		}
		release();
		this.calls.cancel();
	}

	/**
	 * Writes a comment unless an event is being written. Ends the stream if this fails,
	 * since the client is gone, or if the stream is not wanted any more.
	 */
	void beat() {
		if (this.wanted.getAsBoolean()) {
			comment();
		}
		else {
			end();
		}
	}

	/**
	 * Releases the stream before its end.
	 */
	void release() {
		this.release.accept(this);
	}

	/**
	 * Ends the stream, as soon as nothing is being written. Does not wait.
	 */
	void end() {
		setEnding();
		end(Runnable::run);
	}

	private void end(Executor executor) {
		AsyncContext open = closeRequest();
		if (open != null) {
			executor.execute(() -> complete(open));
		}
	}

	private @Nullable AsyncContext closeRequest() {
		if (!tryLock()) {
			// unlock() ends the stream
			return null;
		}
		try {
			AsyncContext open = this.request;
			this.request = null;
			return open;
		}
		finally {
			super.unlock();
		}
	}

	private void complete(AsyncContext open) {
		try {
			open.complete();
		}
		catch (RuntimeException ex) {
			// the web server has ended the request meanwhile
		}
		finally {
			ended();
		}
	}

	@Override
	void unlock() {
		super.unlock();
		if (isEnding()) {
			end(this.executor);
		}
	}

	@Override
	void writeEvent(byte[] bytes, int offset, int length) throws IOException {
		if (this.session == null) {
			Matcher endpoint = ENDPOINT.matcher(new String(bytes, offset, length, StandardCharsets.UTF_8));
			this.session = endpoint.matches() ? endpoint.group(1) : null;
		}
		super.writeEvent(bytes, offset, length);
	}

	@Override
	public <T> void preProcess(NativeWebRequest request, DeferredResult<T> result) {
		this.result = result;
	}

	@Override
	public void onComplete(AsyncEvent event) {
		ended();
	}

	@Override
	public void onError(AsyncEvent event) {
		// at once, or the web server writes an error page
		setEnding();
		complete(event.getAsyncContext());
	}

	@Override
	public void onTimeout(AsyncEvent event) {
		onError(event);
	}

	@Override
	public void onStartAsync(AsyncEvent event) {
		// the request is not dispatched again
	}

}
