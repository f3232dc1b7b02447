package io.kairo.autoconfigure.mcp;

import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.function.Predicate;

import io.kairo.tools.Cancellation;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The open event streams of clients, one for each session, and the streams that answer a
 * request. The former end with their session, when a comment reveals that the client is
 * gone, and before a graceful shutdown waits for requests in progress. Safe for use by
 * several threads.
 *
 * @see <a href=
 * "https://html.spec.whatwg.org/multipage/server-sent-events.html">Server-sent events</a>
 */
final class McpStreams implements SmartLifecycle, AutoCloseable {

	/** More than one, since a client that does not read blocks a thread for a while. */
	private static final int THREADS = 4;

	private final Predicate<String> sessions;

	private final TenantSlots slots;

	private final ConcurrentMap<String, McpStream> streams = new ConcurrentHashMap<>();

	private final ScheduledThreadPoolExecutor executor;

	private volatile boolean running = true;

	/**
	 * Creates an empty collection.
	 * @param sessions whether a session is open, by its id
	 */
	McpStreams(McpProperties.Limits limits, Predicate<String> sessions) {
		this.sessions = sessions;
		this.slots = new TenantSlots(limits.streams(), limits.streamsPerTenant());
		CustomizableThreadFactory threads = new CustomizableThreadFactory("kairo-mcp-streams-");
		threads.setDaemon(true);
		this.executor = new ScheduledThreadPoolExecutor(THREADS, threads, new DiscardPolicy());
		this.executor.setRemoveOnCancelPolicy(true);
	}

	/**
	 * Adds a stream, and ends the previous one of the same session.
	 * @param tenant the id of the caller's tenant, empty if there is none
	 * @param session the id of the caller's session, null if it ends with the stream
	 * @param response the response to write the stream to
	 * @return the stream, still to be opened; null if too many streams are open
	 */
	@Nullable McpStream add(String tenant, @Nullable String session, HttpServletResponse response) {
		String key = (session != null) ? session : UUID.randomUUID().toString();
		end(key);
		TenantSlots.Slot slot = this.slots.take(tenant);
		if (slot == null) {
			return null;
		}
		McpStream stream = new McpStream(response,
				() -> this.running && (session == null || this.sessions.test(session)), this.executor, (ended) -> {
					this.streams.remove(key, ended);
					slot.close();
				});
		McpStream previous = this.streams.put(key, stream);
		if (previous != null) {
			previous.end();
		}
		return stream;
	}

	/**
	 * Creates the event stream that answers a request.
	 * @param session the id of the caller's session, for cancelling the request; null if
	 * there is none
	 * @param response the response to write the stream to
	 */
	McpAnswer answer(@Nullable String session, HttpServletResponse response) {
		return new McpAnswer(response, () -> session == null || this.sessions.test(session), this.executor);
	}

	/**
	 * Returns the cancellation of the calls of a session that ends with its stream.
	 * @param session the id of the session
	 * @return the cancellation, null if there is no such session
	 */
	@Nullable Cancellation calls(String session) {
		for (McpStream stream : this.streams.values()) {
			if (session.equals(stream.session())) {
				return stream.calls();
			}
		}
		return null;
	}

	/**
	 * Ends the stream of a session that has ended. Another stream can have its slot at
	 * once, while the web server ends it.
	 */
	void end(String session) {
		McpStream stream = this.streams.get(session);
		if (stream != null) {
			stream.release();
			stream.end();
		}
	}

	/**
	 * Returns whether a session has an open stream.
	 */
	boolean isOpen(String session) {
		return this.streams.containsKey(session);
	}

	int count() {
		return this.streams.size();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		this.streams.values().forEach(McpStream::end);
	}

	@Override
	public void close() {
		stop();
		this.executor.shutdown();
	}

}
