package io.kairo.autoconfigure.mcp;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;

/**
 * A response with an event stream. Comments between its events reveal whether the client
 * is gone or does not read. Nothing follows its last event.
 */
final class ReactiveMcpEvents extends ServerHttpResponseDecorator {

	/** A client that reads nothing for this time is gone. */
	static final Duration PATIENCE = Duration.ofMinutes(1);

	/** No blank line: the client of the SDK stalls after 256 that do not end an event. */
	private static final byte[] COMMENT = ":\n".getBytes(StandardCharsets.US_ASCII);

	private final Duration first;

	private final Duration interval;

	private final Duration patience;

	private final BooleanSupplier wanted;

	private final Runnable gone;

	private final Predicate<DataBuffer> last;

	private final Mono<?> end;

	private final AtomicInteger unread = new AtomicInteger();

	/** The time when the client read last, as of {@link System#nanoTime()}. */
	private volatile long lastRead;

	/**
	 * Creates a response.
	 * @param first the time until the first comment
	 * @param interval the time between two comments
	 * @param patience the time that a client has to read
	 * @param wanted whether the stream should stay open; does not block
	 * @param gone called when the stream is not wanted any more, or its client is gone,
	 * perhaps several times; does not block
	 * @param last whether an event is the last one
	 * @param end completes when the stream is to be ended
	 */
	ReactiveMcpEvents(ServerHttpResponse response, Duration first, Duration interval, Duration patience,
			BooleanSupplier wanted, Runnable gone, Predicate<DataBuffer> last, Mono<?> end) {
		super(response);
		this.first = first;
		this.interval = interval;
		this.patience = patience;
		this.wanted = wanted;
		this.gone = gone;
		this.last = last;
		this.end = end;
	}

	@Override
	public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
		Sinks.Empty<Void> ended = Sinks.empty();
		this.lastRead = System.nanoTime();
		Flux<Publisher<? extends DataBuffer>> comments = Flux.interval(this.first, this.interval)
			.doOnNext((number) -> check(ended))
			.onBackpressureDrop()
			.map((number) -> comment());
		return super.writeAndFlushWith(Flux.<Publisher<? extends DataBuffer>>from(body)
			.<Publisher<? extends DataBuffer>>map((event) -> event(event, ended))
			.publish((events) -> Flux.merge(events, comments.takeUntilOther(events.ignoreElements())))
			.takeUntilOther(Mono.firstWithSignal(this.end, ended.asMono())));
	}

	private void check(Sinks.Empty<Void> ended) {
		boolean reads = this.unread.get() == 0 || System.nanoTime() - this.lastRead < this.patience.toNanos();
		if (!reads || !this.wanted.getAsBoolean()) {
			this.gone.run();
		}
		if (!reads) {
			// drops the events that it does not read
			ended.tryEmitEmpty();
		}
	}

	private Publisher<DataBuffer> comment() {
		this.unread.incrementAndGet();
		return Mono.fromSupplier(() -> {
			this.unread.decrementAndGet();
			this.lastRead = System.nanoTime();
			return bufferFactory().wrap(COMMENT);
		});
	}

	private Flux<DataBuffer> event(Publisher<? extends DataBuffer> event, Sinks.Empty<Void> ended) {
		AtomicBoolean wasLast = new AtomicBoolean();
		return Flux.<DataBuffer>from(event).doOnNext((part) -> {
			this.lastRead = System.nanoTime();
			if (this.last.test(part)) {
				wasLast.set(true);
			}
		}).doOnComplete(() -> {
			if (wasLast.get()) {
				ended.tryEmitEmpty();
			}
		});
	}

}
