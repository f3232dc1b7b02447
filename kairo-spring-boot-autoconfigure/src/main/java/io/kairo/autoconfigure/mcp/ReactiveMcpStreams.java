package io.kairo.autoconfigure.mcp;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpStatus;

/**
 * The open event streams of reactive clients, one for each session. They end with their
 * session, and before a graceful shutdown waits for requests in progress. Safe for use by
 * several threads.
 */
final class ReactiveMcpStreams implements SmartLifecycle {

	private final McpProperties.Limits limits;

	private final TenantSlots slots;

	private final ConcurrentMap<String, Stream> streams = new ConcurrentHashMap<>();

	private volatile boolean running = true;

	ReactiveMcpStreams(McpProperties.Limits limits) {
		this.limits = limits;
		this.slots = new TenantSlots(limits.streams(), limits.streamsPerTenant());
	}

	/**
	 * Opens a stream, and ends the previous one of the same session.
	 * @param tenant the id of the caller's tenant, empty if there is none
	 * @throws McpRefusedException if too many streams are open
	 */
	Stream open(String tenant, String session) {
		end(session);
		TenantSlots.Slot slot = this.slots.take(tenant);
		if (slot == null) {
			throw McpRefusedException.tooManyStreams(this.limits);
		}
		if (!this.running) {
			slot.close();
			throw new McpRefusedException(HttpStatus.SERVICE_UNAVAILABLE, "The server is shutting down");
		}
		Stream stream = new Stream(session, slot);
		Stream previous = this.streams.put(session, stream);
		if (previous != null) {
			previous.end();
		}
		if (!this.running) {
			stream.end();
		}
		return stream;
	}

	/**
	 * Ends the stream of a session. Another stream can have its slot at once.
	 */
	void end(String session) {
		Stream stream = this.streams.get(session);
		if (stream != null) {
			stream.close();
			stream.end();
		}
	}

	/**
	 * Returns whether a session has an open stream.
	 */
	boolean isOpen(String session) {
		return this.streams.containsKey(session);
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
		this.streams.values().forEach(Stream::end);
	}

	/**
	 * A stream. It holds its slot until it is closed.
	 */
	final class Stream implements AutoCloseable {

		private final String session;

		private final TenantSlots.Slot slot;

		private final Sinks.Empty<Void> ended = Sinks.empty();

		private Stream(String session, TenantSlots.Slot slot) {
			this.session = session;
			this.slot = slot;
		}

		/**
		 * Ends and closes the stream.
		 */
		void end() {
			this.ended.tryEmitEmpty();
		}

		/**
		 * Completes when the stream is to be ended.
		 */
		Mono<Void> ended() {
			return this.ended.asMono();
		}

		@Override
		public void close() {
			ReactiveMcpStreams.this.streams.remove(this.session, this);
			this.slot.close();
		}

	}

}
