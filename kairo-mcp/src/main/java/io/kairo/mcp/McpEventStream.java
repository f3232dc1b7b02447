package io.kairo.mcp;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpStreamableServerTransport;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A stream of messages to a client: one that it has opened, or the answer to a request.
 * Takes one message or comment at a time, and nothing after its end or after a failure.
 * Comments reveal that the client is gone. Safe for use by several threads.
 * <p>
 * The web server may hold its own lock when it reports the end of a request, and a thread
 * that writes waits for that lock: only the thread that answers a request waits for one
 * that writes.
 */
final class McpEventStream implements McpStreamableServerTransport {

	private static final long WAIT_SECONDS = 30;

	/** Held while something is written. */
	private final ReentrantLock lock = new ReentrantLock();

	private final McpOutput output;

	private final McpJsonMapper mapper;

	private final BooleanSupplier wanted;

	private final Runnable whenGone;

	private final boolean answer;

	private final Executor executor;

	private volatile @Nullable Future<?> heartbeat;

	private final AtomicBoolean gone = new AtomicBoolean();

	private volatile boolean ending;

	/** Guarded by the lock. */
	private boolean ended;

	/**
	 * Creates a stream.
	 * @param wanted whether the session of the stream is open, asked with each comment
	 * @param whenGone runs when the stream is not needed any more, its client is gone or
	 * it has ended, once
	 * @param answer whether the stream is an answer, which is ended by the thread that
	 * handles the request; otherwise it also ends when it is not needed any more
	 * @param executor ends the stream after a failure of another thread
	 */
	McpEventStream(McpOutput output, McpJsonMapper mapper, BooleanSupplier wanted, Runnable whenGone, boolean answer,
			Executor executor) {
		this.output = output;
		this.mapper = mapper;
		this.wanted = wanted;
		this.whenGone = whenGone;
		this.answer = answer;
		this.executor = executor;
	}

	/**
	 * Begins to write comments.
	 * @param first the time until the first one
	 * @param interval the time between two of them
	 */
	void beat(ScheduledExecutorService timer, Duration first, Duration interval) {
		this.heartbeat = timer.scheduleWithFixedDelay(this::beat, first.toNanos(), interval.toNanos(),
				TimeUnit.NANOSECONDS);
		if (this.ending) {
			stopComments();
		}
	}

	/**
	 * Writes a comment unless a message is being written: this reveals as well whether
	 * the client is gone.
	 */
	void beat() {
		if (!this.ending && this.lock.tryLock()) {
			try {
				write(this.output::comment);
			}
			catch (IOException | RuntimeException ex) {
				// the client is gone
			}
		}
		if (this.ending || !this.wanted.getAsBoolean()) {
			gone();
			if (!this.answer) {
				end();
			}
		}
	}

	@Override
	public Mono<Void> sendMessage(JSONRPCMessage message) {
		return sendMessage(message, null);
	}

	@Override
	public Mono<Void> sendMessage(JSONRPCMessage message, @Nullable String id) {
		return Mono.fromCallable(() -> {
			send(id, this.mapper.writeValueAsString(withoutException(message)));
			return null;
		});
	}

	/**
	 * Returns a message without the text of an exception, which the SDK adds and logs.
	 */
	private static JSONRPCMessage withoutException(JSONRPCMessage message) {
		return (message instanceof JSONRPCResponse response && response.error() != null
				&& response.error().code() == ErrorCodes.INTERNAL_ERROR)
						? JSONRPCResponse
							.error(response.id(),
									new JSONRPCError(ErrorCodes.INTERNAL_ERROR,
											"The request could not be handled: its parameters may not be valid"))
						: message;
	}

	private void send(@Nullable String id, String json) throws IOException {
		try {
			if (!this.lock.tryLock(WAIT_SECONDS, TimeUnit.SECONDS)) {
				throw new IOException("The client does not read its event stream");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("The thread was interrupted", ex);
		}
		write(() -> this.output.message(id, json));
	}

	/**
	 * Writes with the lock held, and gives it back.
	 */
	private void write(Write write) throws IOException {
		try {
			if (this.ending) {
				throw new IOException("The event stream has ended");
			}
			write.run();
		}
		catch (IOException | RuntimeException ex) {
			this.ending = true;
			throw ex;
		}
		finally {
			this.lock.unlock();
			if (this.ending) {
				this.executor.execute(this::end);
			}
		}
	}

	/**
	 * Ends the stream, as soon as nothing is being written. Does not wait.
	 */
	void end() {
		this.ending = true;
		stopComments();
		if (this.lock.tryLock()) {
			try {
				if (!this.ended) {
					this.ended = true;
					this.output.end();
				}
			}
			finally {
				this.lock.unlock();
			}
		}
		gone();
	}

	/**
	 * Ends the stream, and waits for what is being written: the web server reuses the
	 * response afterwards.
	 */
	void endAndWait() {
		this.ending = true;
		this.lock.lock();
		try {
			end();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Notes that the web server has ended the stream. Does not wait.
	 */
	void ended() {
		this.ending = true;
		stopComments();
		gone();
	}

	private void gone() {
		if (this.gone.compareAndSet(false, true)) {
			this.whenGone.run();
		}
	}

	private void stopComments() {
		Future<?> comments = this.heartbeat;
		if (comments != null) {
			comments.cancel(false);
		}
	}

	@Override
	public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
		return this.mapper.convertValue(data, type);
	}

	/**
	 * Ends the stream, but not an answer, which ends when its request has been handled.
	 */
	@Override
	public Mono<Void> closeGracefully() {
		return this.answer ? Mono.empty() : Mono.fromRunnable(this::end);
	}

	/**
	 * A write to the output.
	 */
	@FunctionalInterface
	private interface Write {

		void run() throws IOException;

	}

}
