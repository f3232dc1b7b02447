package io.kairo.autoconfigure.mcp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * The open event streams of clients, one of each session: a new stream of a session ends
 * the previous one. A comment on each stream in regular intervals reveals clients that
 * are gone. All streams end when the application is closed, so that they do not delay its
 * graceful shutdown. Safe for use by several threads.
 *
 * @see <a href=
 * "https://html.spec.whatwg.org/multipage/server-sent-events.html">Server-sent events</a>
 */
final class McpStreams implements ApplicationListener<ContextClosedEvent>, AutoCloseable {

	private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

	private final ConcurrentMap<Object, Stream> streams = new ConcurrentHashMap<>();

	private final ScheduledExecutorService heartbeat;

	/**
	 * Starts the heartbeat.
	 * @param interval the time between two comments
	 */
	@SuppressWarnings("FutureReturnValueIgnored") // a beat handles its failures
	McpStreams(Duration interval) {
		this.heartbeat = Executors.newSingleThreadScheduledExecutor((task) -> {
			Thread thread = new Thread(task, "kairo-mcp-heartbeat");
			thread.setDaemon(true);
			return thread;
		});
		long nanos = interval.toNanos();
		this.heartbeat.scheduleWithFixedDelay(this::beat, nanos, nanos, TimeUnit.NANOSECONDS);
	}

	private void beat() {
		this.streams.values().forEach((stream) -> {
			if (!stream.response().comment()) {
				stream.end();
			}
		});
	}

	int count() {
		return this.streams.size();
	}

	/**
	 * Takes care of a stream that is open, and tells the client that it is.
	 * @param key identifies the session
	 * @param response the response that the stream is written to
	 * @param async the stream
	 * @param slot the slot of the stream, closed with it
	 */
	void opened(Object key, Response response, AsyncContext async, TenantSlots.Slot slot) {
		Stream stream = new Stream(response, async);
		async.addListener(new Ended(() -> {
			this.streams.remove(key, stream);
			slot.close();
		}));
		Stream previous = this.streams.put(key, stream);
		if (previous != null) {
			previous.end();
		}
		if (!response.comment()) {
			stream.end();
		}
	}

	/**
	 * Ends the stream of a session.
	 */
	void end(Object key) {
		Stream stream = this.streams.remove(key);
		if (stream != null) {
			stream.end();
		}
	}

	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		close();
	}

	@Override
	public void close() {
		this.heartbeat.shutdownNow();
		this.streams.values().forEach(Stream::end);
	}

	/**
	 * An open stream.
	 */
	private record Stream(Response response, AsyncContext async) {

		void end() {
			try {
				this.async.complete();
			}
			catch (IllegalStateException ex) {
				// it has ended meanwhile
			}
		}

	}

	/**
	 * A response that is written to as a whole event at a time, so that a comment can be
	 * written between two events.
	 */
	static final class Response extends HttpServletResponseWrapper {

		private final ReentrantLock lock = new ReentrantLock();

		Response(HttpServletResponse response) {
			super(response);
		}

		/**
		 * Writes a comment unless an event is being written.
		 * @return false if the client is gone
		 */
		boolean comment() {
			if (!this.lock.tryLock()) {
				return true;
			}
			try {
				ServletOutputStream output = super.getOutputStream();
				output.write(COMMENT);
				output.flush();
				return true;
			}
			catch (IOException | RuntimeException ex) {
				return false;
			}
			finally {
				this.lock.unlock();
			}
		}

		@Override
		public ServletOutputStream getOutputStream() throws IOException {
			return new Output(super.getOutputStream(), this.lock);
		}

		@Override
		public void flushBuffer() throws IOException {
			this.lock.lock();
			try {
				super.flushBuffer();
			}
			finally {
				this.lock.unlock();
			}
		}

	}

	/**
	 * An output whose operations exclude each other.
	 */
	private static final class Output extends ServletOutputStream {

		private final ServletOutputStream output;

		private final ReentrantLock lock;

		Output(ServletOutputStream output, ReentrantLock lock) {
			this.output = output;
			this.lock = lock;
		}

		@Override
		public boolean isReady() {
			return this.output.isReady();
		}

		@Override
		public void setWriteListener(WriteListener listener) {
			this.output.setWriteListener(listener);
		}

		@Override
		public void write(int value) throws IOException {
			write(new byte[] { (byte) value }, 0, 1);
		}

		@Override
		public void write(byte[] bytes, int offset, int length) throws IOException {
			this.lock.lock();
			try {
				this.output.write(bytes, offset, length);
			}
			finally {
				this.lock.unlock();
			}
		}

		@Override
		public void flush() throws IOException {
			this.lock.lock();
			try {
				this.output.flush();
			}
			finally {
				this.lock.unlock();
			}
		}

	}

	/**
	 * Runs an action when a stream has ended.
	 *
	 * @param action the action
	 */
	private record Ended(Runnable action) implements AsyncListener {

		@Override
		public void onComplete(AsyncEvent event) {
			this.action.run();
		}

		@Override
		public void onTimeout(AsyncEvent event) {
			// completes afterwards
		}

		@Override
		public void onError(AsyncEvent event) {
			this.action.run();
		}

		@Override
		public void onStartAsync(AsyncEvent event) {
			// the stream goes on
		}

	}

}
